/** The schema of a SQLite store, and the numbers of its records: in the order of unique identifiers. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { describeSchema } from '../../scripts/reference/sqlite-schema.ts';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import { FIXED_TABLES, tableName } from '../../src/store/names.ts';
import { openStore } from '../../src/store/open.ts';
import { pagesOf } from '../../src/store/pages.ts';
import type { ListQuery, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { ask } from '../support/ask.ts';
import { opened } from '../support/opened.ts';
import { pendingSteps } from '../support/pending.ts';
import { pluck } from '../support/pluck.ts';
import { place, shapes, thing } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  newAccount,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

const keyless = shapes.map((shape): RecordShape => ({ ...shape, keys: [] }));

/** The statements that would make it. */
async function statementsOf(url: string): Promise<string> {
  const kept = await ask(url, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL');
  return kept.map(({ sql }) => `${sql};\n`).join('\n');
}
/** Their lines, in whatever order. */
const schemaOf = async (url: string) => new Set((await statementsOf(url)).split('\n'));

async function titles(store: Store, account: string) {
  const query = { shape: place, scope: within(account), order: { key: 'title' }, limit: 100 };
  return pluck((await store.list(query)).records, 'external_identifier');
}

describe('The schema of a SQLite store', () => {
  it('is what describeSchema says', async () => {
    const { url } = await sqliteGround();
    await (await openStore({ url, shapes, create: true, serve: false })).close();
    assert.equal(describeSchema(shapes), await statementsOf(url));
  });

  it('has no table whose name a resource could take', async () => {
    const { url } = await sqliteGround();
    await (await openStore({ url, shapes, create: true, serve: false })).close();
    const tables = `SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`;
    const names = new Set(pluck(await ask(url, tables), 'name'));
    const ours = new Set([...shapes.map(tableName), ...FIXED_TABLES.sqlite]);
    assert.deepEqual(names.symmetricDifference(ours), new Set());
    for (const resource of ['counter', 'search_term', 'staff'])
      assert.throws(() => tableName({ ...place, resource }), TypeError);
  });

  it('is told before it is changed, and then changed once', async () => {
    const { url } = await sqliteGround();
    const all = await pendingSteps({ url, shapes });
    assert.deepEqual(all, [
      'migration 1.0.0_fixed.sql',
      'migration 1.0.1_field.sql',
      'migration 1.1.0_receipts.sql',
      `tables ${ownTables.map(({ table }) => table).join(', ')}`,
      'declared key name of account',
      'table place',
      'declared key title of place',
      'table thing',
      'table visit "order"',
      'declared key person of visit "order"',
      'declared key phone of visit "order"',
      'declared key welcome of visit "order"',
    ]);
    await (await openStore({ url, shapes, create: true, serve: false })).close();
    assert.deepEqual(await pendingSteps({ url, shapes }), []);
  });

  it('gets the indexes that are missing or were made otherwise', async () => {
    const { url } = await sqliteGround();
    let store = await openStore({ url, shapes, create: true, serve: false });
    const account = await newAccount(store, 'A', true);
    await store.commit(['b', 'a'].map((title) => placeDraft(account, title, { title })));
    await store.close();
    const old = new DatabaseSync(url.slice('sqlite:'.length));
    old.exec(`DROP INDEX place_inserted_at; DROP INDEX place_identity; DROP INDEX place_key_title;
      CREATE UNIQUE INDEX place_identity ON place (account, parent, external_identifier);
      CREATE INDEX place_key_title ON place (account, key_title, unique_identifier);
      UPDATE place SET key_title = 'old'`);
    old.close();
    assert.deepEqual(await pendingSteps({ url, shapes }), [
      'index place_identity',
      'index place_inserted_at',
      'declared key title of place',
    ]);
    store = await openStore({ url, shapes, create: false, serve: false });
    assert.deepEqual(await titles(store, account), ['a', 'b']);
    await store.close();
    assert.deepEqual(await schemaOf(url), new Set(describeSchema(shapes).split('\n')));
  });

  it('is brought up to date in one transaction: where that fails, the store stays as it was', async () => {
    const { url } = await sqliteGround();
    const some = keyless.slice(0, 2);
    await (await openStore({ url, shapes: some, create: true, serve: false })).close();
    // In the way of a table, after the declared keys of the one before it.
    await ask(url, 'CREATE VIEW thing AS SELECT 1');
    const before = await schemaOf(url);
    await assert.rejects(openStore({ url, shapes, create: false, serve: false }));
    assert.deepEqual(await schemaOf(url), before);
    await ask(url, 'DROP VIEW thing');
    await (await openStore({ url, shapes, create: false, serve: false })).close();
    assert.deepEqual(await pendingSteps({ url, shapes }), []);
  });

  it('belongs to one root and to resources that are not called like its own tables', async () => {
    const { url } = await sqliteGround();
    const stolen = { ...place, resource: 'api_key' };
    const open = (those: readonly RecordShape[]) =>
      openStore({ url, shapes: those, create: true, serve: true });
    await assert.rejects(open([...shapes, stolen]), TypeError);
    await assert.rejects(open([place]), TypeError);
    await assert.rejects(open([]), TypeError);
    await (await open(shapes)).close();
  });
});

const NOON = 1_800_000_000_000;

async function setUp() {
  const ground = await sqliteGround();
  const open = async (now: () => number, serve = false) => {
    const store = await opened({ ...ground, shapes, now, create: true, serve });
    return store;
  };
  return { ...ground, open };
}

function numbersOf(path: string, table: string): { number: number; unique_identifier: string }[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(`SELECT number, unique_identifier FROM ${table} ORDER BY number`);
  const all = rows.all().map(({ number, unique_identifier }) => ({
    number: Number(number),
    unique_identifier: String(unique_identifier),
  }));
  database.close();
  return all;
}

/** Every page of a list, one after the other. */
async function all(store: Store, query: Omit<ListQuery, 'limit'>): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const page of pagesOf(store, { ...query, limit: 7 })) records.push(...page.records);
  return records;
}

