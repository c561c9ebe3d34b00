/** A disk of its own, small enough to be filled: only root can have one. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mounts a disk of so many megabytes at a folder; `undefined` where that cannot be had. */
export function mountSmallDisk(folder: string, megabytes: number) {
  try {
    const words = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
    execFileSync('mount', words, { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    /** Fills it to the last byte. */
    fill() {
      for (const size of [65_536, 4_096, 1]) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
        } catch {
          // No more of this size fits.
        }
      }
    },
    /** Takes away what `fill` wrote. */
    makeRoom: () => rmSync(filler, { force: true }),
    resize: (size: number) => execFileSync('mount', ['-o', `remount,size=${size}m`, folder]),
    readOnly: (is: boolean) => execFileSync('mount', ['-o', `remount,${is ? 'ro' : 'rw'}`, folder]),
    unmount: () => execFileSync('umount', ['-l', folder]),
  };
}
