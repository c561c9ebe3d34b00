/** No work on records reads more than it has to: of tables that are full, every statement reads a few pages. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import type { RecordShape } from '../../src/schema/shape.ts';
import { openStore } from '../../src/store/open.ts';
import { readAddress } from '../../src/store/postgres/address.ts';
import { type Call, call } from '../../src/store/postgres/session.ts';
import * as commits from '../../src/store/postgres/statements/commits.ts';
import { type ListFilter, listCall } from '../../src/store/postgres/statements/lists.ts';
import { draftStatements, recordStatements } from '../../src/store/postgres/statements/records.ts';
import { numberArray, textArray } from '../../src/store/postgres/values.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { owner, place, shapes, thing, visit } from '../support/store-shapes.ts';
import type { Ground } from '../support/store-world.ts';

const ROWS = 30_000;
const ACCOUNT = 'own_1';
const HOUR_MS = 3_600_000;
/** A list of 20 and its way down an index; a whole table has more than a thousand, and an index hundreds. */
const MOST_PAGES = 40;

interface Node {
  readonly 'Node Type': string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

await onPostgres(({ name, ground }) => {
  describe(`Of full tables on ${name} few pages are read`, () => {
    let given: Ground;
    let client: Client;
    before(async () => {
      given = await ground();
      await (await openStore({ url: given.url, shapes, create: true, serve: true })).close();
      // Its settings decide upon plans, too.
      client = new Client({
        ...readAddress(given.url).config,
        pipeline: false,
        statement_timeout: 0,
      });
      await client.connect();
      await fill(client);
    });
    after(async () => {
      await client.end();
      await given.remove();
    });

    const wantFewPages = async (
      { statement, values }: Call<readonly unknown[]>,
      most = MOST_PAGES,
    ): Promise<void> => {
      await client.query('BEGIN');
      const { rows } = await client.query({
        text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
        values: [...values],
      });
      await client.query('ROLLBACK');
      const [plans] = Object.values(rows[0] as object);
      const [{ Plan }] = (typeof plans === 'string' ? JSON.parse(plans) : plans) as [
        { Plan: Node },
      ];
      const words = JSON.stringify(Plan);
      assert.doesNotMatch(words, /"Seq Scan"/, statement.text);
      const pages = Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
      assert.ok(pages <= most, `${pages} pages: ${statement.text} ${words}`);
    };

    const texts = (...values: string[]) => textArray(values);
    const some = (prefix: string) => texts(`${prefix}100`, `${prefix}29000`, `${prefix}none`);
    const both = (number: number) => numberArray([number, number]);

    it('to lock an account, to number its commits, and to settle and sweep them', async () => {
      await wantFewPages(call(commits.lock, ACCOUNT));
      await wantFewPages(call(commits.append, ACCOUNT, '-7', 0));
      await wantFewPages(call(commits.find, ACCOUNT, '100'));
      await wantFewPages(call(commits.sweep, ACCOUNT, 10, 1, 5), 2 * MOST_PAGES);
    });

    for (const shape of [place, visit]) {
      const parent = shape === place ? ACCOUNT : 'thg_7';
      const parentShape = shape === place ? owner : thing;
      const statements = draftStatements(shape, parentShape);

      it(`to find records of ${shape.resource}`, async () => {
        const { find, findAmong, standing } = recordStatements(shape);
        const { findPairs, findPair, versions } = statements;
        await wantFewPages(call(find, some(shape.prefix), ACCOUNT, null));
        await wantFewPages(call(findAmong, some(shape.prefix), texts(ACCOUNT, 'own_2'), null));
        await wantFewPages(call(find, some(shape.prefix), ACCOUNT, texts('plc_1', 'plc_2')));
        await wantFewPages(call(standing, ACCOUNT, some(shape.prefix)));
        await wantFewPages(
          call(
            findPairs,
            ACCOUNT,
            texts(parent, parent, parent),
            texts('name 7', 'name 107', 'no'),
          ),
        );
        await wantFewPages(call(findPair, ACCOUNT, parent, 'name 107'));
        await wantFewPages(call(versions, ACCOUNT, some(shape.prefix)));
      });

      it(`to write records of ${shape.resource}`, async () => {
        const { change, make } = statements;
        const keys = shape.keys.map(() => texts('a', 'b'));
        const now = ROWS * HOUR_MS;
        const changed = texts(`${shape.prefix}107`, `${shape.prefix}108`);
        const made = texts(`${shape.prefix}new`, `${shape.prefix}newer`);
        const documents = texts('{}', '{}');
        // Two rows, with all their indexes.
        await wantFewPages(
          call(change, ACCOUNT, '7', now, changed, both(1), both(2), documents, ...keys),
          2 * MOST_PAGES,
        );
        const names = texts('name new', 'name newer');
        const own = [texts(parent, parent), made, names, both(1), documents];
        await wantFewPages(call(make, ACCOUNT, '7', now, ...own, ...keys), 2 * MOST_PAGES);
      });

      it(`to remove records of ${shape.resource}`, async () => {
        const { find, under, remove } = statements;
        await wantFewPages(call(find, ACCOUNT, `${shape.prefix}100`));
        await wantFewPages(call(under, ACCOUNT, texts(parent), 20));
        await wantFewPages(call(remove, ACCOUNT, some(shape.prefix)));
      });
    }

    for (const [words, shape, filter] of filters()) {
      it(`to list records of ${shape.resource} ${words}`, async () => {
        const filters_ = filter === undefined ? [] : [filter];
        const where = { shape, account: ACCOUNT, anchors: undefined };
        const keys = [undefined, ...shape.keys.filter((key) => key.for === 'order')];
        for (const key of filter === undefined ? keys : [undefined]) {
          for (const from of [undefined, { key: 'b', unique_identifier: `${shape.prefix}20000` }]) {
            const order = { key, ascending: key !== undefined, from };
            await wantFewPages(listCall({ ...where, order, filters: filters_, limit: 20 }));
          }
        }
      });
    }
  });
});

function filters(): [words: string, shape: RecordShape, filter: ListFilter | undefined][] {
  const phone = visit.keys.find((key) => key.name === 'phone');
  const person = visit.keys.find((key) => key.name === 'person');
  assert.ok(phone !== undefined && person !== undefined);
  const last = ROWS * HOUR_MS;
  return [
    ['page by page', place, undefined],
    ['page by page', visit, undefined],
    ['below a parent', visit, { by: 'parent', is: '=', value: 'thg_7' }],
    ['by an external identifier', visit, { by: 'external_identifier', is: '=', value: 'name 107' }],
    ['by a key', visit, { by: phone, is: '=', value: '+107' }],
    ['by the end of a key', visit, { by: person, is: '>', value: 'person 9999' }],
    ['changed since', visit, { by: 'updated_at', is: '>=', value: last - 10 * HOUR_MS }],
    ['made since', visit, { by: 'inserted_at', is: '>', value: last - 10 * HOUR_MS }],
  ];
}

/** As many places and visits, each changed in an hour of its own, a hundred visits below each of some things. */
async function fill(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO account (account, unique_identifier, document, version, position, inserted_at, updated_at, livemode, key_name)
     VALUES ($1, $1, '{}', 1, 1, 0, 0, false, '')`,
    [ACCOUNT],
  );
  await client.query(
    'INSERT INTO commit SELECT $1, at, at, 0 FROM generate_series(1, $2::int) AS at',
    [ACCOUNT, ROWS],
  );
  const common = `document, version, position, inserted_at, updated_at, updated_hour`;
  const values = `repeat('x', 300), 1, 1, at * ${HOUR_MS}::bigint, at * ${HOUR_MS}::bigint, at`;
  await client.query(
    `INSERT INTO place (account, unique_identifier, parent, anchor, external_identifier, ${common}, key_title)
     SELECT $1, 'plc_' || at, $1, 'plc_' || at, 'name ' || at, ${values}, 'title ' || at
     FROM generate_series(1, ${ROWS}) AS at`,
    [ACCOUNT],
  );
  await client.query(
    `INSERT INTO "visit ""order""" (account, unique_identifier, parent, anchor, external_identifier, ${common}, key_person, key_phone)
     SELECT $1, 'vis_' || at, 'thg_' || at % ${ROWS / 100}, 'plc_1', 'name ' || at, ${values}, 'person ' || at, '+' || at
     FROM generate_series(1, ${ROWS}) AS at`,
    [ACCOUNT],
  );
  await client.query('VACUUM ANALYZE');
}
