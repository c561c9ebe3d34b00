/** Rows of backups of earlier releases are read as rows of this one, whichever of the columns that may be lacking they lack. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resources } from '../../src/core/resources/index.ts';
import { partsOf } from '../../src/services/backup/parts.ts';

const parts = partsOf(resources).filter(({ columns }) => columns !== undefined);

describe('a row that lacks columns', () => {
  for (const { name, columns = [], asNow } of parts)
    it(`of ${name} holds what these begin with, or nothing`, () => {
      const whole = Object.fromEntries(columns.map((one) => [one.name, `its ${one.name}`]));
      const mayLack = columns.filter(({ field }) => field.nullable || field.initial !== undefined);
      assert.deepEqual(asNow?.(whole), whole);
      fc.assert(
        fc.property(fc.subarray(mayLack), (lacking) => {
          const names = new Set(lacking.map((one) => one.name));
          const row = Object.fromEntries(Object.entries(whole).filter(([one]) => !names.has(one)));
          const begun = lacking.map((one) => [one.name, one.field.initial ?? null]);
          const expected = { ...whole, ...Object.fromEntries(begun), strange: 1 };
          assert.deepEqual(asNow?.({ ...row, strange: 1 }), expected);
        }),
      );
    });
});
