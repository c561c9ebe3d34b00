/** `migrate` and `compact` say what is to be done to a store that nobody serves, and lose nothing of it. */
// needs: program
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ownFolder, run } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount } from '../support/cli-setup.ts';
import { storeEnv } from '../support/service-ground.ts';
import { onPostgres } from '../support/store-postgres.ts';

async function tellsAndDoes(env: Record<string, string>): Promise<void> {
  const cwd = ownFolder();
  const migrate = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(['migrate', ...words], { cwd, env });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const told = await migrate('status');
  assert.match(told, /^To be done by "ledgerstone migrate":\n {2}migration 1\.0\.0_fixed\.sql\n/);
  assert.match(told, /^ {2}table event_check_in_record\b.*$/m);
  assert.equal(JSON.parse(await migrate('status', '--json')).up_to_date, false);

  assert.match(told, /\nIt reads no table, and takes a moment\.\n$/);
  const done = told.replace(/^.*:/, 'Done:').replace(/It reads .*\n$/, '');
  assert.equal(await migrate(), done);
  assert.deepEqual(JSON.parse(await migrate('--json')), {
    ...{ done: true, changes: [], copied_to: null },
  });
  assert.equal(await migrate('status'), 'The store is up to date.\n');
  assert.equal(await migrate(), 'The store is up to date.\n');
  assert.deepEqual(JSON.parse(await migrate('status', '--json')), {
    ...{ up_to_date: true, to_be_done: [], stop_first: false },
    ...{ seconds_at_most: 0, bytes_at_most: 0 },
  });
}

it('migrate status tells what migrate would do, of SQLite', () => tellsAndDoes({}));

await onPostgres(
  ({ name, ground }) => {
    it(`migrate status tells what migrate would do, of ${name} with partitions`, async () => {
      const own = await ground();
      const { url, distribution } = own;
      const env = storeEnv(own);
      // A cluster's tables are distributed instead.
      const divided = distribution === undefined ? { DATABASE_PARTITIONS: '2' } : {};
      await tellsAndDoes({ ...env, ...divided });
      const { code, stderr } = await run(['accounts', 'list'], { cwd: ownFolder(), env });
      assert.equal(code, 0, stderr);
      const { password, host, pathname } = new URL(url);
      assert.match(stderr, new RegExp(`Store: postgres://${host}${pathname}`));
      assert.ok(password === '' || !stderr.includes(password));
    });
  },
  ['18'],
);

const LOCATIONS = 1_000;

it('compact makes the file smaller after a wipe, and keeps what is there', async () => {
  const { cwd, account, secret, service } = await servedAccount();
  const other = await makeAccount(cwd);
  const kept = await makeLocation(service.url, secret, account, 'kept');
  const rows = Array.from({ length: LOCATIONS }, (_, index) => ({
    account_unique_identifier: other.account,
    external_identifier: `location-${index}`,
    location_name: 'A name of some length. '.repeat(20),
  }));
  const path = '/v1/locations/upsert_many';
  assert.equal((await call(service.url, other.secret, path, rows)).status, 200);

  const served = await run(['compact'], { cwd });
  assert.equal(served.code, 1);
  assert.match(served.stderr, /is being served by another process: stop that one first/);
  await service.stop();

  assert.equal((await run(['accounts', 'wipe', other.account, '--yes'], { cwd })).code, 0);
  const file = join(cwd, 'data', 'ledgerstone.db');
  const before = statSync(file).size;
  const { code, stdout, stderr } = await run(['compact', '--json'], { cwd });
  assert.equal(code, 0, stderr);
  const { bytes_before, bytes_after } = JSON.parse(stdout);
  assert.deepEqual([bytes_before, bytes_after], [before, statSync(file).size]);
  assert.ok(bytes_after < bytes_before / 2, stdout);
  assert.match((await run(['compact'], { cwd })).stdout, /^Rewritten in [\d.]+ seconds: /);

  const again = await serveHere({ cwd });
  assert.equal((await call(again.url, secret, `/v1/locations/${kept}`)).status, 200);
});

it('compact makes no store where there is none', async () => {
  const { code, stderr } = await run(['compact'], { cwd: ownFolder() });
  assert.equal(code, 1);
  assert.match(stderr, /There is no Ledgerstone store at/);
});

await onPostgres(
  ({ name, ground }) => {
    it(`compact says what to do instead on ${name}`, async () => {
      const { url } = await ground();
      const { code, stderr } = await run(['compact'], {
        cwd: ownFolder(),
        env: { DATABASE_URL: url },
      });
      assert.equal(code, 1);
      assert.match(stderr, /Only SQLite stores are compacted\. .* VACUUM FULL/);
    });
  },
  ['18'],
);
