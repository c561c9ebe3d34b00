/** What a server of PostgreSQL is asked for: singly asked questions together, and lists in bounded pieces. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Client } from 'pg';
import { openStore } from '../../src/store/open.ts';
import { inSlices } from '../../src/store/postgres/reading.ts';
import {
  type List,
  type ListFilter,
  type ListOrder,
  listCall,
  placeAhead,
} from '../../src/store/postgres/statements/lists.ts';
import { createLookUp } from '../../src/store/postgres/wire/lookups.ts';
import type { Call } from '../../src/store/postgres/wire/session.ts';
import type { RecordRow } from '../../src/store/records/records.ts';
import { ALL } from '../support/all.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import {
  ACCOUNT,
  type FullTables,
  fullTables,
  HOUR_MS,
  KNOWLEDGE,
  ROWS,
} from '../support/full-tables.ts';
import { pluck } from '../support/pluck.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { place, shapes, visit } from '../support/store-shapes.ts';
import { within } from '../support/store-world.ts';

/** A server that answers when told to, with what it holds at that moment. */
function makeServer() {
  const held = new Map<string, string>();
  const asked: { readonly of: string; readonly names: readonly string[] }[] = [];
  const underWay: { readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];
  const lookUp = createLookUp((of: string, names: readonly string[]) => {
    asked.push({ of, names });
    const seen = new Map(held);
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    underWay.push({ answer: () => resolve(seen), fail: reject });
    return promise;
  });
  /** The next one that is under way, once it has been asked. */
  const next = async () => {
    for (let turn = 0; underWay.length === 0 && turn < 10; turn += 1) {
      await new Promise(setImmediate);
    }
    const [first] = underWay.splice(0, 1);
    assert.ok(first, 'nothing was asked');
    return first;
  };
  const find = (name: string, of = 'acc_1') => lookUp(of, name, name);
  return { held, asked, next, find };
}

describe('What is asked for singly', () => {
  it('is asked together, some at a time, and each gets his own answer', async () => {
    const { held, asked, next, find } = makeServer();
    for (let at = 0; at < 100; at += 2) held.set(`${at}`, `record ${at}`);
    const all = Array.from({ length: 100 }, (_, at) => find(`${at}`));
    const other = find('2', 'acc_2');
    for (let answered = 0; answered < 3; answered += 1) (await next()).answer();
    assert.deepEqual(
      await Promise.all(all),
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? `record ${at}` : undefined)),
    );
    assert.equal(await other, 'record 2');
    assert.deepEqual(
      asked.map(({ of, names }) => [of, names.length]),
      [
        ['acc_1', 64],
        ['acc_2', 1],
        ['acc_1', 36],
      ],
    );
  });

  it('by many at once is asked once', async () => {
    const { held, asked, next, find } = makeServer();
    held.set('same', 'record');
    const all = [find('same'), find('same'), find('same')];
    (await next()).answer();
    assert.deepEqual(await Promise.all(all), ['record', 'record', 'record']);
    assert.deepEqual(
      asked.map(({ names }) => names),
      [['same']],
    );
  });

  it('is never answered from what the server was asked before', async () => {
    const { held, next, find } = makeServer();
    held.set('one', 'old');
    const before = find('one');
    const first = await next();
    held.set('one', 'new');
    const after = find('one');
    first.answer();
    (await next()).answer();
    assert.deepEqual(await Promise.all([before, after]), ['old', 'new']);
  });

  it('fails for those alone who were asked for together, and is asked again for the next', async () => {
    const { held, next, find } = makeServer();
    held.set('one', 'record');
    const failed = [find('one'), find('two')];
    const first = await next();
    const later = find('one');
    first.fail(new Error('the server is gone'));
    for (const one of failed) await assert.rejects(one, /the server is gone/);
    (await next()).answer();
    assert.equal(await later, 'record');
    const again = find('two');
    (await next()).answer();
    assert.equal(await again, undefined);
  });
});

/** Of the filters; without `--all` each kind, with one of its values. */
const EACH = ALL ? 1 : 4;
/** Rows that a slice looks at here. */
const AHEAD = 100;
/** Of the table and an index; all have more than a thousand. */
const MAX_PAGES = 60;

const COMPARISONS = ['=', '>=', '>', '<=', '<'] as const;

