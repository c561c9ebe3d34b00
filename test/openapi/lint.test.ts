/** The linters that people use on OpenAPI documents have nothing to say of ours. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';
import { createConfig, lint } from '@redocly/openapi-core';
import { EXTRAS, lacks } from '../support/extras.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const DOCUMENT = join(PROJECT, 'openapi.json');
const UNUSED = 'no-unused-components';

it('redocly finds no error and nothing to warn of, by its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: DOCUMENT, config });
  // It does not read extensions, where the lines of an answer are described.
  const read = readFileSync(DOCUMENT, 'utf8');
  const lines = '#/components/schemas/UpsertManyLine';
  assert.match(
    read,
    new RegExp(`"x-other-content": \\{\\s+"application/x-ndjson": \\{[^}]+"${lines}"`),
  );
  assert.deepEqual(
    problems
      .filter(({ ruleId, location: [at] }) => ruleId !== UNUSED || at?.pointer !== lines)
      .map(({ ruleId, severity, message, location: [at] }) =>
        [severity, ruleId, message, at?.pointer].join(' '),
      ),
    [],
  );
});

it('Spectral finds no error and nothing to warn of, by its rules for OpenAPI', {
  skip: lacks('@stoplight'),
}, async () => {
  const require = createRequire(join(EXTRAS, 'any.js'));
  const { Spectral, Document } = require('@stoplight/spectral-core');
  const { oas } = require('@stoplight/spectral-rulesets');
  const { Json } = require('@stoplight/spectral-parsers');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas] });
  const problems = await spectral.run(new Document(readFileSync(DOCUMENT, 'utf8'), Json, DOCUMENT));
  assert.deepEqual(problems, []);
});

it('no answer has a constant that is true: generators for Python write it as a name that they lack', () => {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  assert.doesNotMatch(JSON.stringify(components), /"(?:const|enum)":\[?(?:true|false)/);
});
