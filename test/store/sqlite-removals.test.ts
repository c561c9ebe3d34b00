/** What a removal does to a SQLite file: one small commit, and then all that was below goes from it, too. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import type { Store, StoredRecord } from '../../src/store/promises/store.ts';
import { shapes, thing } from '../support/store-shapes.ts';
import { type SqliteGround, sqliteGround } from '../support/store-sqlite.ts';
import { placeDraft, remove, thingDraft, visitDraft, write } from '../support/store-world.ts';

/** More than are swept before this process may look again. */
const CHILDREN = 5_000;

interface World {
  readonly ground: SqliteGround;
  readonly home: StoredRecord;
  /** Has very many visits. */
  readonly made: StoredRecord;
}

async function setUp(test: TestContext, store: Store, ground: SqliteGround): Promise<World> {
  test.after(() => store.close());
  const { unique_identifier } = await store.accounts.create({ name: 'A', livemode: true });
  const home = await write(store, placeDraft(unique_identifier, 'home', {}));
  const made = await write(store, thingDraft(home, 'a', {}));
  const person = { name: 'x'.repeat(300), phone: '1' };
  await store.commit(
    Array.from({ length: CHILDREN }, (_, i) => ({
      ...visitDraft(made, `${i}`, { person }),
      receipt: {
        owner: 'key_one',
        accounts: [unique_identifier],
        idempotency_key: `${i}`,
        fingerprint: new Uint8Array(32),
        expires_at: Date.now() + 3_600_000,
      },
    })),
  );
  return { ground, home, made };
}

/** How many rows the file holds of visits and of what they were answered as, and of what is to be swept. */
function rowsLeft(path: string): { visits: number; answered: number; parents: number } {
  const file = new DatabaseSync(path, { readOnly: true });
  const count = (table: string) =>
    Number(file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  const left = {
    visits: count('"visit ""order"""'),
    answered: count('answered'),
    parents: count('removed_parent'),
  };
  file.close();
  return left;
}

async function nothingLeft(path: string): Promise<void> {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    const { visits, answered, parents } = rowsLeft(path);
    if (visits === 0 && answered === 0 && parents === 0) return;
    await pause(20);
  }
  assert.fail(`${JSON.stringify(rowsLeft(path))} are left.`);
}

describe('A removal from a SQLite store', () => {
  it('commits few rows, and the rows below go from the file after that', async (test) => {
    const ground = await sqliteGround(test);
    const store = await openStore({ ...ground, shapes, create: true, serve: true });
    const { made, home } = await setUp(test, store, ground);
    assert.equal((await remove(store, thing, made)).below, CHILDREN);
    assert.ok(rowsLeft(ground.path).visits > 0, 'others need not wait for those');
    // Others write meanwhile.
    for (let i = 0; i < 50; i++) await write(store, thingDraft(home, `meanwhile ${i}`, {}));
    await nothingLeft(ground.path);
  });

  it('is finished by the next process that serves the store', async (test) => {
    const ground = await sqliteGround(test);
    const first = await openStore({ ...ground, shapes, create: true, serve: false });
    const { made } = await setUp(test, first, ground);
    await remove(first, thing, made);
    await first.close();
    assert.ok(rowsLeft(ground.path).parents > 0);
    const next = await openStore({ ...ground, shapes, create: false, serve: true });
    test.after(() => next.close());
    await nothingLeft(ground.path);
  });
});
