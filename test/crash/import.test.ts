/** `kill -9` of an import, and of nothing else: the same command again goes on, and loses and doubles nothing. */
// needs: program, waits

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { it } from 'node:test';
import { readSettings } from '../../src/core/config.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ALL, withAll } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { finish, ownFolder, run, type Start, start } from '../support/cli-program.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const ROWS = ALL ? 40_000 : 4_000;
const KILLS = ALL ? 8 : 3;
/** One row of so many is rejected. */
const BAD = 100;

/** `together` is how many rows are in a commit. */
async function killed(
  env: Start['env'] = {},
  { flags = [] as readonly string[], together = 64 } = {},
): Promise<void> {
  const cwd = ownFolder();
  const { account } = await makeAccount(cwd, env);
  const settings = { DATABASE_URL: `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`, ...env };
  const store = await openStoreAlone(readSettings({}, settings), { create: false });
  whenOver(() => store.close());
  const commits = async (): Promise<number> => (await store.log.last(account))?.position ?? 0;
  const lines = Array.from({ length: ROWS }, (_, at) => `kill ${at},${at % BAD === 0 ? '' : 'A'}`);
  writeFileSync(
    join(cwd, 'locations.csv'),
    `external_identifier,location_name\n${lines.join('\n')}\n`,
  );
  const words = ['import', 'locations.csv', '--json', ...flags];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = start(words, { cwd, env }, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = finish(child);
    // Some commits on its way, and never at the end: of those that are left, each kill has its share.
    const at = await commits();
    const left = Math.floor(ROWS / together) - at;
    const share = Math.floor(left / (KILLS - kill + 1));
    const to = at + 2 + Math.floor(Math.random() * Math.max(0, share - 4));
    const isAt = async (least: number) => (await commits()) >= least || child.exitCode !== null;
    // It begins when it has said what it read, after whatever time; from then on it is looked at often.
    await Promise.race([once(child.stderr as Readable, 'data'), ended]);
    await until(() => isAt(to));
    child.kill('SIGKILL');
    const { signal, stderr } = await ended;
    assert.equal(signal, 'SIGKILL', `it came to its end before it was killed: ${stderr}`);
  }
  const last = await run(words, { cwd, env });
  assert.equal(last.code, 2, last.stderr);
  const told = JSON.parse(last.stdout);
  const failed = ROWS / BAD;
  const { created, updated, unchanged } = told;
  assert.equal(told.failed, failed);
  assert.deepEqual([created, updated, unchanged], [ROWS - failed, 0, 0]);
  const [path = ''] = told.rejected;
  const rejected = readFileSync(join(cwd, path), 'utf8').trimEnd().split('\r\n').slice(1);
  const found = rejected.map((line) => Number(line.split(',')[0]));
  assert.deepEqual(
    found,
    Array.from({ length: failed }, (_, at) => 2 + BAD * at),
  );
  const listed = await run(['export', '--resource', 'locations', '--format', 'ndjson'], {
    cwd,
    env,
  });
  const names = listed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).external_identifier);
  assert.equal(names.length, ROWS - failed);
  assert.equal(new Set(names).size, ROWS - failed);
}

it('of one into a SQLite file', () => killed());

it('of a fast one into a SQLite file, in which another thread writes', withAll, () =>
  killed({}, { flags: ['--fast'], together: 500 }),
);

await onPostgres(({ name, url }) => {
  it(`of one into a database of ${name}`, withAll, async () => {
    const { env } = await emptyDatabase(url);
    await killed(env);
  });
});
