/** A database that refuses, or is slow, or cannot be heard: requests are answered, and no process is stuck. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrangement } from '../support/cli-load.ts';
import {
  sharedDatabase,
  upsertOnce,
  wantReady,
  wantRecovery,
  wantRefusal,
} from '../support/cli-postgres.ts';
import { slowWire } from '../support/slow-wire.ts';
import { onPostgres } from '../support/store-postgres.ts';

/** Whoever waits longer for an answer takes the service for stuck. */
const PATIENCE_MS = 25_000;

await onPostgres(({ name, url: server }) => {
  describe(`A service whose database on ${name}`, () => {
    it('has no connection left for it answers 503, and writes again when it has', async (t) => {
      const shared = await sharedDatabase(t, server);
      const { service, secret, location, user } = shared;
      await shared.query(`ALTER ROLE ${user} CONNECTION LIMIT 0`);
      await shared.disconnect();
      wantRefusal(await upsertOnce(service.url, secret, arrangement(location, 'refused')));
      await wantReady(service, false);
      await shared.query(`ALTER ROLE ${user} CONNECTION LIMIT -1`);
      await wantRecovery(service, shared);
      await wantReady(service, true);
    });

    it('is read-only answers 503 to writes, goes on reading, and writes again when it may', async (t) => {
      const shared = await sharedDatabase(t, server);
      const { service, secret, location, database } = shared;
      await shared.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
      await shared.disconnect();
      wantRefusal(await upsertOnce(service.url, secret, arrangement(location, 'refused')));
      await wantReady(service, false);
      const headers = { Authorization: `Bearer ${secret}` };
      assert.equal((await fetch(`${service.url}/v1/locations`, { headers })).status, 200);
      await shared.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
      await wantRecovery(service, shared);
      await wantReady(service, true);
    });

    it('is slow answers as late, and rightly', async (t) => {
      const wire = await slowWire(t, Number(new URL(server).port));
      const shared = await sharedDatabase(t, server);
      const { secret, location } = shared;
      const slow = await shared.start(onPort(shared.url, wire.port));
      wire.delayMs = 100;
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          upsertOnce(
            slow.url,
            secret,
            arrangement(location, 'shared', { [`key ${index}`]: index }),
          ),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const last = await upsertOnce(shared.service.url, secret, arrangement(location, 'shared'));
      assert.equal(last.headers['ledgerstone-outcome'], 'unchanged');
      assert.equal(Object.keys(JSON.parse(last.text).additional_data).length, 50);
    });

    it('cannot be heard any more answers 503 before patience ends, and recovers with the wire', async (t) => {
      const wire = await slowWire(t, Number(new URL(server).port));
      const shared = await sharedDatabase(t, server);
      const { secret, location } = shared;
      const deaf = await shared.start(onPort(shared.url, wire.port));
      const before = await upsertOnce(deaf.url, secret, arrangement(location, 'before'));
      assert.equal(before.status, 200, before.text);
      wire.hush();
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          upsertOnce(deaf.url, secret, arrangement(location, `unheard ${index}`)),
        ),
      );
      for (const answer of answers) wantRefusal(answer);
      assert.ok(performance.now() - began < PATIENCE_MS);
      assert.equal((await fetch(`${deaf.url}/healthz`)).status, 200);
      wire.carryOn();
      await wantRecovery(deaf, shared);
    });
  });
});

/** The same database, by another port. */
function onPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}
