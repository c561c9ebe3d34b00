/** `ledgerstone backup --follow`: a folder that shows each moment, kept up with the store. */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import about from '../../package.json' with { type: 'json' };
import { resources } from '../registry.ts';
import { type Store, StoreUnavailable } from '../store/store.ts';
import { FileUnusable } from '../transfer/backup/file.ts';
import { BackupFollower } from '../transfer/backup/follow.ts';
import { partsOf } from '../transfer/backup/parts.ts';
import { Mistake } from './mistake.ts';
import { printLines } from './output.ts';
import { readDuration } from './time.ts';

export interface FollowOptions {
  readonly every?: string;
  readonly keep?: string;
  readonly json?: true;
}

const KEPT = '7d';
const EVERY = '10s';

/** What `--every` and `--keep` say, in milliseconds. */
export function followTimes({ every = EVERY, keep = KEPT }: FollowOptions) {
  const everyMs = readDuration(every, '--every');
  if (everyMs < 1000) throw new Mistake('--every must be 1s or longer.');
  return { everyMs, keepMs: readDuration(keep, '--keep with --follow') };
}

/** Until a signal ends it. What cannot be read or written for a while is tried again. */
export async function follow(store: Store, folder: string, options: FollowOptions): Promise<void> {
  const { everyMs, keepMs } = followTimes(options);
  makeFolder(folder);
  const { version } = about;
  const parts = partsOf(resources);
  const follower = await BackupFollower.open({ store, folder, parts, version, keepMs });
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  while (!stop.signal.aborted) {
    try {
      for (const followed of await follower.step()) {
        if (options.json) process.stdout.write(`${JSON.stringify(followed)}\n`);
        else printLines(`${followed.file}: ${followed.rows} rows, ${followed.bytes} bytes.`);
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof FileUnusable)) throw error;
      process.stderr.write(`ledgerstone: ${error.message} It is tried again.\n`);
    }
    await pause(everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw new Mistake(
      `There is no folder ${folder}, and it cannot be made: name one that this user may write to.`,
    );
  }
}
