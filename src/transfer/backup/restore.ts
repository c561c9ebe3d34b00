/** Fills a new store with a backup, and looks at what came of it before anybody else sees it. */
import type { Readable } from 'node:stream';
import type { Loading } from '../../store/loading.ts';
import { BackupUnusable } from './damaged.ts';
import { Digests } from './digest.ts';
import type { Part } from './parts.ts';
import { type Backup, isSame, readBackup } from './read.ts';

export interface Restoring {
  readonly bytes: Readable;
  readonly parts: readonly Part[];
  /** Begins to fill the store; called when the backup has been opened. */
  readonly begin: () => Promise<Loading>;
  readonly now: () => number;
  /** Whether all keys that could be used are to be suspended. */
  readonly suspendKeys: boolean;
  readonly onRows?: ((rows: number) => void) | undefined;
}

/** Nothing is changed unless all of it went well. Throws `BackupUnusable`, or what `begin` throws. */
export async function restoreBackup(restoring: Restoring): Promise<Backup> {
  const { bytes, parts, onRows, now, suspendKeys } = restoring;
  bytes.on('error', () => undefined);
  const loading = await restoring.begin();
  try {
    const backup = await readBackup({
      bytes,
      parts,
      take: (part, rows) => part.load(loading, rows),
      ...(onRows === undefined ? {} : { onRows }),
    });
    await wantSame(loading, parts, backup);
    await loading.settle({ now: now(), suspendKeys });
    await loading.finish();
    return backup;
  } catch (error) {
    await loading.abandon();
    throw error;
  }
}

/** Throws unless the store, as it is read, holds what the backup does. */
async function wantSame(
  loading: Loading,
  parts: readonly Part[],
  { header, trailer }: Backup,
): Promise<void> {
  const snapshot = await loading.snapshot(Date.parse(header.taken_at));
  try {
    const found = new Digests();
    for (const part of parts) {
      if (!(part.name in trailer.digests)) continue;
      found.begin(part.name);
      for await (const batch of part.read(snapshot)) {
        for (const row of batch) found.add(part.counted?.(row) ?? part.name, JSON.stringify(row));
      }
    }
    if (isSame(trailer, found)) return;
    const differs = Object.keys(trailer.digests).filter(
      (name) => trailer.digests[name] !== found.digests[name],
    );
    throw new BackupUnusable(
      `The backup was read, and the store made of it holds something else (${differs.join(', ')}): nothing was restored.`,
    );
  } finally {
    await snapshot.close();
  }
}
