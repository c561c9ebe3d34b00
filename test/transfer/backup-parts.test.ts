/** No table of a store is forgotten by backups, and what code can write is whole to `verify`. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type OwnColumn, rowSum } from '../../src/core/objects/own-object.ts';
import { resources } from '../../src/core/registry.ts';
import { partsOf } from '../../src/services/backup/parts.ts';
import { createRowCheck } from '../../src/services/backup/verify/verify.ts';
import type { Snapshot } from '../../src/store/promises/snapshot.ts';
import { whenOver } from '../support/at-end.ts';
import { openAt } from '../support/backups.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';

/** Read as accounts, records, receipts and changes; or made of them. */
const OWN = new Set([
  ...['account', 'gone', 'change', 'receipt', 'receipt_room', 'counter'],
  ...shapes.map(({ resource }) => resource),
  ...resources.map(({ shape }) => shape.resource),
]);

const LEFT_OUT = new Map([
  ['write_check', 'holds nothing'],
  ['seen_time', 'is about the clock of the machine that served'],
  ['expectation_watch', 'is about the service that looked'],
  ['checked_backup', 'is about backups of this store'],
  ['store_identity', 'is in the header of each backup: a restored copy is another store'],
  ['followed_backup', 'is about the folders that follow this store'],
  ['refused_request', 'is a log of requests, kept for 30 days'],
  ['staff_session', 'people sign in again'],
  ['staff_ceremony', 'is over in hours, and a key can be made again'],
  ['job', 'is about the processes that work'],
  ['follower', 'keys that follow are noted again when they read on'],
  ['upload', 'is over in an hour, and can be sent again'],
  ['upload_part', 'goes with its upload'],
  ['self_test', 'is over in an hour, and its report within 30 days'],
  ['self_test_sighting', 'goes with its self-test'],
  ['sync_seen', 'a sync that is not finished is begun again'],
  ['sync_doubt', 'a sync that is not finished is begun again'],
  ['search_mark', 'the search index is rebuilt'],
  ['search_record', 'the search index is rebuilt'],
  ['search_term', 'the search index is rebuilt'],
  ['search_feeder', 'the search index is rebuilt'],
]);

const COLUMNS_LEFT_OUT = new Map([
  ['sync', ['marked']], // a restored sync has no marks
  ['webhook_endpoint', ['announced']], // a restored process has notified nobody yet
  ['import_run', ['rejected']], // what was refused was not to be stored, and is kept for seven days
]);

it('every table is part of a backup, or is known to be none, with all of its columns', async () => {
  const ground = await sqliteGround();
  await (await openAt(ground)).close();
  const database = new DatabaseSync(ground.path);
  whenOver(() => database.close());
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const parts = new Map(
    partsOf(resources).flatMap(({ table, columns = [] }) =>
      table === undefined ? [] : [[table.table, columns.map(({ name }) => name)] as const],
    ),
  );
  const left = tables.filter((name) => !OWN.has(name) && !LEFT_OUT.has(name) && !parts.has(name));
  assert.deepEqual(left, [], 'name its part of a backup where it is declared, or say here why not');
  for (const [table, columns] of parts) {
    const found = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
    const leases = found.filter((name) => name.startsWith('lease'));
    const known = [...columns, ...leases, ...(COLUMNS_LEFT_OUT.get(table) ?? [])];
    assert.deepEqual(known.toSorted(), found.toSorted(), table);
  }
});

it('removed records are read many at a time, wherever they stand among the others', async () => {
  const row = (nth: number) => ({ unique_identifier: `evt_${`${nth}`.padStart(6, '0')}` });
  async function* batches(from: number, to: number, step: number) {
    for (let at = from; at < to; at += 500 * step)
      yield Array.from({ length: 500 }, (_, nth) => row(at + nth * step));
  }
  const part = partsOf(resources).find(({ name }) => name === 'events');
  const snapshot = {
    // Every other one is removed, and all that are newer than the last.
    records: () => batches(0, 4_000, 2),
    gone: async function* () {
      yield* batches(1, 4_000, 2);
      yield* batches(4_000, 10_000, 1);
    },
  } as unknown as Snapshot;
  const sizes: number[] = [];
  const read: string[] = [];
  for await (const batch of part?.read(snapshot) ?? []) {
    sizes.push(batch.length);
    read.push(...batch.map((one) => String(Object.values(one)[0])));
  }
  assert.deepEqual(
    read,
    Array.from({ length: 10_000 }, (_, nth) => row(nth).unique_identifier),
  );
  assert.ok(sizes.length <= 10_000 / 250, `${sizes.length} batches`);
});

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
