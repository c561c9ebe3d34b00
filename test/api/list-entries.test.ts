/** Where the entries of a list differ from what an upsert answers, its page says so at the upsert and at the list, and how to have what is missing. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { world } from '../support/world.ts';

const stage = world();

/** The section of a page with that heading. */
function section(text: string, heading: string): string {
  const [, found = ''] = text.split(`\n## ${heading}\n`);
  return found.split('\n## ', 1)[0] ?? '';
}

describe('The page of a resource', () => {
  for (const { path } of examples)
    it(`${path}: says what its lists have differently`, async () => {
      const made = await stage.made(path, 'listed');
      const all = await stage.service.get(`/v1/${path}?external_identifier=listed`);
      const [entry] = all.body.data;
      const page = readFileSync(
        join(import.meta.dirname, `../../docs/resources/${path}.md`),
        'utf8',
      );
      const [lacking, added] = [
        Object.keys(made).filter((name) => !(name in entry)),
        Object.keys(entry).filter((name) => !(name in made)),
      ];
      for (const heading of ['Create or update', 'List']) {
        const [, says = ''] = /\*\*Lists differ\*\*: (.*)/.exec(section(page, heading)) ?? [];
        assert.equal(says !== '', lacking.length + added.length > 0, heading);
        for (const name of [...lacking, ...added]) assert.ok(says.includes(`\`${name}\``), name);
        if (says === '') continue;
        const expanded = await stage.service.get(
          `/v1/${path}?external_identifier=listed&expand[]=identifiers`,
        );
        const { identifiers } = expanded.body.data[0];
        for (const name of lacking.filter((one) => one.endsWith('_identifier')))
          assert.equal(identifiers[name], made[name], name);
        assert.match(says, /With `expand\[\]=identifiers` it has/);
      }
    });

  it('of accounts says that they have no `object`', async () => {
    const { body } = await stage.service.get('/v1/accounts');
    assert.ok(!('object' in body.data[0]));
    const page = readFileSync(
      join(import.meta.dirname, '../../docs/resources/accounts.md'),
      'utf8',
    );
    assert.match(section(page, 'List'), /have no `object`/);
  });
});
