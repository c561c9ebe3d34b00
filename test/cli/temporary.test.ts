/** What a killed process leaves in the folder for temporary files goes, and nothing else there does. */
// needs: --all, program

import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { ownFolder, programIn, start } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

it('the store that a killed restore --check has left is named, and removed when the service starts', async () => {
  const cwd = ownFolder();
  const TMPDIR = join(cwd, 'temporary');
  const target = join(cwd, 'target');
  for (const folder of [TMPDIR, target]) mkdirSync(folder);
  const env = { TMPDIR };
  await makeAccount(cwd, env);
  await programIn(cwd, env).json('backup', 'b');
  const left = () => readdirSync(TMPDIR).filter((name) => name.startsWith('ledgerstone-'));
  const started: string[] = [];
  /** Waits for the rest of the backup. */
  const startCheck = async () => {
    const words = ['restore', '-', '--check'];
    const check = start(words, { cwd, env }, { stdio: ['pipe', 'ignore', 'ignore'] });
    check.stdin?.write(readFileSync(join(cwd, 'b')).subarray(0, 100));
    const isStarted = () =>
      left().some((name) => !started.includes(name) && readdirSync(join(TMPDIR, name)).length > 1);
    await until(() => isStarted());
    started.push(...left().filter((name) => !started.includes(name)));
    return check;
  };
  const killed = await startCheck();
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const running = await startCheck();
  whenOver(() => running.kill('SIGKILL'));
  const [first = '', second = ''] = started;

  // Not ours: a link, a folder that others may read, one without our lock, other names.
  writeFileSync(join(target, 'running.lock'), '');
  symlinkSync(target, join(TMPDIR, 'ledgerstone-check-aaaaaa'));
  const folders = [
    ['ledgerstone-check-bbbbbb', 0o755, 'running.lock'],
    ['ledgerstone-check-cccccc', 0o700, 'records'],
    ['ledgerstone-check-of-us', 0o700, 'running.lock'],
    ['ledgerstone-backup-dddddd', 0o700, 'running.lock'],
  ] as const;
  for (const [name, mode, file] of folders) {
    mkdirSync(join(TMPDIR, name), { mode });
    writeFileSync(join(TMPDIR, name, file), '');
  }
  // What killed commands and uploads of the other kinds leave.
  const others = ['ledgerstone-import-dddddd', 'ledgerstone-restore-eeeeee'];
  for (const name of others) {
    mkdirSync(join(TMPDIR, name), { mode: 0o700 });
    writeFileSync(join(TMPDIR, name, 'running.lock'), '');
    writeFileSync(join(TMPDIR, name, 'upload.csv'), 'visitor_full_name\n');
  }
  const long = new Date(Date.now() - 3_600_000);
  for (const name of left()) utimesSync(join(TMPDIR, name), long, long);

  const stdout = (await programIn(cwd, env).run('doctor')).stdout;
  assert.match(stdout, /^warning +temporary files: .* and 2 more like it/m);
  const before = left();
  const service = await startProcess({ cwd, env });
  await until(() => ![first, ...others].some((name) => left().includes(name)));
  await service.stop();
  const found = left();
  assert.deepEqual(
    found,
    before.filter((name) => ![first, ...others].includes(name)),
  );
  assert.ok(left().includes(second));
  assert.deepEqual(readdirSync(target), ['running.lock']);
  assert.doesNotMatch((await programIn(cwd, env).run('doctor')).stdout, /temporary files/);
});
