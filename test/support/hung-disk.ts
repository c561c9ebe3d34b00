/** A disk that hangs, as a share does whose server is gone. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenOver } from './at-end.ts';

const PROGRAM = '/dev/fuse';

/** Why there is none on this machine; `false`: there is. */
export const skip = whyNone();

/**
 * From now on whoever looks at anything in the folder waits: its file system is a program's that answers nothing. Ends
 * with the test, or when the function is called that this returns; what waits is told then that the disk is gone.
 */
export function hang(folder: string): () => void {
  const [end, why] = mount(folder);
  if (end === undefined) throw new Error(why);
  return whenOver(end);
}

function mount(folder: string): readonly [end: (() => void) | undefined, why: string] {
  let program: number;
  try {
    program = openSync(PROGRAM, 'r+');
  } catch (error) {
    return [undefined, (error as Error).message];
  }
  const how = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  const { status, stderr, error } = spawnSync('mount', ['-t', 'fuse', '-o', how, 'hung', folder], {
    stdio: ['ignore', 'ignore', 'pipe', program],
    encoding: 'utf8',
  });
  if (status !== 0) {
    closeSync(program);
    return [undefined, `a disk that hangs cannot be mounted: ${error?.message ?? stderr}`];
  }
  const end = (): void => {
    // What waits for it is let go first.
    closeSync(program);
    spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
  };
  return [end, ''];
}

function whyNone(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'hung-'));
  const [end, why] = mount(folder);
  end?.();
  rmdirSync(folder);
  return end === undefined ? why : false;
}
