/** When the database ends, and comes back, the service refuses for as long, loses nothing, and recovers by itself. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL, withAll } from '../support/all.ts';
import { sharedDatabase, wantReady } from '../support/cli-postgres.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';

const ROUNDS = ALL ? 10 : 4;

await onOwnPostgres((server) => {
  describe('A service whose database', () => {
    for (const [end, how, ring] of [
      ['kill', 'is killed under load', {}],
      ['halt', 'is restarted under load', withAll],
    ] as const) {
      it(
        `${how} answers 503 until it is back, and has all that was answered before`,
        ring,
        async () => {
          const shared = await sharedDatabase(server.url);
          const { service } = shared;
          const { url } = service;
          const load = shared.load(how);
          await load.reached(300);
          await server[end]();

          await shared.wantRefused();
          const usual = performance.now();
          assert.equal((await fetch(`${url}/healthz`)).status, 200);
          const began = performance.now();
          await shared.wantRefused('still down');
          const most = 1_000 + 10 * (began - usual);
          assert.ok(performance.now() - began < most, 'who comes later is told at once');
          await wantReady(service, false);

          await server.start();
          await shared.wantRecovery();
          await wantReady(service, true);
          await service.stop('SIGKILL');
          await load.wantKept((await shared.start()).url);
        },
      );
    }

    it(
      'drops its connections again and again under load refuses at most, and loses nothing',
      withAll,
      async () => {
        const shared = await sharedDatabase(server.url);
        const { service } = shared;
        const load = shared.load('dropped');
        for (let round = 1; round <= ROUNDS; round++) {
          await load.reached(150 * round);
          await shared.disconnect();
        }
        await shared.wantRecovery();
        await service.stop('SIGKILL');
        await load.wantKept((await shared.start()).url);
      },
    );
  });
});
