/** What code can write is whole to `verify`, in every state that an object of ours declares; anything else is a fault. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type OwnColumn, rowSum } from '../../src/core/objects/own-object.ts';
import { resources } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { createRowCheck } from '../../src/services/backup/verify/verify.ts';

const parts = partsOf(resources).filter(
  // The rows of deliveries refer to those of endpoints.
  ({ name, columns }) => columns !== undefined && name !== 'webhook_deliveries',
);

function wordsOf({ field }: OwnColumn): readonly unknown[] | undefined {
  const { shown, words } = field.kind;
  if (words !== undefined || typeof shown === 'function') return words;
  return shown.enum as readonly unknown[] | undefined;
}

function written(column: OwnColumn): fc.Arbitrary<unknown> {
  const { kind, field } = column;
  if (field.kind.isSum) return fc.constant(null);
  if (kind === 'texts') return fc.array(fc.string());
  if (kind === 'number') return fc.integer();
  if (kind === 'flag') return fc.boolean();
  if (kind === 'bytes') return fc.uint8Array();
  if (field.kind.isJson) return fc.json();
  const words = wordsOf(column);
  return words === undefined ? fc.string() : fc.constantFrom(...words);
}

/** Values that no code writes into the column, where there are any. */
function spoilt(column: OwnColumn): readonly unknown[] {
  if (column.kind === 'texts') return ['["a"'];
  if (column.kind !== 'text') return [];
  if (column.field.kind.isJson) return ['{"a', 'done'];
  return wordsOf(column) === undefined ? [] : ['no such word'];
}

describe('rows as verify reads them', () => {
  for (const part of parts) {
    const { columns = [] } = part;
    const row = fc.record(
      Object.fromEntries(columns.map((one) => [one.name, fc.option(written(one), { freq: 5 })])),
    );

    it(`of ${part.name} are whole in every state that is declared`, () => {
      fc.assert(fc.property(row, (one) => assert.deepEqual(createRowCheck()(part, one), [])));
    });

    if (columns.some(({ field }) => field.kind.isSum))
      it(`of ${part.name} are not as they were written where any column is another`, () => {
        fc.assert(
          fc.property(row, fc.constantFrom(...columns), (one, { name, kind }) => {
            const sum = rowSum(columns, (column) => one[column.name]);
            assert.deepEqual(createRowCheck()(part, { ...one, sum }), []);
            const other = name === 'sum' ? sum + 1 : kind === 'number' ? -1.5 : `${one[name]}a`;
            const faults = createRowCheck()(part, { ...one, sum, [name]: other });
            assert.ok(faults.includes('it is not as it was written'));
          }),
        );
      });

    it(`of ${part.name} are not with a value that no code writes`, () => {
      const [sample = {}] = fc.sample(row, { numRuns: 1, seed: 1 });
      for (const column of columns) {
        for (const value of spoilt(column)) {
          const faults = createRowCheck()(part, { ...sample, [column.name]: value });
          assert.match(faults.join(), new RegExp(`^its ${column.name} is `));
        }
      }
    });
  }
});
