/** A database that becomes a standby is read from, and written to again once it is promoted. */
// needs: --all, program, waits
import { describe, it } from 'node:test';
import { sharedDatabase, wantReady } from '../support/cli-postgres.ts';
import { call } from '../support/cli-service.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

await onOwnPostgres((server) => {
  describe('A service whose database', () => {
    it('is a standby answers 503 to writes, goes on reading, and writes when it is promoted', async () => {
      const shared = await sharedDatabase(server.url);
      const { service, secret } = shared;
      await shared.written('before');
      await server.halt();
      await server.start('standby');

      await wantReady(service, false);
      await shared.wantRefused();
      // The server may not have been there yet when the service was not ready.
      await until(async () => {
        const { status, text } = await call(service.url, secret, '/v1/online_arrangements');
        return status === 200 && JSON.parse(text).data.length === 1;
      });
      const other = await shared.start();
      await wantReady(other, false);

      await shared.query('SELECT pg_promote()');
      for (const one of [service, other]) await shared.wantRecovery(one);
      await wantReady(service, true);
    });
  });
});
