/**
 * The unpacked tarball of a release, where a run of tests is about it (`TEST_STORE=release`): commands are those of its
 * program, and services are processes of it, over a store on SQLite that the test also has open.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROJECT = join(import.meta.dirname, '../..');

/** Its folder; `undefined` where the tests are about something else. */
export const RELEASE = process.env.TEST_STORE === 'release' ? process.env.TEST_RELEASE : undefined;

/** Makes a release of this machine's kind and unpacks it, and returns its folder; both are below one that is given. */
export async function makeRelease() {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-release-'));
  const dist = join(folder, 'dist');
  const words = ['scripts/release.ts', '--arch', process.arch, '--to', dist];
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, words, { cwd: PROJECT, env });
  const tarball = stdout.split('\n').find((line) => line.endsWith('.tar.gz')) ?? '';
  await run('tar', ['-xzf', tarball, '-C', folder]);
  const name = /([^/]+)-linux-\w+\.tar\.gz$/.exec(tarball)?.[1] ?? '';
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { root: join(folder, name), dist, remove };
}
