/** The migration from each release is killed at each of its statements: the start after it goes on, and loses nothing. */
// needs: --all, program, waits, long
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { type At, EARLIER, PROJECT, programOf, ran, rowsOf, storeOf } from '../support/versions.ts';

const PRELOAD = new URL('../support/kill-after.ts', import.meta.url).href;
/** What `kill-after.ts` ends its process at. */
const MOST_STEPS = 10_000;
/** More than a migration has: it ends by then. */
const MANY = 400;

/** Migrates, and is killed after so many steps; `false`: it came to its end before. */
async function killedAfter(steps: number, { cwd, env }: At): Promise<boolean> {
  const counted = join(cwd, 'steps');
  writeFileSync(counted, '.'.repeat(MOST_STEPS - steps));
  const words = ['--import', PRELOAD, join(PROJECT, 'src/main.ts'), 'migrate'];
  const child = spawn(process.execPath, words, {
    cwd,
    env: { PATH: process.env.PATH, STEPS: counted, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  whenOver(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (more) => (said += String(more)));
  await once(child, 'close');
  if (child.signalCode === 'SIGKILL') return true;
  assert.equal(child.exitCode, 0, `step ${steps}: ${said}`);
  return false;
}

const VERSION = {
  sqlite: 'SELECT user_version AS version FROM pragma_user_version',
  postgres: 'SELECT max(version) AS version FROM ledgerstone_migration',
};

/** How many records there are, and the version of their schema. */
async function held(at: At) {
  const counts: number[] = [];
  for (const table of ['location', 'event', 'event_check_in_record', 'change', 'receipt']) {
    const [row] = await rowsOf(at, `SELECT count(*) AS count FROM ${table}`);
    counts.push(Number(row?.count));
  }
  const kind = at.url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const versions = (await rowsOf(at, VERSION[kind])).map((row) => String(row.version));
  return { counts, versions };
}

/** Copies that a migration has made beside the store, each of which is whole. */
function wantWholeCopies({ cwd }: At): void {
  const copies = globSync('*.before-*', { cwd }).filter((name) => !name.endsWith('.part'));
  for (const name of copies) {
    using copy = new DatabaseSync(join(cwd, name), { readOnly: true });
    const [{ integrity_check: says } = {}] = copy.prepare('PRAGMA integrity_check').all();
    assert.equal(says, 'ok', name);
    assert.ok(copy.prepare('SELECT 1 FROM event').get(), name);
  }
}

/** Into how many tests the steps are divided, so that none takes long: packets to PostgreSQL are more. */
const PARTS = { sqlite: 1, postgres: 3 };

for (const release of EARLIER)
  for (const kind of ['sqlite', 'postgres'] as const)
    for (let part = 1; part <= PARTS[kind]; part += 1)
      it(`from ${release} on ${kind}, ${part} of ${PARTS[kind]}`, async () => {
        const old = programOf(release);
        const at = await storeOf(release, kind);
        const before = await held(at);
        const [version = ''] = before.versions;
        const isPending = async (): Promise<boolean> => (await held(at)).versions[0] === version;
        let step = part;
        let migrated = 0;
        for (; step < MANY && (await killedAfter(step, at)); step += PARTS[kind]) {
          if (await isPending()) {
            assert.equal(migrated, 0, 'what was done stays done');
            // As it was: the version before goes on with it.
            if (step % 8 === 1) await ran(old, ['accounts', 'list'], at);
          } else migrated += 1;
          assert.deepEqual((await held(at)).counts, before.counts, `after step ${step}`);
        }
        assert.ok(step > 5 && step < MANY, `${step} steps`);
        wantWholeCopies(at);
        assert.equal(await isPending(), false);
        const status = JSON.parse(await ran(PROJECT, ['migrate', 'status', '--json'], at));
        assert.equal(status.up_to_date, true);
        assert.match(await ran(PROJECT, ['verify'], at), /./);
        const refusal = await ran(old, ['accounts', 'list'], at, 1);
        assert.match(refusal, /was migrated by Ledgerstone/);
      });