function filtersOf(shape: typeof visit): readonly ListFilter[] {
  const times = (['inserted_at', 'updated_at'] as const).flatMap((by) =>
    COMPARISONS.flatMap((is) =>
      [0, 2 * HOUR_MS, 2 * ROWS * HOUR_MS].map((value) => ({ by, is, value })),
    ),
  );
  const keys = shape.keys.flatMap((by) =>
    COMPARISONS.flatMap((is) => [' ', `${by.name} 1`, '~'].map((value) => ({ by, is, value }))),
  );
  const named = (by: 'parent' | 'anchor' | 'external_identifier') =>
    ['none', 'thg_7', 'name 2', 'plc_1'].map((value) => ({ by, is: '=' as const, value }));
  return [
    ...times,
    ...keys,
    ...(['parent', 'anchor', 'external_identifier'] as const).flatMap(named),
  ];
}

function ordersOf(shape: typeof visit): readonly Omit<ListOrder, 'from'>[] {
  const keys = [undefined, ...shape.keys.filter((key) => key.for === 'order')];
  return keys.flatMap((key) => [true, false].map((ascending) => ({ key, ascending })));
}

await onPostgres(({ name, ground }) => {
  // What the server has not learned is the worse.
  for (const knowledge of KNOWLEDGE.slice(ALL ? 0 : 1, 2)) {
    describe(`A list in slices on ${name} that has learned ${knowledge} of its tables`, () => {
      let tables: FullTables;
      let client: Client;
      let url: string;
      before(async () => {
        const found = await ground();
        url = found.url;
        tables = await fullTables(found, knowledge);
        whenOver(tables.remove);
        client = await connected(url);
      });
      const rows = async <Row extends readonly unknown[]>(one: Call<Row>) => {
        const { text } = one.statement;
        return (
          await client.query<Row & unknown[]>({ text, values: [...one.values], rowMode: 'array' })
        ).rows;
      };

      for (const shape of [place, visit]) {
        it(`of ${shape.resource} reads few pages with each statement, by every filter in every order`, async () => {
          for (const filter of filtersOf(shape).filter((_, at) => at % EACH === 0)) {
            for (const order of ordersOf(shape)) {
              const from = {
                key: order.key === undefined ? '' : 'person 2',
                unique_identifier: `${shape.prefix}2`,
              };
              const list: List = {
                ...{ shape, account: ACCOUNT, anchors: undefined, filters: [filter] },
                ...{ limit: 4, bytes: 1e6, order: { ...order, from } },
              };
              await tables.wantFewPages(placeAhead(list, AHEAD), MAX_PAGES);
              const [ahead] = await rows(placeAhead(list, AHEAD));
              const upTo = ahead ? { unique_identifier: ahead[0], key: ahead[1] } : 'end';
              await tables.wantFewPages(listCall({ ...list, upTo }), 4 * MAX_PAGES);
            }
          }
        });
      }

      it('has what the list has', async () => {
        for (const filter of filtersOf(visit).filter((_, at) => at % 11 === 0)) {
          for (const order of ordersOf(visit).slice(1, 3)) {
            const list: List = {
              ...{ shape: visit, account: ACCOUNT, anchors: undefined, filters: [filter] },
              ...{ limit: 7, order: { ...order, from: undefined } },
            };
            const giveWay = undefined;
            for (const bytes of [undefined, 900]) {
              const reading = { rows, callOf: listCall, giveWay, ahead: 14_000 };
              const found = await inSlices<RecordRow>({ ...list, bytes }, reading);
              const expected = await rows(listCall({ ...list, bytes }));
              const said = JSON.stringify([filter, order, bytes]);
              assert.deepEqual(pluck(found, 0).slice(0, expected.length), pluck(expected, 0), said);
              if (bytes === undefined) assert.equal(found.length, expected.length, said);
            }
          }
        }
      });

      it('is read where the server has ended the statement for the whole', async () => {
        const store = await openStore({ url, shapes, create: false, serve: true });
        await client.query('BEGIN; LOCK TABLE "visit ""order""" IN ACCESS EXCLUSIVE MODE');
        let gaveWay = 0;
        const listing = store.list({
          ...{ shape: visit, scope: within(ACCOUNT), order: 'newest', limit: 3 },
          where: [{ by: 'inserted_at', is: '<=', value: 2 * HOUR_MS }],
          async giveWay() {
            gaveWay += 1;
            if (gaveWay === 1) await client.query('ROLLBACK');
          },
        });
        const page = await listing;
        await store.close();
        assert.deepEqual(pluck(page.records, 'unique_identifier'), ['vis_2', 'vis_1']);
        assert.equal(page.more, false);
        assert.ok(gaveWay > 1, `${gaveWay} times`);
      });
    });
  }
});
