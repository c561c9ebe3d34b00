/**
 * No work on records reads more than it has to: of full tables every statement reads a few pages, with the
 * server's own settings, and also where it has learned nothing of the tables, or what is not so any more.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import * as snapshots from '../../src/store/postgres/dump/snapshot.ts';
import * as commits from '../../src/store/postgres/statements/commits.ts';
import { type ListFilter, listCall } from '../../src/store/postgres/statements/lists.ts';
import { arraysOf } from '../../src/store/postgres/statements/prepare.ts';
import {
  draftStatements,
  RECORD,
  recordStatements,
} from '../../src/store/postgres/statements/records.ts';
import { removalStatements } from '../../src/store/postgres/statements/removal.ts';
import * as together from '../../src/store/postgres/statements/together.ts';
import { call } from '../../src/store/postgres/wire/session.ts';
import { numberArray, textArray } from '../../src/store/postgres/wire/values.ts';
import { ALL } from '../support/all.ts';
import {
  ACCOUNT,
  type FullTables,
  fullTables,
  HOUR_MS,
  KNOWLEDGE,
  MAX_PAGES,
  ROWS,
} from '../support/full-tables.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { owner, place, thing, visit } from '../support/store-shapes.ts';

await onPostgres(({ name, ground }) => {
  // What the server has not learned is the worst.
  for (const knowledge of ALL ? KNOWLEDGE : (['nothing'] as const)) {
    describePlans(name, ground, knowledge);
  }
});

function describePlans(
  name: string,
  ground: PostgresCase['ground'],
  knowledge: (typeof KNOWLEDGE)[number],
): void {
  describe(`Of full tables few pages are read on ${name} that has learned ${knowledge} of them`, () => {
    let tables: FullTables;
    before(async () => {
      tables = await fullTables(await ground(), knowledge);
    });
    after(() => tables.remove());
    const wantFewPages: FullTables['wantFewPages'] = (...given) => tables.wantFewPages(...given);

    const texts = (...values: string[]) => textArray(values);
    const some = (prefix: string) => texts(`${prefix}100`, `${prefix}29000`, `${prefix}none`);

    it('to lock an account, to number its commits, and to settle and sweep them', async () => {
      await wantFewPages(call(commits.lock, ACCOUNT));
      await wantFewPages(call(commits.stateOf, ACCOUNT));
      const one = [{ account: ACCOUNT, position: 2 * ROWS, token: '-7', committed_at: 0 }];
      await wantFewPages(call(commits.number, ...arraysOf(commits.COMMIT, one)));
      const accounts = texts(ACCOUNT, 'own_2', 'own_3');
      await wantFewPages(call(commits.lockFree, accounts));
      await wantFewPages(call(commits.statesOf, accounts));
      const locking = call(together.lockFree, accounts);
      await wantFewPages(locking);
      await wantFewPages(call(together.lockOpen, ACCOUNT));
      await wantFewPages(call(together.appendEach, '-8', 0), 2 * MAX_PAGES, [locking]);
      await wantFewPages(call(commits.find, ACCOUNT, '100'));
      await wantFewPages(call(commits.changedBy, ACCOUNT, '100'), 2 * MAX_PAGES);
      await wantFewPages(call(commits.sweep, ACCOUNT, 10, 1, 5, 0), 2 * MAX_PAGES);
      const whereNoneIsOld = call(commits.sweep, ACCOUNT, ROWS, 0, 5, 0);
      await wantFewPages(whereNoneIsOld);
    });

    for (const shape of [place, visit]) {
      const parent = shape === place ? ACCOUNT : 'thg_7';
      const parentShape = shape === place ? owner : thing;
      const statements = draftStatements(shape, parentShape);

      it(`to find records of ${shape.resource}`, async () => {
        const { find, findAmong } = recordStatements(shape);
        const { findPairs, look, lookIn } = statements;
        await wantFewPages(call(find, some(shape.prefix), ACCOUNT, null));
        await wantFewPages(call(findAmong, some(shape.prefix), texts(ACCOUNT, 'own_2'), null));
        await wantFewPages(call(find, some(shape.prefix), ACCOUNT, texts('plc_1', 'plc_2')));
        await wantFewPages(call(findPairs, ACCOUNT, texts(parent), texts('name 107')));
        await wantFewPages(
          call(
            findPairs,
            ACCOUNT,
            texts(parent, parent, parent),
            texts('name 7', 'name 107', 'no'),
          ),
        );
        for (const statement of [look, lookIn]) {
          const accounts = texts(ACCOUNT, ACCOUNT, ACCOUNT);
          const parents = texts(parent, parent, 'none');
          const wanted = call(statement, accounts, parents, texts('name 107', 'no', 'no'));
          await wantFewPages(wanted, 2 * MAX_PAGES);
        }
      });

      it(`to write records of ${shape.resource}`, async () => {
        const now = ROWS * HOUR_MS;
        const rowOf = (name: string, account: string, version: number, place: number) => ({
          account,
          unique_identifier: `${shape.prefix}${name}`,
          parent,
          anchor: `${shape.prefix}${name}`,
          external_identifier: `name ${name}`,
          document: '{}',
          inserted_at: now,
          updated_at: now,
          updated_hour: ROWS,
          version,
          position: ROWS,
          expected: version,
          place,
          outcome: version === 0 ? 'created' : 'updated',
          before: version,
        });
        const put = (names: readonly string[]) => {
          const rows = names.map((name) => rowOf(name, ACCOUNT, 2, 0));
          const keys = shape.keys.map(() => texts('a', 'b'));
          return call(statements.put, ...arraysOf(RECORD, rows), ...keys);
        };
        // Two rows, with all their indexes.
        await wantFewPages(put(['107', '108']), 2 * MAX_PAGES);
        await wantFewPages(put(['new', 'newer']), 2 * MAX_PAGES);
        const locking = call(together.lockFree, texts(ACCOUNT, 'own_2'));
        const rows = [
          rowOf('107', ACCOUNT, 1, 0),
          rowOf('108', ACCOUNT, 1, 1),
          rowOf('new', 'own_2', 0, 0),
          rowOf('newer', ACCOUNT, 0, 2),
        ];
        const keys = shape.keys.map(() => texts('a', 'b', 'c', 'd'));
        const wanted = [...arraysOf(together.SENT, rows), ...keys];
        const { writeFirst, writeNext } = statements;
        await wantFewPages(call(writeFirst, '-8', now, ...wanted), 4 * MAX_PAGES, [locking]);
        const numbering = call(together.appendEach, '-8', now);
        const second = call(writeNext, '-8', now, ...wanted);
        await wantFewPages(second, 4 * MAX_PAGES, [locking, numbering]);
      });

      it(`to remove records of ${shape.resource}`, async () => {
        const { below, countBelow, themselves, children } = removalStatements(shape, parentShape);
        await wantFewPages(call(statements.find, ACCOUNT, `${shape.prefix}100`));
        await wantFewPages(call(below, ACCOUNT, texts(parent), 20));
        await wantFewPages(call(countBelow, ACCOUNT, texts(parent), 20));
        const few = texts(...[1, 2].map((number) => `${shape.prefix}${number}00`));
        const which = [[themselves, few] as const, [children, texts('none')] as const];
        // What is right below an account goes with a wipe.
        for (const [{ log, addGone, forget, remove }, names] of which.slice(
          0,
          shape === visit ? 2 : 1,
        )) {
          const values = [10, 0, '7', 'key', 0, true];
          await wantFewPages(call(log, ACCOUNT, names, ...values), 2 * MAX_PAGES);
          await wantFewPages(call(addGone, ACCOUNT, names, 10, null), 2 * MAX_PAGES);
          await wantFewPages(call(forget, ACCOUNT, names));
          await wantFewPages(call(remove, ACCOUNT, names));
        }
      });
    }

    it('to find the changes of records, and a commit of thousands is read once', async () => {
      const at = (...positions: number[]) =>
        call(
          { text: snapshots.changesAt },
          textArray(positions.map(() => ACCOUNT)),
          numberArray(positions),
          textArray(positions.map((_, nth) => `plc_${nth * 10 + 10}`)),
        );
      await wantFewPages(at(10, 20_000, 29_000));
      const many = Array.from({ length: 100 }, () => 1_000_000);
      await wantFewPages(at(...many), 10 * MAX_PAGES);
    });

    it('to begin with all records by unique identifier, and nothing is sorted', async () => {
      const before = snapshots.beginSnapshot.slice(1).map((text) => call({ text }));
      for (const accounts of [[ACCOUNT], [ACCOUNT, 'own_2']]) {
        const text = `${snapshots.recordsOfEach(visit, accounts.length)} LIMIT 20`;
        await wantFewPages(call({ text }, ...accounts), MAX_PAGES, before);
      }
    });

    for (const [words, shape, filter] of filters()) {
      it(`to list records of ${shape.resource} ${words}`, async () => {
        const filters_ = filter === undefined ? [] : [filter];
        const where = { shape, account: ACCOUNT, anchors: undefined };
        const keys = [undefined, ...shape.keys.filter((key) => key.for === 'order')];
        for (const key of filter === undefined ? keys : [undefined]) {
          for (const from of [undefined, { key: 'b', unique_identifier: `${shape.prefix}20000` }]) {
            const order = { key, ascending: key !== undefined, from };
            await wantFewPages(
              listCall({ ...where, order, filters: filters_, limit: 20 }),
              // Two indexes may be put together.
              typeof filter?.by === 'object' ? 8 * MAX_PAGES : MAX_PAGES,
            );
          }
        }
      });
    }
  });
}

function filters(): [words: string, shape: RecordShape, filter: ListFilter | undefined][] {
  const phone = visit.keys.find((key) => key.name === 'phone');
  const person = visit.keys.find((key) => key.name === 'person');
  const welcome = visit.keys.find((key) => key.name === 'welcome');
  assert.ok(phone !== undefined && person !== undefined && welcome !== undefined);
  const last = ROWS * HOUR_MS;
  return [
    ['page by page', place, undefined],
    ['page by page', visit, undefined],
    ['below a parent', visit, { by: 'parent', is: '=', value: 'thg_7' }],
    ['by an external identifier', visit, { by: 'external_identifier', is: '=', value: 'name 107' }],
    ['by a key', visit, { by: phone, is: '=', value: '+107' }],
    ['by a key that half of them have', visit, { by: welcome, is: '=', value: 'true' }],
    ['by the end of a key', visit, { by: person, is: '>', value: 'person 9999' }],
    ['changed since', visit, { by: 'updated_at', is: '>=', value: last - 10 * HOUR_MS }],
    ['made since', visit, { by: 'inserted_at', is: '>', value: last - 10 * HOUR_MS }],
  ];
}
