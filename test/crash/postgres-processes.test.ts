/** Several processes over one PostgreSQL database are one service: whatever one of them does, the others know. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL, withAll } from '../support/all.ts';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import { emptyDatabase, sharedDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { connect } from '../support/cli-request.ts';
import { call, refusedWithinASecond, startProcess } from '../support/cli-service.ts';
import { pluck } from '../support/pluck.ts';
import { onPostgres } from '../support/store-postgres.ts';

const RECORDS = 6;
const ROUNDS = ALL ? 12 : 4;
const CONNECTIONS = 8;
const AT_ONCE = ALL ? 10 : 4;

await onPostgres(({ name, url: server }) => {
  describe(`Processes over one database of ${name}`, () => {
    it('merge patches of the same few records, sent to both in opposite orders, and lose none', async () => {
      const shared = await sharedDatabase(server);
      const { secret, location } = shared;
      const services = [shared.service, await shared.start()];
      const names = Array.from({ length: RECORDS }, (_, index) => `record ${index}`);
      const hammer = async (service: number, connection: number): Promise<void> => {
        const own = connect(services[service]?.url ?? '', secret, RECORDS);
        const order = service === 0 ? names : names.toReversed();
        for (let round = 0; round < ROUNDS; round++) {
          const key = `${service} ${connection} ${round}`;
          const answers = await Promise.all(
            order.map((one) => own.upsert(ARRANGEMENTS, arrangement(location, one, { [key]: 1 }))),
          );
          for (const { status, text } of answers) {
            assert.equal(status, 200, text);
            assert.equal(JSON.parse(text).additional_data[key], 1);
          }
        }
        own.close();
      };
      await Promise.all(
        services.flatMap((_, service) =>
          Array.from({ length: CONNECTIONS }, (_, connection) => hammer(service, connection)),
        ),
      );

      for (const one of names) {
        const [first, second] = await Promise.all(
          services.map((service) => shared.upsert(one, undefined, service)),
        );
        assert.equal(first?.headers['ledgerstone-outcome'], 'unchanged');
        assert.equal(second?.headers['ledgerstone-outcome'], 'unchanged');
        assert.equal(first?.text, second?.text);
        const { additional_data } = JSON.parse(first?.text ?? '');
        assert.equal(Object.keys(additional_data).length, 2 * CONNECTIONS * ROUNDS);
      }
    });

    it('lose nothing that was answered when one of them is killed under load; the other goes on', async () => {
      const shared = await sharedDatabase(server);
      const [one, other] = [await shared.start(), shared.service];
      const load = shared.load('killed', one);
      const second = shared.load('left');
      await Promise.all([load.reached(400), second.reached(200)]);
      assert.equal((await one.stop('SIGKILL')).signal, 'SIGKILL');
      await second.reached(800);
      await load.wantKept(other.url, []);
      assert.equal((await other.stop('SIGKILL')).signal, 'SIGKILL');
      await second.wantKept((await shared.start()).url, []);
    });

    it('obey within a second that a key is revoked', async () => {
      const shared = await sharedDatabase(server);
      const { secret, key, cwd } = shared;
      const services = [shared.service, await shared.start()];
      for (const { url } of services) {
        assert.equal((await call(url, secret, '/v1/accounts')).status, 200);
      }
      await programIn(cwd, shared.env).json('keys', 'revoke', key);
      await Promise.all(
        services.map(({ url }) =>
          refusedWithinASecond(async () => (await call(url, secret, '/v1/accounts')).status),
        ),
      );
    });

    it(
      'can be started many at once where there are no tables yet, and all serve',
      withAll,
      async () => {
        const { env } = await emptyDatabase(server);
        const cwd = ownFolder();
        const services = await Promise.all(
          Array.from({ length: AT_ONCE }, () => startProcess({ cwd, env })),
        );
        for (const service of services) {
          assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
        }
        const ends = await Promise.all(services.map((service) => service.stop()));
        const found = pluck(ends, 'code');
        assert.deepEqual(
          found,
          services.map(() => 0),
        );
      },
    );
  });
});
