/** The numbers of records in a SQLite store: in the order of unique identifiers, and given once. */

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { pagesOf } from '../../src/store/pages.ts';
import type { ListQuery, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { opened } from '../support/opened.ts';
import { shapes, thing } from '../support/store-shapes.ts';
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
