/** Whose a folder is that follows a store. */
import type { Store } from '../../../store/promises/store.ts';
import { FileUnusable } from '../file.ts';
import type { Made } from '../format.ts';
import type { Backup } from '../read.ts';

/** Says of the store what the next file of the folder is to hold. */
export async function madeNext({ backups }: Pick<Store, 'backups'>): Promise<Made> {
  const { store, made: number, origins } = await backups.identity();
  return { store, number, origins };
}

/** Throws `FileUnusable` where another store has written it, which this one does not come from. */
export async function assertOwn(
  { backups, accounts }: Pick<Store, 'backups' | 'accounts'>,
  folder: string,
  { header: { of }, trailer: { marks } }: Backup,
): Promise<void> {
  const own = await backups.identity();
  if (of !== undefined) {
    if (of.store === own.store && of.number > own.made) await backups.descend(own, of.number);
    if ([own, ...own.origins].some(({ store }) => store === of.store)) return;
  } else {
    const there = Object.keys(marks?.changes ?? {});
    const known = new Set((await accounts.list()).map((one) => one.unique_identifier));
    if (there.length === 0 || known.size === 0 || there.some((one) => known.has(one))) return;
  }
  throw new FileUnusable(
    `Another store${of === undefined ? '' : ` (${of.store})`} has written to ${folder}, which would go with its backups: name a folder for this store alone, or move those files away.`,
  );
}
