/** Checks that the chain of the last file of a folder still exists, and that its whole backup is unchanged. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { createPacing } from '../../transfer/pace.ts';
import { BackupUnusable, unsealed } from '../format.ts';
import { type FollowedFile, gapBetween, readFollowed } from './chain.ts';

/** How often the whole backup is read, though nothing of its file has changed. */
const READ_MS = 3_600_000;

export function createLead(folder: string) {
  /** The files that were checked last. */
  let signs: string | undefined;
  let baseSign: string | undefined;
  let readAt = 0;
  let isDamaged = false;

  /** Reads the whole backup only if its file has changed, and now and then: the result comes with a later call. */
  return (base: FollowedFile, last: FollowedFile): boolean => {
    const path = join(folder, base.name);
    const sign = signOf(path);
    if (sign === undefined) return false;
    const seen = [signOf(folder), base.name, last.name].join();
    if (seen !== signs && !leads(readFollowed(folder), base, last)) return false;
    signs = seen;
    if (sign !== baseSign || performance.now() - readAt >= READ_MS) {
      baseSign = sign;
      readAt = performance.now();
      isDamaged = false;
      isSealed(path).then(
        (isWhole) => {
          if (baseSign === sign) isDamaged = !isWhole;
        },
        // Read again if it cannot be read now.
        () => {
          baseSign = undefined;
        },
      );
    }
    return !isDamaged;
  };
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

async function isSealed(path: string): Promise<boolean> {
  try {
    const pace = createPacing();
    for await (const _ of unsealed(createReadStream(path, { highWaterMark: 262_144 }))) {
      await pace();
    }
    return true;
  } catch (error) {
    if (error instanceof BackupUnusable) return false;
    throw error;
  }
}
