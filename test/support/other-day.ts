/** Processes whose wall clock is another day's, by a library that is loaded before the C library. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';

const SOURCE = join(import.meta.dirname, 'other-day.c');

const compiles =
  process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
/** Why no process can have another day here. */
export const skip = compiles ? false : 'there is no C compiler (cc) that makes such a clock';

const made = new Map<number, string>();

/** What a process needs in its environment so that its wall clock is ahead by that many milliseconds, or behind. */
export function ahead(ms: number): { readonly LD_PRELOAD: string } {
  const seconds = Math.round(ms / 1_000);
  const there = made.get(seconds);
  if (there !== undefined) return { LD_PRELOAD: there };
  // A name with a blank would be two libraries.
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-day-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, 'other-day.so');
  const words = ['-shared', '-fPIC', '-O2', `-DAHEAD_S=(${seconds}LL)`, '-o', library, SOURCE];
  const { status, stderr } = spawnSync('cc', [...words, '-ldl'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  made.set(seconds, library);
  return { LD_PRELOAD: library };
}
