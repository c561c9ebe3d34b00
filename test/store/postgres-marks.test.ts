/** Marks of PostgreSQL's commits: not in the order of the commits, but whoever reads from one horizon to the next misses nothing. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Client } from 'pg';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { shapes } from '../support/store-shapes.ts';
import { placeDraft, write } from '../support/store-world.ts';

const WRITERS = 3;
const COMMITS = 60;

await onPostgres(({ name, ground }) => {
  describe(`The marks of commits on ${name}`, () => {
    it('of transactions that overlap are all below a horizon only when all of them have ended', async (test) => {
      const { store, account, connect } = await world(test, ground);
      const slow = await write(store, placeDraft(account, 'slow', {}));
      const reader = readerOn(await connect());
      await reader();

      const other = await connect();
      await other.query('BEGIN');
      await other.query(
        'UPDATE place SET mark = pg_current_xact_id(), version = version + 1 WHERE unique_identifier = $1',
        [slow.unique_identifier],
      );
      const quick = await write(store, placeDraft(account, 'quick', {}));
      assert.deepEqual(await reader(), [], 'another one with a smaller mark may still come');
      await other.query('COMMIT');

      const names = [`${slow.unique_identifier} 2`, `${quick.unique_identifier} 1`];
      assert.deepEqual((await reader()).sort(), names.sort());
      assert.deepEqual(await reader(), []);
    });

    it('lead a reader past every commit once, while several processes write', async (test) => {
      const { store, account, open, connect } = await world(test, ground);
      const others = await Promise.all(Array.from({ length: WRITERS }, () => open()));
      const reader = readerOn(await connect());
      const seen = await reader();
      const made: string[] = [];
      let writing = WRITERS;
      const work = async (one: Store, writer: number): Promise<void> => {
        for (let count = 0; count < COMMITS; count++) {
          const record = await write(one, placeDraft(account, `${writer} ${count}`, {}));
          made.push(`${record.unique_identifier} 1`);
        }
        writing -= 1;
      };
      const written = Promise.all(others.map(work));
      while (writing > 0) seen.push(...(await reader()));
      await written;
      await write(store, placeDraft(account, 'last', {}));
      seen.push(...(await reader()));
      const ours = new Set(made);
      assert.deepEqual(seen.filter((one) => ours.has(one)).sort(), made.sort());
    });
  });
});

/** A new store with an account, more openings of it, and connections to its database; all gone when the test is over. */
async function world(test: TestContext, ground: PostgresCase['ground']) {
  const { url, remove } = await ground();
  const ends: (() => Promise<void>)[] = [remove];
  test.after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  const open = async (): Promise<Store> => {
    const store = await openStore({ url, shapes, create: true, serve: true });
    ends.push(() => store.close());
    return store;
  };
  const connect = async (): Promise<Client> => {
    const client = new Client(url);
    await client.connect();
    ends.push(() => client.end());
    return client;
  };
  const store = await open();
  const { unique_identifier } = await store.accounts.create({ name: 'A', livemode: false });
  return { store, account: unique_identifier, open, connect };
}

/** Gives the places with their versions that have come below the horizon since it was last called. */
function readerOn(one: Client): () => Promise<string[]> {
  let horizon = '0';
  return async () => {
    const { rows } = await one.query(
      `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
         array(SELECT unique_identifier || ' ' || version FROM place
           WHERE mark >= $1::text::xid8 AND mark < pg_snapshot_xmin(pg_current_snapshot())) AS seen`,
      [horizon],
    );
    const [{ horizon: next, seen }] = rows as [{ horizon: string; seen: string[] }];
    assert.ok(BigInt(next) >= BigInt(horizon), 'a horizon only rises');
    horizon = next;
    return seen;
  };
}
