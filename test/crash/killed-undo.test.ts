/** `kill -9` of an import that is undone: the service goes on, also after it was killed itself, and each record goes once. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readSettings } from '../../src/core/config.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { finish, ownFolder, programIn, type Start, start } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const ROWS = 6_000;
/** Of them, as many are gone before each kill. */
const SOME = 200;
/** The service looks twice whether somebody else is at it. */
const LONG_MS = 180_000;

async function killed(test: TestContext, env: Start['env'] = {}): Promise<void> {
  const cwd = ownFolder(test);
  const { account, secret } = await makeAccount(cwd, env);
  const settings = { DATABASE_URL: `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`, ...env };
  const lines = Array.from({ length: ROWS }, (_, at) => `home ${at},A`);
  writeFileSync(
    join(cwd, 'locations.csv'),
    `external_identifier,location_name\n${lines.join('\n')}\n`,
  );
  const { run } = programIn(cwd, env);
  const imported = await run('import', 'locations.csv', '--fast');
  assert.equal(imported.code, 0, imported.stderr);

  const store = await openStoreAlone(readSettings({}, settings), { create: false });
  const commits = async (): Promise<number> => (await store.log.last(account))?.position ?? 0;
  const [made] = await store.imports.list(1);
  const id = made?.unique_identifier ?? '';
  const child = start(['imports', 'undo', '-y', id], { cwd, env });
  const ended = finish(child);
  const at = await commits();
  while ((await commits()) < at + SOME && child.exitCode === null) await pause(2);
  child.kill('SIGKILL');
  assert.equal((await ended).signal, 'SIGKILL', 'it came to its end before it was killed');
  assert.equal((await store.imports.find(id))?.status, 'undoing');
  await store.close();

  const status = async () => JSON.parse((await run('imports', 'show', id)).stdout).status;
  for (const isLast of [false, true]) {
    const service = await startProcess(test, { cwd, env });
    const left = async (): Promise<number> => {
      const path = '/v1/locations?limit=1&include[]=total';
      return JSON.parse((await call(service.url, secret, path)).text).total.count;
    };
    const before = await left();
    await until(async () => (await left()) <= (isLast ? 0 : before - SOME), LONG_MS);
    if (isLast) await until(async () => (await status()) === 'undone', LONG_MS);
    await service.stop('SIGKILL');
    assert.equal(await status(), isLast ? 'undone' : 'undoing');
  }

  const outcomes: Record<string, number> = {};
  const reader = await openStoreAlone(readSettings({}, settings), { create: false });
  test.after(() => reader.close());
  let after = made?.began[account] ?? undefined;
  for (let more = true; more; ) {
    const page = await reader.log.read({ account, after, limit: 1_000, bytes: 2_097_152 });
    assert.ok(typeof page !== 'string');
    for (const one of page.changes) {
      outcomes[one.outcome] = (outcomes[one.outcome] ?? 0) + 1;
      after = one;
    }
    more = page.more;
  }
  assert.deepEqual(outcomes, { created: ROWS, deleted: ROWS });
}

it('of one in a SQLite file', (t) => killed(t));

await onPostgres(({ name, url }) => {
  it(`of one in a database of ${name}`, async (t) => {
    const { env } = await emptyDatabase(t, url);
    await killed(t, env);
  });
});
