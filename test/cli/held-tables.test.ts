/** `ledgerstone doctor` names who holds the tables of a store, since writes wait for them, and which right is missing. */
// needs: program
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { ask, connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { withAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { storeEnv } from '../support/service-ground.ts';
import { onPostgres, postgresGround } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

await onPostgres(({ name, url: server }) => {
  const pooled = process.env.TEST_POOLER !== undefined;
  it(`doctor names a session that holds tables on ${name}`, { skip: pooled }, async () => {
    const ground = await postgresGround(server);
    const env = storeEnv(ground);
    const { cwd } = await withAccount(env);
    const locks = async () =>
      (await examine(cwd, env)).findings.find(({ check }) => check === 'locks');
    assert.equal(await locks(), undefined);
    const holder = await connected(env.DATABASE_URL ?? assert.fail());
    await holder.query("SET application_name = 'a report'");
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE location IN SHARE MODE');
    await until(async () => (await locks()) !== undefined);
    const { state, says } = (await locks()) ?? assert.fail();
    assert.equal(state, 'warning');
    assert.match(says, /process \d+, 'a report', LOCK, idle in transaction, since 20/);
    assert.match(says, /pg_terminate_backend/);
    await holder.query('ROLLBACK');
    assert.equal(await locks(), undefined);
  });

  it(`and not those of the store, whatever they are called, on ${name}`, {
    skip: pooled,
  }, async () => {
    const ground = await postgresGround(server);
    const { cwd } = await withAccount(storeEnv(ground));
    for (const called of ['ledgerstone', 'our records']) {
      const url = new URL(storeEnv(ground).DATABASE_URL ?? assert.fail());
      url.searchParams.set('application_name', called);
      const hold = async (named: string) => {
        const holder = await connected(url.href);
        await holder.query(`SET application_name = '${named}'`);
        await holder.query('BEGIN');
        await holder.query('LOCK TABLE location IN SHARE MODE');
        return holder;
      };
      // More than are named at a time, and longer than the other one.
      const own = [];
      for (let count = 0; count < 6; count += 1) own.push(await hold(called));
      const other = await hold('a report');
      const locks = async () =>
        (await examine(cwd, { DATABASE_URL: url.href })).findings.find(
          ({ check }) => check === 'locks',
        );
      await until(async () => (await locks()) !== undefined);
      const { says } = (await locks()) ?? assert.fail();
      assert.match(says, /process \d+, 'a report'/);
      assert.equal(says.match(/process/g)?.length, 1, says);
      for (const holder of [...own, other]) await holder.query('ROLLBACK');
    }
  });

  it(`a right that the user lacks is named on ${name}`, { skip: pooled }, async () => {
    const ending = randomBytes(4).toString('hex');
    const [user, database] = [`lonely_${ending}`, `theirs_${ending}`];
    await ask(
      server,
      `CREATE ROLE ${user} LOGIN PASSWORD '${ending}'`,
      `CREATE DATABASE ${database}`,
    );
    whenOver(() => ask(server, `DROP DATABASE ${database} WITH (FORCE)`, `DROP ROLE ${user}`));
    const url = new URL(server);
    Object.assign(url, { username: user, password: ending, pathname: `/${database}` });
    const { fails } = programIn(ownFolder(), { DATABASE_URL: url.href });
    const says = await fails('accounts', 'create', '--name', 'Example');
    assert.match(says, /the user lacks a right; the server says ".*permission denied.*"/);
    assert.match(says, /ALTER DATABASE … OWNER TO …/);
  });
});
