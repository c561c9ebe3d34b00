/** The program's bundle for a whole run of tests, which starts it hundreds of times, and what it serves: built once. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { programFolder } from '../../bin/cache.mjs';
import { LAUNCHER } from './cli-program.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

export interface Bundled {
  /** The folder of the files with which threads and processes begin. */
  readonly threads: string;
  /** The module that runs commands. */
  readonly commands: string;
}

export function bundleProgram(): Bundled {
  execFileSync(LAUNCHER, ['--version']);
  execFileSync(process.execPath, [join(PROJECT, 'bin', 'site.ts')]);
  const threads = programFolder();
  return { threads, commands: join(threads, 'cli-run.mjs') };
}
