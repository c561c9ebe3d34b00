/** A database whose disk is full, and several processes over one: nothing that was answered is lost. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Client } from 'pg';
import { ALL, withAll } from '../support/all.ts';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import { emptyDatabase, sharedDatabase, wantReady, wantRefusal } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { connect } from '../support/cli-request.ts';
import { call, refusedWithinASecond, startProcess } from '../support/cli-service.ts';
import { pluck } from '../support/pluck.ts';
import { onOwnPostgres, onPostgres } from '../support/store-postgres.ts';

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

const DISK = '48m';
const UPSERTS = 200;
const LARGE = { note: 'x'.repeat(60_000) };

await onOwnPostgres((server) => {
  describe('A service whose database', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-disk-'));
    const skip = mount(folder);
    after(() => {
      if (skip === false) execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    });

    it('has a full disk answers 503 to what does not fit, keeps what it answered, and goes on when there is room', {
      skip,
    }, async () => {
      await makeTablespace(server.url, folder);
      const shared = await sharedDatabase(server.url, 'small');
      const { service } = shared;
      const send = (name: string) => shared.upsert(name, LARGE);
      const filler = join(folder, 'filler');
      fill(filler);
      const answered = [];
      let refused = 0;
      for (let count = 0; refused < 5; count++) {
        assert.ok(count < UPSERTS, 'the disk is never full');
        const answer = await send(`${count}`);
        if (answer.status === 200) answered.push({ name: `${count}`, text: answer.text });
        else {
          wantRefusal(answer);
          refused += 1;
        }
      }
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200);

      rmSync(filler);
      await shared.wantRecovery();
      await wantReady(service, true);
      for (const { name, text } of answered) assert.equal((await send(name)).text, text);
      assert.equal((await send('more')).status, 200);
    });
  });
});

/** Why there is no small disk at that folder, or `false` where there is one. */
function mount(folder: string): string | false {
  try {
    const words = ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'none', folder];
    execFileSync('mount', words, { stdio: 'pipe' });
    return false;
  } catch {
    return 'Only root can make a disk that is small enough to be filled.';
  }
}

/** On that disk, which then belongs to whoever runs the server. */
async function makeTablespace(url: string, folder: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const { uid, gid } = statSync(`/proc/${rows[0].pid}`);
  const own = join(folder, 'tablespace');
  execFileSync('install', ['-d', '-m', '0700', '-o', `${uid}`, '-g', `${gid}`, own]);
  execFileSync('chmod', ['0755', folder]);
  await client.query(`CREATE TABLESPACE small LOCATION '${own}'`);
  await client.end();
}

/** With bytes that nobody wants, until nothing more fits. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const bytes = Buffer.alloc(4_096); ; ) writeSync(descriptor, bytes);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(descriptor);
  }
}
