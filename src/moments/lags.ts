/** How far folders are behind the store that they are kept up with. */
import type { BackupBook } from '../store/backup-book.ts';

/** By folder, in milliseconds. `expected` is one that there should be since then. */
export async function lagsOf(
  book: Pick<BackupBook, 'followed'>,
  expected: { readonly folder: string; readonly since: number } | undefined,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const all = await book.followed();
  const lags = new Map<string, number>();
  for (const { folder, since, shows_at } of all) {
    const lag = Math.max(0, now - (shows_at || since));
    lags.set(folder, Math.min(lag, lags.get(folder) ?? lag));
  }
  const isThere = all.some(({ name }) => name === SERVICE);
  if (expected !== undefined && !isThere) lags.set(expected.folder, now - expected.since);
  return lags;
}

/** What the lease of the processes of one service is called. */
export const SERVICE = 'service';
