/** Follow-ups are of records in which somebody can be called or written to. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describe as described } from '../../../console/build/describe.ts';
import { resources } from '../../../src/core/resources/index.ts';
import { SIGNALS } from '../../../src/features/follow-up/serves/signals.ts';

describe('a follow-up', () => {
  it('can be begun on every record with a phone number or an email address, and the console offers it there', () => {
    const reached = described(resources).resources.filter(({ fields }) =>
      fields.some(({ kind }) => / phone number$|^email address$/.test(kind)),
    );
    assert.deepEqual(reached.map(({ name }) => name).sort(), Object.keys(SIGNALS).sort());
  });
});
