/** When the database ends, and comes back, the service refuses for as long, loses nothing, and recovers by itself. */
// needs: program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL, withAll } from '../support/all.ts';
import { arrangement, startLoad, wantAnswered } from '../support/cli-load.ts';
import {
  sharedDatabase,
  upsertOnce,
  wantReady,
  wantRecovery,
  wantRefusal,
} from '../support/cli-postgres.ts';
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
          const { service, secret, location } = shared;
          const { url } = service;
          const load = startLoad({ url, secret, location, name: how });
          await load.reached(300);
          await server[end]();

          wantRefusal(await upsertOnce(url, secret, arrangement(location, 'while it is down')));
          const usual = performance.now();
          assert.equal((await fetch(`${url}/healthz`)).status, 200);
          const began = performance.now();
          wantRefusal(await upsertOnce(url, secret, arrangement(location, 'still down')));
          const most = 1_000 + 10 * (began - usual);
          assert.ok(performance.now() - began < most, 'who comes later is told at once');
          await wantReady(service, false);

          await server.start();
          await wantRecovery(service, shared);
          await wantReady(service, true);
          await service.stop('SIGKILL');
          const answered = await load.end;
          // What was under way may have been carried through: then nobody was refused.
          assert.deepEqual(new Set([503, ...answered.refused.keys()]), new Set([503]));
          const next = await shared.start();
          await wantAnswered({ url: next.url, secret, location }, answered);
        },
      );
    }

    it(
      'drops its connections again and again under load refuses at most, and loses nothing',
      withAll,
      async () => {
        const shared = await sharedDatabase(server.url);
        const { service, secret, location } = shared;
        const { url } = service;
        const load = startLoad({ url, secret, location, name: 'dropped' });
        for (let round = 1; round <= ROUNDS; round++) {
          await load.reached(150 * round);
          await shared.disconnect();
        }
        await wantRecovery(service, shared);
        await service.stop('SIGKILL');
        const answered = await load.end;
        assert.deepEqual(new Set([503, ...answered.refused.keys()]), new Set([503]));
        const next = await shared.start();
        await wantAnswered({ url: next.url, secret, location }, answered);
      },
    );
  });
});
