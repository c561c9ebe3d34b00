/** Checks that the chain of the last file of a folder still exists, and that its whole backup is unchanged. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Pacing } from '../../transfer/pace.ts';
import { unsealed } from '../seal.ts';
import { BackupUnusable } from '../verify/damaged.ts';
import { type FollowedFile, gapBetween, readFollowed } from './chain.ts';

/** How often the whole backup is read, though nothing of its file has changed. */
const READ_MS = 3_600_000;

export class Lead {
  readonly #folder: string;
  /** The files that were checked last. */
  #signs: string | undefined;
  #baseSign: string | undefined;
  #readAt = 0;
  #isDamaged = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the whole backup only if its file has changed, and now and then: the result comes with a later call. */
  isUsable(base: FollowedFile, last: FollowedFile): boolean {
    const path = join(this.#folder, base.name);
    const baseSign = signOf(path);
    if (baseSign === undefined) return false;
    const signs = [signOf(this.#folder), base.name, last.name].join();
    if (signs !== this.#signs && !leads(readFollowed(this.#folder), base, last)) return false;
    this.#signs = signs;
    if (baseSign !== this.#baseSign || performance.now() - this.#readAt >= READ_MS) {
      this.#baseSign = baseSign;
      this.#readAt = performance.now();
      this.#isDamaged = false;
      isSealed(path).then(
        (isWhole) => {
          if (this.#baseSign === baseSign) this.#isDamaged = !isWhole;
        },
        // Read again if it cannot be read now.
        () => {
          this.#baseSign = undefined;
        },
      );
    }
    return !this.#isDamaged;
  }
}

function leads(files: readonly FollowedFile[], base: FollowedFile, last: FollowedFile): boolean {
  const from = files.findIndex(({ name }) => name === base.name);
  const to = files.findIndex(({ name }) => name === last.name);
  // A whole backup alongside them is not needed.
  const chain = files.slice(from, to + 1).filter(({ name, whole }) => !whole || name === base.name);
  return (
    from >= 0 &&
    to >= from &&
    chain.every((file, at) => at === 0 || gapBetween(chain[at - 1] ?? file, file) === undefined)
  );
}

/** Changes whenever the file or the list of the folder does; `undefined` if it does not exist. */
function signOf(path: string): string | undefined {
  const is = statSync(path, { throwIfNoEntry: false });
  return is && [is.ino, is.size, is.mtimeMs, is.ctimeMs].join();
}

/** Reads all of it. */
async function isSealed(path: string): Promise<boolean> {
  try {
    const pace = new Pacing();
    for await (const _ of unsealed(createReadStream(path, { highWaterMark: 262_144 }))) {
      await pace.rest();
    }
    return true;
  } catch (error) {
    if (error instanceof BackupUnusable) return false;
    throw error;
  }
}