describe('Records of a SQLite store are numbered in the order of their unique identifiers', () => {
  it('by whichever process, and whatever its clock says', async () => {
    const { open, path } = await setUp();
    const ahead = await open(() => NOON + 3_600_000, true);
    const behind = await open(() => NOON);
    const still = await open(() => NOON);
    const account = await newAccount(ahead, 'A', true);
    const home = await write(ahead, placeDraft(account, 'home', {}));
    for (let round = 0; round < 20; round++) {
      for (const store of [ahead, behind, still, behind]) {
        await store.commit(
          Array.from({ length: 5 }, (_, index) =>
            thingDraft(home, `${round} ${index} ${Math.random()}`, {}),
          ),
        );
      }
      await behind.accounts.create({ name: `${round}`, livemode: true });
    }
    for (const table of ['account', 'thing']) {
      const rows = numbersOf(path, table);
      assert.ok(rows.length > 20);
      const sorted = rows.map((row) => row.unique_identifier).sort();
      assert.deepEqual(
        rows.map((row) => row.unique_identifier),
        sorted,
      );
    }
    const query = { shape: thing, scope: within(account), order: 'newest' } as const;
    const walked = await all(behind, query);
    const below = { by: 'parent', is: '=', value: home.unique_identifier } as const;
    const since = { by: 'updated_at', is: '>=', value: NOON } as const;
    assert.equal(walked.length, 400);
    assert.deepEqual(await all(behind, { ...query, where: [below] }), walked);
    assert.deepEqual(await all(behind, { ...query, where: [since] }), walked);
  });

  it('with numbers that are given once, also when the newest records are removed', async () => {
    const { open, path } = await setUp();
    const store = await open(() => NOON, true);
    const account = await newAccount(store, 'A', true);
    const home = await write(store, placeDraft(account, 'home', {}));
    const given = new Set<number>();
    for (let round = 0; round < 5; round++) {
      const made = await write(store, thingDraft(home, 'a', {}));
      await write(store, visitDraft(made, 'b', {}));
      const rows = ['thing', '"visit ""order"""'].flatMap((table) => numbersOf(path, table));
      for (const { number } of rows.slice(0, 1)) {
        assert.ok(!given.has(number));
        given.add(number);
      }
      // The visit's row may stay for a while: it is not in the way of another thing's.
      await remove(store, made);
    }
  });
});
