/** A process that stands still in the middle of its work holds nobody up for longer than the server's limits. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { readAddress } from '../../src/store/postgres/wire/address.ts';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { cutWire } from '../support/cut-wire.ts';
import { opened } from '../support/opened.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { startWriter } from '../support/store-process.ts';
import { shapes, thing } from '../support/store-shapes.ts';
import { newAccount, placeDraft, thingDraft, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';

const STOPS = 6;

await onPostgres(({ name, ground }) => {
  describe(`A process that stands still on ${name}`, () => {
    it('while it holds an account holds up those who write there for some seconds, and others not at all', async () => {
      const { url, store, account, home } = await world(ground);
      const unique_identifier = await newAccount(store, 'B');
      const stopped = await stoppedSession(url, account);
      await stopped.holds;
      // They are written because the server ends the session: the store itself would refuse them after a while.
      await Promise.all(
        Array.from({ length: 40 }, (_, count) => write(store, thingDraft(home, `${count}`, {}))),
      );
      // One that is not ended holds it for as long as the others take.
      const { holds, release } = await stoppedSession(url, account, 0);
      await holds;
      let isWritten = false;
      const wrote = () => {
        isWritten = true;
      };
      const held = write(store, thingDraft(home, 'held', {})).then(wrote, () => undefined);
      for (let count = 0; count < 10; count++)
        await write(store, placeDraft(unique_identifier, `${count}`, {}));
      assert.ok(!isWritten, 'it is held up');
      await release();
      await held;
    });

    it('behind another stopped one causes no refusal of requests that wait behind both', async () => {
      const { url, store, account, home } = await world(ground);
      await (await stoppedSession(url, account)).holds;
      const second = await stoppedSession(url, account);
      await until(second.waits);
      await write(store, thingDraft(home, 'one', {}));
      await second.holds;
    });

    it('while it sends a commit blocks no others, and commits when it continues', async () => {
      const { url, distribution, store, account } = await world(ground);
      const wire = await cutWire(Number(new URL(url).port));
      const throughWire = new URL(url);
      throughWire.port = String(wire.port);
      const options = { distribution, shapes, create: false, serve: true };
      const stopped = await opened({ ...options, url: throughWire.href });
      await write(stopped, placeDraft(account, 'before', {}));
      wire.stallAt('of which half is sent');
      const half = write(stopped, placeDraft(account, 'half', { title: 'of which half is sent' }));
      await until(() => wire.isStalled);
      await write(store, placeDraft(account, 'other', {}));
      assert.equal((await half).external_identifier, 'half');
    });

    it('at any moment lets others go on, and loses nothing when it goes on itself', async () => {
      const { url, distribution, store, account, home } = await world(ground);
      const names = ['a', 'b'];
      // With receipts its commits wait for their turn, and hold the account while it merges.
      const task = {
        url,
        distribution,
        home,
        names,
        receipts: true,
        writer: 'stopped',
        batches: 150,
      };
      const writer = await startWriter(task);
      writer.begin();
      for (let stop = 1; stop <= STOPS; stop++) {
        await writer.reported(stop * 20);
        await pause(Math.random() * 10);
        writer.stop();
        const extra = { [`other ${stop}`]: 1 };
        await write(store, thingDraft(home, 'a', { extra }));
        writer.go();
      }
      await writer.done();
      for (const external_identifier of names) {
        const pair = { account, parent: home.unique_identifier, external_identifier };
        const record = await store.findPair(thing, pair);
        const { extra } = JSON.parse(record?.document ?? '{}');
        const others = external_identifier === 'a' ? STOPS : 0;
        assert.equal(Object.keys(extra).length, task.batches + others);
        assert.equal(record?.version, task.batches + others);
      }
    });
  });
});

/** As one of our own sessions that locks an account and does nothing more. */
async function stoppedSession(url: string, account: string, idleMs?: number) {
  const [{ config } = {}] = readAddress(url).servers;
  const idle_in_transaction_session_timeout = idleMs ?? config?.idle_in_transaction_session_timeout;
  const client = new Client({ connectionString: url, idle_in_transaction_session_timeout });
  await client.connect();
  const [{ pid }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows;
  whenOver(() => client.end().catch(() => undefined));
  client.on('error', () => undefined);
  await client.query('BEGIN');
  const lock = 'SELECT FROM account WHERE account = $1 FOR NO KEY UPDATE';
  const waiting = `SELECT FROM pg_stat_activity WHERE pid = ${pid} AND wait_event_type = 'Lock'`;
  let hasHeld = false;
  const holds = client.query(lock, [account]).then(() => {
    hasHeld = true;
  });
  return {
    holds,
    /** Whether it waits for another, or has done so. */
    waits: async () => hasHeld || (await ask(url, waiting)).length > 0,
    release: () => client.query('COMMIT'),
  };
}

async function world(ground: PostgresCase['ground']) {
  const { url, distribution } = await ground();
  const store = await opened({ url, distribution, shapes, create: true, serve: true });
  const account = await newAccount(store, 'A');
  const home = await write(store, placeDraft(account, 'home', {}));
  return { url, distribution, store, account, home };
}
