/** Selects the files of a folder that follows a store which are needed no more. */
import { join } from 'node:path';
import { createPacing } from '../../transfer/pace.ts';
import type { Part } from '../parts.ts';
import { type Chain, chainsOf, type FollowedFile, readFollowed } from './chain.ts';
import { areDated } from './dated.ts';
import { isSealed, usableIn } from './usable.ts';

/**
 * The files of chains that no moment since then needs, the oldest first; `least` chains always stay, for wrong clocks. Only
 * what is a backup by its content takes the place of others, and chains of other stores stay.
 */
export async function expiredIn(
  { folder, parts }: { readonly folder: string; readonly parts: readonly Part[] },
  own: ReadonlySet<string>,
  { since, least, now }: Readonly<Record<'since' | 'least' | 'now', number>>,
): Promise<readonly FollowedFile[]> {
  const all = readFollowed(folder);
  const { files, stores } = await usableIn(folder, all, parts[0]?.name ?? '');
  const isOwn = ({ base }: Chain): boolean => {
    const of = stores.get(base.name);
    return of === undefined || own.has(of.store);
  };
  const others = new Set(
    chainsOf(files)
      .filter((one) => !isOwn(one))
      .flatMap(({ base, increments }) => [base, ...increments]),
  );
  for (let usable = files.filter((file) => !others.has(file)); ; ) {
    const chains = chainsOf(usable);
    const moments = chains.map(({ base }) => base.moment);
    const dated = areDated(moments, now);
    const needed = moments.findLastIndex((moment, at) => dated[at] && moment <= since);
    const at = Math.max(Math.min(needed, chains.length - least), 0);
    const base = chains[at]?.base;
    if (base === undefined || at === 0) return [];
    if (await isSealed(join(folder, base.name), createPacing()))
      return all.slice(0, all.indexOf(base)).filter((file) => !others.has(file));
    usable = usable.filter((file) => file !== base);
  }
}
