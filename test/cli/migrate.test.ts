/** `migrate` says what is to be done before it does it, on either store. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ownFolder, run } from '../support/cli-program.ts';
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
  assert.match(told, /^To be done by "ledgerstone migrate":\n {2}migration 0001_fixed\.sql\n/);
  assert.match(told, /^ {2}table event_check_in_record\b.*$/m);
  assert.equal(await migrate('--dry-run'), told.replace(/^.*:/, 'To be done:'));
  assert.equal(JSON.parse(await migrate('status', '--json')).up_to_date, false);

  const planned = JSON.parse(await migrate('--dry-run', '--json'));
  assert.deepEqual([planned.done, planned.changes[0]], [false, 'migration 0001_fixed.sql']);
  assert.equal(await migrate(), told.replace(/^.*:/, 'Done:'));
  assert.deepEqual(JSON.parse(await migrate('--json')), {
    ...{ done: true, changes: [], copied_to: null },
  });
  assert.equal(await migrate('status'), 'The store is up to date.\n');
  assert.equal(await migrate(), 'The store is up to date.\n');
  assert.deepEqual(JSON.parse(await migrate('status', '--json')), {
    up_to_date: true,
    to_be_done: [],
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
