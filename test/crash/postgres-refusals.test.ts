/** A database that refuses, or is slow, or cannot be heard: requests are answered, and no process is stuck. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import {
  sharedDatabase,
  upsertOnce,
  wantReady,
  wantRecovery,
  wantRefusal,
} from '../support/cli-postgres.ts';
import { connect } from '../support/cli-request.ts';
import { cutWire } from '../support/cut-wire.ts';
import { slowWire } from '../support/slow-wire.ts';
import { onPostgres } from '../support/store-postgres.ts';

/** What the server says when it has committed several statements that came in one message: right after the word of the one before. */
const COMMITTED = '\0C\0\0\0\u000bCOMMIT\0';
/** A stop that is longer than anything that the service waits for. */
const STOP_MS = 6_500;

await onPostgres(({ name, url: server }) => {
  describe(`A service whose database on ${name}`, { concurrency: 3 }, () => {
    it('has no connection left for it answers 503, and writes again when it has', async () => {
      const shared = await sharedDatabase(server);
      const { service, secret, location, user } = shared;
      await shared.query(`ALTER ROLE ${user} CONNECTION LIMIT 0`);
      await shared.disconnect();
      wantRefusal(await upsertOnce(service.url, secret, arrangement(location, 'refused')));
      await wantReady(service, false);
      await shared.query(`ALTER ROLE ${user} CONNECTION LIMIT -1`);
      await wantRecovery(service, shared);
      await wantReady(service, true);
    });

    it('is read-only answers 503 to writes, goes on reading, and writes again when it may', async () => {
      const shared = await sharedDatabase(server);
      const { service, secret, location, user } = shared;
      await shared.query(`ALTER ROLE ${user} SET default_transaction_read_only = on`);
      await shared.disconnect();
      wantRefusal(await upsertOnce(service.url, secret, arrangement(location, 'refused')));
      await wantReady(service, false);
      const headers = { Authorization: `Bearer ${secret}` };
      assert.equal((await fetch(`${service.url}/v1/locations`, { headers })).status, 200);
      await shared.query(`ALTER ROLE ${user} RESET default_transaction_read_only`);
      await wantRecovery(service, shared);
      await wantReady(service, true);
    });

    it('is slow answers as late, and rightly', async () => {
      const wire = await slowWire(Number(new URL(server).port));
      const shared = await sharedDatabase(server);
      const { secret, location } = shared;
      const slow = await shared.start(onPort(shared.url, wire.port));
      wire.delayMs = 40;
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

    it('cannot be heard any more answers 503 before patience ends, and recovers with the wire', async () => {
      const wire = await slowWire(Number(new URL(server).port));
      const shared = await sharedDatabase(server);
      const { secret, location } = shared;
      const deaf = await shared.start(onPort(shared.url, wire.port));
      const before = await upsertOnce(deaf.url, secret, arrangement(location, 'before'));
      assert.equal(before.status, 200, before.text);
      wire.hush();
      for (const round of ['first', 'second']) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            upsertOnce(deaf.url, secret, arrangement(location, `${round} ${index}`)),
          ),
        );
        for (const answer of answers) wantRefusal(answer);
      }
      assert.equal((await fetch(`${deaf.url}/healthz`)).status, 200);
      wire.carryOn();
      await wantRecovery(deaf, shared);
    });

    it('that falls silent after a commit reports an unknown outcome, and commits once', async () => {
      const wire = await cutWire(Number(new URL(server).port));
      const shared = await sharedDatabase(server);
      const { secret, location } = shared;
      const deaf = await shared.start(onPort(shared.url, wire.port));
      const body = arrangement(location, 'once');
      wire.staysCut = true;
      wire.cutAt('back', COMMITTED);
      const answer = await upsertOnce(deaf.url, secret, body);
      wantRefusal(answer);
      assert.match(answer.text, /cannot tell right now whether it has saved this request/);
      assert.doesNotMatch(answer.text, /Nothing was saved/);
      const again = await upsertOnce(shared.service.url, secret, body);
      assert.equal(again.headers['ledgerstone-outcome'], 'unchanged');
    });

    it('stays while its own process stands still goes on as if nothing had happened', async () => {
      const shared = await sharedDatabase(server);
      const { service, secret, location } = shared;
      const connection = connect(service.url, secret, 16);
      const upserts = async (name_: string) => {
        const answers = Promise.all(
          Array.from({ length: 200 }, (_, index) =>
            connection.upsert(ARRANGEMENTS, arrangement(location, `${name_} ${index}`)),
          ),
        );
        return new Set((await answers).map(({ status }) => status));
      };
      await upserts('before');
      const under = upserts('under way');
      service.process.kill('SIGSTOP');
      await pause(STOP_MS);
      service.process.kill('SIGCONT');
      assert.deepEqual(await under, new Set([200]));
      assert.deepEqual(await upserts('after'), new Set([200]));
      connection.close();
    });
  });
});

/** The same database, by another port. */
function onPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}
