/** The page of the client lists the types of each resource by the names that they are exported by. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { typeNames } from '../../scripts/client/records.ts';
import { resources } from '../../src/core/resources/index.ts';

it('the types of each resource are listed', () => {
  const page = readFileSync(join(import.meta.dirname, '../../client/README.md'), 'utf8');
  for (const resource of resources.filter(({ parent }) => parent !== undefined)) {
    const { record, upsert, patch, list } = typeNames(resource);
    const cells = [resource.path, record, upsert, patch, list].map((name) => `\`${name}\``);
    assert.ok(page.includes(`| ${cells.join(' | ')} |`), resource.path);
  }
});
