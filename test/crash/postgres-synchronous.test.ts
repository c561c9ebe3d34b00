/** Where the server is to wait for a standby, nothing is answered as stored that the standby may not have. */
// needs: --all, program, waits

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import { type Shared, sharedDatabase, wantReady } from '../support/cli-postgres.ts';
import { call, startProcess } from '../support/cli-service.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { waitFor } from '../support/standby-waits.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';
import { LONG_MS, until } from '../support/until.ts';

await onOwnPostgres((server) => {
  describe('A service whose server waits for a standby', () => {
    it('that is missing answers 503 to all that would say that something is stored', async () => {
      const shared = await sharedDatabase(server.url);
      const known = arrangement(shared.location, 'known', { a: 1 });
      const made = arrangement(shared.location, 'made');
      const whole = [arrangement(shared.location, 'one'), arrangement(shared.location, 'two')];
      assert.equal((await send(shared, known, 'key-known')).status, 200);
      const refused = async (): Promise<void> => {
        await wantReady(shared.service, false);
        for (const [body, key, query] of [
          [made, undefined, ''],
          [made, 'key-made', ''],
          [whole, 'key-whole', '?atomic=true'],
          [known, undefined, ''],
          [known, 'key-known', ''],
        ] as const) {
          await wantUnanswered(shared, body, key, query);
          // What waited for the standby ends with its session, and is seen from then on; the standby still has none of it.
          await shared.disconnect();
        }
      };
      await whileWaiting(server, async () => {
        await refused();
        await server.halt();
        await server.start();
        await refused();
      });
      await wantRecovered(shared, made);
      await wantRecovered(shared, made, 'key-made');
      await wantRecovered(shared, whole, 'key-whole', '?atomic=true');
      await wantRecovered(shared, known, 'key-known');
    });

    it('that stops answers 503 until it is back, and then whatever was sent again', async () => {
      const standby = await server.standby();
      whenOver(() => standby.remove());
      const shared = await sharedDatabase(server.url);
      const body = arrangement(shared.location, 'while it is away', { a: 1 });
      await whileWaiting(server, async () => {
        await wantRecovered(shared, arrangement(shared.location, 'before'));
        await standby.halt();
        await wantUnanswered(shared, body, 'key-away');
        await wantUnanswered(shared, body, 'key-away');
        await standby.start();
        await wantRecovered(shared, body, 'key-away');
        const answer = await shared.upsert('while it is away', { a: 1 });
        assert.equal(answer.headers['ledgerstone-outcome'], 'unchanged');
        assert.equal(JSON.parse(answer.text).additional_data.a, 1);
      });
    });

    it('that is promoted when the server is lost finds there all that was answered', async () => {
      const standby = await server.standby();
      whenOver(() => standby.remove());
      const shared = await sharedDatabase(server.url);
      const { location, service } = shared;
      await whileWaiting(server, async () => {
        await wantRecovered(shared, arrangement(location, 'before'));
        const load = shared.load('promoted');
        await load.reached(300);
        await server.kill();
        try {
          // The load goes on without a server.
          await wantReady(service, false);
          await service.stop('SIGKILL');
          await promote(standby);
          const url = new URL(shared.url);
          url.port = String(standby.port);
          const other = await startProcess({ cwd: shared.cwd, env: { DATABASE_URL: url.href } });
          await load.wantKept(other.url);
          assert.equal((await other.stop('SIGKILL')).signal, 'SIGKILL');
        } finally {
          await server.start();
        }
      });
    });
  });
});

/** Lets the server wait for its standby at each commit, for as long as the work takes. */
async function whileWaiting({ url }: PostgresServer, work: () => Promise<void>): Promise<void> {
  await waitFor(url, 'standby');
  try {
    await work();
  } finally {
    await waitFor(url);
  }
}

async function promote(standby: PostgresServer): Promise<void> {
  const reset = 'ALTER SYSTEM RESET synchronous_standby_names';
  await ask(standby.url, reset, 'SELECT pg_reload_conf()', 'SELECT pg_promote()');
}

async function send(
  { service, secret }: Shared,
  body: object,
  key?: string,
  query = '',
): Promise<{ status: number; text: string }> {
  const many = Array.isArray(body) ? '_many' : '';
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  return call(service.url, secret, `${ARRANGEMENTS}${many}${query}`, body, { headers });
}

async function wantUnanswered(
  shared: Shared,
  body: object,
  key?: string,
  query?: string,
): Promise<void> {
  const began = performance.now();
  const { status, text } = await send(shared, body, key, query);
  assert.equal(status, 503, text);
  assert.ok(performance.now() - began < LONG_MS, 'it waited for the standby');
}

/** Sends it until it is answered 200; until then it must be answered 503. */
async function wantRecovered(
  shared: Shared,
  body: object,
  key?: string,
  query?: string,
): Promise<void> {
  await until(async () => {
    const { status, text } = await send(shared, body, key, query);
    if (status !== 200) assert.equal(status, 503, text);
    return status === 200;
  });
}
