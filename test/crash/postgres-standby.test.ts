/** A database that becomes a standby is read from, and written to again once it is promoted. */
// needs: --all, program, waits
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
import { onOwnPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

await onOwnPostgres((server) => {
  describe('A service whose database', () => {
    it('is a standby answers 503 to writes, goes on reading, and writes when it is promoted', async () => {
      const shared = await sharedDatabase(server.url);
      const { service, secret, location } = shared;
      const body = arrangement(location, 'before');
      assert.equal((await upsertOnce(service.url, secret, body)).status, 200);
      await server.halt();
      await server.start('standby');

      await wantReady(service, false);
      wantRefusal(await upsertOnce(service.url, secret, arrangement(location, 'refused')));
      const headers = { Authorization: `Bearer ${secret}` };
      // The server may not have been there yet when the service was not ready.
      await until(async () => {
        const list = await fetch(`${service.url}/v1/online_arrangements`, { headers });
        const { data } = (await list.json()) as { data?: object[] };
        return list.status === 200 && data?.length === 1;
      });
      const other = await shared.start();
      await wantReady(other, false);

      await shared.query('SELECT pg_promote()');
      for (const one of [service, other]) await wantRecovery(one, shared);
      await wantReady(service, true);
    });
  });
});
