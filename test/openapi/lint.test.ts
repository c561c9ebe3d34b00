/** The linter that people use on OpenAPI documents has nothing to say of ours. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { createConfig, lint } from '@redocly/openapi-core';

it('redocly finds no error and nothing to warn of, by its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({
    ref: join(import.meta.dirname, '..', '..', 'openapi.json'),
    config,
  });
  assert.deepEqual(
    problems.map(({ ruleId, severity, message, location: [at] }) =>
      [severity, ruleId, message, at?.pointer].join(' '),
    ),
    [],
  );
});
