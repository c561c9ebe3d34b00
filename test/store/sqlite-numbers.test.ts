/** The numbers of records in a SQLite store: in the order of unique identifiers, given once, and given to older stores, too. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import type { RecordShape } from '../../src/schema/shape.ts';
import { openStore, pendingMigrations } from '../../src/store/open.ts';
import type { ListQuery, Store, StoredRecord } from '../../src/store/store.ts';
import { place, shapes, thing, visit } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { asBefore } from '../support/store-sqlite-before.ts';
import {
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

const NOON = 1_800_000_000_000;

async function setUp(test: TestContext) {
  const ground = await sqliteGround(test);
  const open = async (now: () => number, serve = false) => {
    const store = await openStore({ ...ground, shapes, now, create: true, serve });
    test.after(() => store.close());
    return store;
  };
  return { ...ground, open };
}

/** The same with a store of before, in which there are two things at one place. */
async function setUpBefore(test: TestContext) {
  const ground = await setUp(test);
  const store = await ground.open(() => NOON);
  const { unique_identifier: account } = await store.accounts.create({ name: 'A', livemode: true });
  const home = await write(store, placeDraft(account, 'home', { title: 'T' }));
  for (const name of ['a', 'b']) await write(store, thingDraft(home, name, {}));
  await store.close();
  asBefore(ground.path, shapes);
  return { ...ground, account, home };
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
  for (;;) {
    const last = records.at(-1)?.unique_identifier;
    const cursor =
      last === undefined ? {} : { cursor: { side: 'after', unique_identifier: last } as const };
    const page = await store.list({ ...query, ...cursor, limit: 7 });
    records.push(...(page?.records ?? []));
    if (page?.more !== true) return records;
  }
}

