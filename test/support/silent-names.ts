/** Names of hosts that are looked up for ever, by a library that is loaded before the C library. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenOver } from './at-end.ts';

const SOURCE = join(import.meta.dirname, 'silent-names.c');

const compiles =
  process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
/** Why no name hangs here. */
export const skip = compiles ? false : 'there is no C compiler (cc) that makes such names';

export interface LookedUp {
  readonly pid: number;
  readonly name: string;
}

/** Names below `silent.example` hang in a process with that environment; `lookedUp` gives every name, and who looked it up. */
export function silentNames() {
  // A name with a blank would be two libraries.
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-names-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  const [library, noted] = [join(folder, 'silent-names.so'), join(folder, 'noted')];
  const words = ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl'];
  const { status, stderr } = spawnSync('cc', words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return {
    env: { LD_PRELOAD: library, SILENT_NAMES: noted },
    lookedUp(): readonly LookedUp[] {
      const lines = textOf(noted).split('\n').filter(Boolean);
      return lines.map((line) => {
        const [pid = '', name = ''] = line.split(' ');
        return { pid: Number(pid), name };
      });
    },
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
