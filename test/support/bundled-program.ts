/** The program's bundle for a whole run of tests, which starts it hundreds of times. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../bin/bundle.mjs';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Always the same, since Node caches what it makes of the code by its path. */
const FOLDER = join(PROJECT, 'node_modules', '.cache', 'ledgerstone-tests');

export interface Bundled {
  /** The folder of the files with which threads and processes begin. */
  readonly threads: string;
  /** The module that runs commands. */
  readonly commands: string;
}

export async function bundleProgram(): Promise<Bundled> {
  if (existsSync(FOLDER)) rmSync(FOLDER, { recursive: true });
  await bundle(PROJECT, FOLDER);
  // What services serve is built once, and found by all.
  execFileSync(process.execPath, [join(PROJECT, 'bin', 'site.ts')]);
  return { threads: FOLDER, commands: join(FOLDER, 'cli-run.mjs') };
}
