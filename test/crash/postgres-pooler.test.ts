/** A PgBouncer that is killed under load, and comes back: nothing that was answered is lost. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedDatabase, wantReady } from '../support/cli-postgres.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres, poolerOf } from '../support/store-postgres.ts';

const ROUNDS = 5;

await onPostgres(
  ({ name, url: server }) => {
    const skip =
      process.env.TEST_POOLER === undefined &&
      'TEST_POOLER names no PgBouncer. No package brings one.';
    describe(`A service behind a PgBouncer before ${name}`, { skip }, () => {
      it('that is killed under load refuses until it is back, and has all that was answered', async () => {
        const pooler = await poolerOf(server);
        assert.ok(pooler);
        const shared = await sharedDatabase(server);
        const { service } = shared;
        for (let round = 0; round < ROUNDS; round++) {
          const load = shared.load(`round ${round}`);
          await load.reached(200 + 50 * round);
          await pooler.kill();
          await shared.wantRefused();
          await wantReady(service, false);
          assert.equal((await fetch(`${service.url}/healthz`)).status, 200);

          await pooler.start();
          await shared.wantRecovery();
          await wantReady(service, true);
          await load.wantKept();
        }
      });
    });
  },
  [NEWEST],
);