describe('Records of a SQLite store are numbered in the order of their unique identifiers', () => {
  it('by whichever process, and whatever its clock says', async (test) => {
    const { open, path } = await setUp(test);
    const ahead = await open(() => NOON + 3_600_000, true);
    const behind = await open(() => NOON);
    const still = await open(() => NOON);
    const { unique_identifier: account } = await ahead.accounts.create({
      name: 'A',
      livemode: true,
    });
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

  it('with numbers that are given once, also when the newest records are removed', async (test) => {
    const { open, path } = await setUp(test);
    const store = await open(() => NOON, true);
    const { unique_identifier: account } = await store.accounts.create({
      name: 'A',
      livemode: true,
    });
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
      await remove(store, thing, made);
    }
  });

  it('where they were made before there were numbers', async (test) => {
    const { open, path, url } = await setUp(test);
    let store = await open(() => NOON);
    const one = await store.accounts.create({ name: 'One', livemode: true });
    const two = await store.accounts.create({ name: 'Two', livemode: false });
    const records = new Map<RecordShape, StoredRecord[]>([
      [place, []],
      [thing, []],
      [visit, []],
    ]);
    for (let round = 0; round < 30; round++) {
      const { unique_identifier: account } = round % 2 === 0 ? one : two;
      const home = await write(store, placeDraft(account, `${round}`, { title: `T ${round % 4}` }));
      const made = await write(store, thingDraft(home, 'a', { label: '1' }));
      const person = { name: `N ${round % 3}`, phone: `${round % 5}` };
      const seen = await write(store, visitDraft(made, 'b', { person }));
      const unphoned = await write(store, visitDraft(made, 'c', {}));
      records.get(place)?.push(home);
      records.get(thing)?.push(made);
      records.get(visit)?.push(seen, unphoned);
    }
    const [gone] = records.get(thing) as [StoredRecord];
    const lists = (shape: RecordShape, account: string): Omit<ListQuery, 'limit'>[] => [
      { shape, scope: within(account), order: 'newest' },
      ...shape.keys.flatMap(({ name, for: use }): Omit<ListQuery, 'limit'>[] => [
        {
          shape,
          scope: within(account),
          order: use === 'order' ? { key: name } : 'newest',
          where: [{ by: { key: name }, is: '>=', value: '' }],
        },
      ]),
    ];
    const everything = async () => {
      const found = [];
      for (const shape of [place, thing, visit]) {
        for (const { unique_identifier } of [one, two]) {
          for (const query of lists(shape, unique_identifier)) {
            found.push(
              (await all(store, query)).filter(
                (each) =>
                  each.parent !== gone.unique_identifier &&
                  each.unique_identifier !== gone.unique_identifier,
              ),
            );
          }
        }
      }
      return found;
    };
    const before = await everything();
    await store.close();
    asBefore(path, shapes);
    // A thing that was removed, with visits that wait to be swept away.
    const old = new DatabaseSync(path);
    old.prepare('DELETE FROM thing WHERE unique_identifier = ?').run(gone.unique_identifier);
    old
      .prepare("INSERT INTO removed_parent VALUES (?1, ?2, 'thing', ?1)")
      .run(gone.unique_identifier, gone.account);
    const counter = old.prepare('SELECT value FROM commit_counter').get();
    old.close();

    assert.deepEqual(await pendingMigrations({ url, shapes }), [
      'migration 0004_numbers.sql',
      'declared key name of account',
      'numbers in table place',
      'numbers in table thing',
      'numbers in table visit "order"',
    ]);
    store = await open(() => NOON);
    assert.deepEqual(await pendingMigrations({ url, shapes }), []);
    assert.deepEqual(await everything(), before);
    assert.deepEqual(
      (await store.accounts.list()).map(({ name }) => name),
      ['One', 'Two'],
    );
    const visits = numbersOf(path, '"visit ""order"""');
    assert.equal(visits.length, 58, 'what waited to be swept away is gone');
    const numbers = ['account', 'place', 'thing', '"visit ""order"""'].flatMap((table) => {
      const rows = numbersOf(path, table);
      const identifiers = rows.map(({ unique_identifier }) => unique_identifier);
      assert.deepEqual(identifiers, [...identifiers].sort());
      return rows.map(({ number }) => number);
    });
    assert.equal(new Set(numbers).size, numbers.length);

    const known = records.get(visit)?.[2] as StoredRecord;
    const above = records.get(thing)?.[1] as StoredRecord;
    const [outcome] = await store.commit([visitDraft(above, 'b', { person: { phone: '99' } })]);
    assert.ok(outcome?.outcome === 'updated');
    assert.equal(outcome.record.unique_identifier, known.unique_identifier);
    assert.equal(outcome.record.mark, Number(counter?.value) + 1);
    const fresh = await write(store, visitDraft(above, 'd', {}));
    const after = numbersOf(path, '"visit ""order"""').at(-1);
    assert.equal(after?.unique_identifier, fresh.unique_identifier);
    assert.ok((after?.number ?? 0) > Math.max(...numbers));
    await store.close();
    const database = new DatabaseSync(path);
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    database.close();
  });

  it('or the store is not opened: a record that belongs to none that is there is not left behind unseen', async (test) => {
    const { open, path, url } = await setUpBefore(test);
    const old = new DatabaseSync(path);
    old.exec("UPDATE thing SET parent = 'plc_none' WHERE external_identifier = 'b'");
    old.close();
    await assert.rejects(
      open(() => NOON),
      { name: 'StoreUnusable', message: /1 of its records of thing belong to none that is there/ },
    );
    assert.ok((await pendingMigrations({ url, shapes })).includes('numbers in table thing'));
    const after = new DatabaseSync(path, { readOnly: true });
    assert.equal(after.prepare('SELECT count(*) AS count FROM thing').get()?.count, 2);
    after.close();
  });

  it('in one transaction: a store that cannot be brought up to date stays as it was', async (test) => {
    const { open, path, url, account, home } = await setUpBefore(test);
    const schema = () => {
      const database = new DatabaseSync(path, { readOnly: true });
      const found = database.prepare('SELECT sql FROM sqlite_schema').all();
      const version = database.prepare('PRAGMA user_version').get();
      database.close();
      return JSON.stringify([found, version]);
    };
    // In the way of the second table that is copied.
    const old = new DatabaseSync(path);
    old.exec('CREATE TABLE "thing before" (a)');
    const before = schema();
    await assert.rejects(open(() => NOON));
    assert.equal(schema(), before);
    old.exec('DROP TABLE "thing before"');
    old.close();
    const store = await open(() => NOON);
    const found = await store.find(place, home.unique_identifier, within(account));
    assert.deepEqual(found, home);
    assert.deepEqual(await pendingMigrations({ url, shapes }), []);
  });
});
