/** How far followed folders lag behind their store. */
import type { BackupBook } from '../../store/books/backups.ts';

/** By folder. `expected` is one that there should be since then. */
export async function foldersOf(
  book: Pick<BackupBook, 'followed'>,
  expected: { readonly folder: string; readonly since: number } | undefined,
  now: number,
) {
  const all = await book.followed();
  /** By folder; below zero, the clock that wrote it is ahead of this one; `whole_at` is when the whole backup was taken that it begins with. */
  const states = new Map<string, { readonly lag: number; readonly whole_at: number | null }>();
  for (const { folder, since, holds, whole_at } of all) {
    const lag = now - (holds.until ?? since);
    const known = states.get(folder);
    if (known === undefined || lag < known.lag) states.set(folder, { lag, whole_at });
  }
  const isThere = all.some(({ name }) => name === SERVICE);
  if (expected !== undefined && !isThere)
    states.set(expected.folder, { lag: now - expected.since, whole_at: null });
  return states;
}

/** The name of the lease of the processes of one service. */
export const SERVICE = 'service';
