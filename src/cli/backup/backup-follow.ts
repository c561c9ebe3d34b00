/** `ledgerstone backup --follow`: a folder that can restore each moment, kept up to date with the store. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { makeFolder } from '../../services/backup/file.ts';
import { FolderLocked } from '../../services/backup/folder/folder-lock.ts';
import { followFolder } from '../../services/moments/follow-folder.ts';
import type { Store } from '../../store/promises/store.ts';
import { Mistake } from '../mistake.ts';
import { printLines } from '../output.ts';
import { stopSignal } from '../service/until-stopped.ts';
import { readDuration } from '../time.ts';

export interface FollowOptions {
  readonly every?: string;
  readonly keep?: string;
  readonly json?: true;
}

const KEPT = '7d';
const EVERY = '10s';

/** The values of `--every` and `--keep`, in milliseconds. */
export function followTimes({ every = EVERY, keep = KEPT }: FollowOptions) {
  const everyMs = readDuration(every, '--every');
  if (everyMs < 1000) throw new Mistake('--every must be 1s or longer.');
  return { everyMs, keepMs: readDuration(keep, '--keep with --follow') };
}

/** Until a signal ends it. What cannot be read or written for a while is tried again, once it has begun. */
export async function follow(store: Store, target: string, options: FollowOptions): Promise<void> {
  const folder = resolve(target);
  wantFolder(folder, target);
  let hasBegun = false;
  await followFolder({
    store,
    folder,
    ...followTimes(options),
    signal: stopSignal(),
    holder: randomUUID(),
    name: `${hostname()}:${folder}`,
    oneAtATime: false,
    notices: {
      wrote(followed) {
        const { file, rows, bytes } = followed;
        if (options.json) process.stdout.write(`${JSON.stringify(followed)}\n`);
        else printLines(`${file}: ${rows} rows, ${bytes} bytes.`);
        const { left_out } = followed;
        if (left_out > 0) {
          process.stderr.write(
            `ledgerstone: Changes that are damaged in the store are not in ${file}: ${left_out}. Run "ledgerstone verify", which names them.\n`,
          );
        }
      },
      shows() {
        hasBegun = true;
      },
      waiting: () => undefined,
      failed(error) {
        if (!hasBegun && error instanceof FolderLocked) throw new Mistake(error.message);
        process.stderr.write(`ledgerstone: ${error.message} Trying again.\n`);
      },
    },
  });
}

function wantFolder(folder: string, target: string): void {
  try {
    makeFolder(folder);
  } catch {
    throw new Mistake(
      `The folder ${target} does not exist and cannot be created. Name one that this user may write to.`,
    );
  }
}
