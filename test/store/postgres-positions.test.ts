/** The positions of commits in PostgreSQL: whoever has read up to one has seen everything up to it, whoever else writes. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from 'pg';
import type { Store } from '../../src/store/promises/store.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { opened } from '../support/opened.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { shapes } from '../support/store-shapes.ts';
import { newAccount, outcomesOf, placeDraft, remove, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { isWaitedFor } from '../support/waited-for.ts';
import { wipe } from '../support/wipe.ts';

const WRITERS = 3;
const COMMITS = 60;
const HOUR_MS = 3_600_000;

await onPostgres(({ name, ground }) => {
  describe(`The positions of commits on ${name}`, () => {
    it('are given in the order in which commits are done: one that waits comes behind the one it waits for', async () => {
      const { store, account, open, connect } = await world(ground);
      const slow = await write(store, placeDraft(account, 'slow', {}));
      const holder = await connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM account WHERE account = $1 FOR NO KEY UPDATE', [account]);
      const waiting = write(store, placeDraft(account, 'slow', { title: 'waited' }));
      await until(() => isWaitedFor(holder));
      const last = await holder.query(
        `INSERT INTO commit SELECT account, max(position) + 1, 7, 0 FROM commit
         WHERE account = $1 GROUP BY account RETURNING position`,
        [account],
      );
      await holder.query('COMMIT');
      const [{ position }] = last.rows as [{ position: string }];
      assert.equal((await waiting).position, Number(position) + 1);
      assert.equal((await waiting).version, slow.version + 1);
      const other = await write(await open(), placeDraft(account, 'other', {}));
      assert.equal(other.position, Number(position) + 2);
    });

    it('are kept of the last hour, and the last one for ever', async () => {
      const { store, account, connect } = await world(ground);
      const client = await connect();
      const kept = async () => {
        const text = 'SELECT position FROM commit WHERE account = $1 ORDER BY position';
        const { rows } = await client.query<{ position: string }>(text, [account]);
        return rows.map(({ position }) => Number(position));
      };
      const add = (first: number, last: number, committedAt: number) =>
        client.query(
          'INSERT INTO commit SELECT $1, at, at, $2 FROM generate_series($3::int, $4) AS at',
          [account, committedAt, first, last],
        );
      const left = async (wanted: readonly number[]) => {
        await until(async () => (await kept()).length <= wanted.length);
        assert.deepEqual(await kept(), wanted);
      };
      const made = await kept();
      const next = (made.at(-1) ?? 0) + 1;
      await add(next, 299, 0);
      await add(300, 511, Date.now());
      // Each 512th commit of an account sweeps.
      await write(store, placeDraft(account, 'swept', {}));
      await left([...made, ...from(300, 512)]);
      await add(513, 1023, Date.now() - 2 * HOUR_MS);
      await write(store, placeDraft(account, 'swept again', {}));
      await left([...made, ...from(300, 512), 1024]);
    });

    it('do not wait for what else goes on in the database', async () => {
      const { store, account, connect } = await world(ground);
      const reader = readerOn(await connect(), account);
      await reader();
      const bystander = await connect();
      await bystander.query('CREATE TABLE beside (what text)');
      await bystander.query('BEGIN');
      await bystander.query("INSERT INTO beside VALUES ('long')");
      const made = await write(store, placeDraft(account, 'quick', {}));
      assert.deepEqual(await reader(), [`${made.unique_identifier} 1`]);
      await bystander.query('ROLLBACK');
    });

    it('lead a reader past every commit once, while several processes write', async () => {
      const { store, account, open, connect } = await world(ground);
      const others = await Promise.all(Array.from({ length: WRITERS }, () => open()));
      const reader = readerOn(await connect(), account);
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

    it('are one sequence for drafts, removals, wipes and changes of the account, and survive them', async () => {
      const { store, account, open, connect } = await world(ground);
      const client = await connect();
      const last = async (): Promise<number> => {
        const text =
          'SELECT max(position)::int AS last, count(*)::int FROM commit WHERE account = $1';
        const { rows } = await client.query(text, [account]);
        assert.equal(rows[0].last, rows[0].count, 'without a gap');
        return rows[0].last;
      };
      const before = await last();
      const record = await write(store, placeDraft(account, 'a', {}));
      assert.equal(record.position, before + 1);
      await remove(store, record);
      await store.accounts.close(account);
      await store.accounts.reopen(account);
      await wipe(store, account);
      assert.equal(await last(), before + 5);
      const next = await write(await open(), placeDraft(account, 'a', {}));
      assert.equal(next.position, before + 6);
    });

    it('are given to no commit that changes nothing, and many accounts have their own', async () => {
      const { store, account } = await world(ground);
      const other = await newAccount(store, 'B');
      const drafts = [account, other].map((one) => placeDraft(one, 'a', { title: 'A' }));
      const first = await store.commit(drafts, { atomic: true });
      assert.deepEqual(outcomesOf(first), ['created', 'created']);
      assert.deepEqual(outcomesOf(await store.commit(drafts)), ['unchanged', 'unchanged']);
      for (const one of [account, other]) {
        assert.equal((await write(store, placeDraft(one, 'b', {}))).position, 3);
      }
    });
  });
});

/** A new store with an account, more openings of it, and connections to its database; all gone when the test is over. */
async function world(ground: PostgresCase['ground']) {
  const { url, distribution, remove } = await ground();
  whenOver(remove);
  const open = () => opened({ url, distribution, shapes, create: true, serve: true });
  const connect = () => connected(url);
  const store = await open();
  const unique_identifier = await newAccount(store);
  return { store, account: unique_identifier, open, connect };
}

/** Gives the places with their versions that have come up to the account's last position since it was last called. */
function readerOn(one: Client, account: string): () => Promise<string[]> {
  let read = 0;
  return async () => {
    const text = 'SELECT max(position) AS last FROM commit WHERE account = $1';
    const last = await one.query(text, [account]);
    const next = Number(last.rows[0].last);
    assert.ok(next >= read, 'positions only rise');
    // A snapshot of its own, taken later: nothing may have come below what was read.
    const { rows } = await one.query(
      `SELECT unique_identifier || ' ' || version AS seen FROM place
       WHERE account = $1 AND position > $2 AND position <= $3`,
      [account, read, next],
    );
    read = next;
    return rows.map(({ seen }) => String(seen));
  };
}

function from(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
