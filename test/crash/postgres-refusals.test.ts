/** A database that refuses, or is slow, or cannot be heard: requests are answered, and no process is stuck. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import { sharedDatabase, wantReady, wantRefusal } from '../support/cli-postgres.ts';
import { connect } from '../support/cli-request.ts';
import { call } from '../support/cli-service.ts';
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
      const { service, user } = shared;
      await shared.query(`ALTER ROLE ${user} CONNECTION LIMIT 0`);
      await shared.disconnect();
      await shared.wantRefused();
      await wantReady(service, false);
      await shared.query(`ALTER ROLE ${user} CONNECTION LIMIT -1`);
      await shared.wantRecovery();
      await wantReady(service, true);
    });

    it('is read-only answers 503 to writes, goes on reading, and writes again when it may', async () => {
      const shared = await sharedDatabase(server);
      const { service, secret, user } = shared;
      await shared.query(`ALTER ROLE ${user} SET default_transaction_read_only = on`);
      await shared.disconnect();
      await shared.wantRefused();
      await wantReady(service, false);
      assert.equal((await call(service.url, secret, '/v1/locations')).status, 200);
      await shared.query(`ALTER ROLE ${user} RESET default_transaction_read_only`);
      await shared.wantRecovery();
      await wantReady(service, true);
    });

    it('is slow answers as late, and rightly', async () => {
      const wire = await slowWire(Number(new URL(server).port));
      const shared = await sharedDatabase(server);
      const slow = await shared.start(onPort(shared.url, wire.port));
      wire.delayMs = 40;
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          shared.upsert('shared', { [`key ${index}`]: index }, slow),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const last = await shared.upsert('shared');
      assert.equal(last.headers['ledgerstone-outcome'], 'unchanged');
      assert.equal(Object.keys(JSON.parse(last.text).additional_data).length, 50);
    });

    it('cannot be heard any more answers 503 before patience ends, and recovers with the wire', async () => {
      const wire = await slowWire(Number(new URL(server).port));
      const shared = await sharedDatabase(server);
      const deaf = await shared.start(onPort(shared.url, wire.port));
      await shared.written('before', undefined, deaf);
      wire.hush();
      for (const round of ['first', 'second']) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            shared.upsert(`${round} ${index}`, undefined, deaf),
          ),
        );
        for (const answer of answers) wantRefusal(answer);
      }
      assert.equal((await fetch(`${deaf.url}/healthz`)).status, 200);
      wire.carryOn();
      await shared.wantRecovery(deaf);
    });

    it('that falls silent after a commit reports an unknown outcome, and commits once', async () => {
      const wire = await cutWire(Number(new URL(server).port));
      const shared = await sharedDatabase(server);
      const deaf = await shared.start(onPort(shared.url, wire.port));
      wire.staysCut = true;
      wire.cutAt('back', COMMITTED);
      const answer = await shared.upsert('once', undefined, deaf);
      wantRefusal(answer);
      assert.match(answer.text, /cannot tell right now whether it has saved this request/);
      assert.doesNotMatch(answer.text, /Nothing was saved/);
      const again = await shared.upsert('once');
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
