/**
 * Starts the program from its bundle in the cache, and bundles it first where the source has changed. Where the cache
 * cannot be written, the program starts from its source.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CACHE, PROJECT, programFolder, removeEarlier, use } from './cache.mjs';

const program = programFolder();
const entry = join(program, 'main.mjs');
// Before it is looked for: another start may be about to remove it.
use(program);
if (!existsSync(entry)) await bundle();
await import(pathToFileURL(existsSync(entry) ? entry : join(PROJECT, 'src/main.ts')).href);

/** Other processes do it: the memory that it takes goes with them. */
async function bundle() {
  const { spawn, spawnSync } = await import('node:child_process');
  try {
    mkdirSync(CACHE, { recursive: true });
  } catch {
    return;
  }
  const quiet = { cwd: import.meta.dirname, stdio: 'ignore' };
  spawnSync(process.execPath, ['bundle.mjs', PROJECT, program], quiet);
  if (!existsSync(entry)) return;
  removeEarlier('program', program);
  // A service waits for it when it is asked for one of its files.
  spawn(process.execPath, ['site.ts'], quiet).unref();
}
