/** The numbers of the source of a sync: its own, and those of the sources that are part of it. */

import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { SourceBook } from '../../store/books/feeds/sources.ts';

export async function numbersOf(
  sources: Pick<SourceBook, 'list'>,
  { account, source }: Pick<StoredSync, 'account' | 'source'>,
): Promise<readonly number[]> {
  const all = await sources.list([account]);
  const rootOf = (number: number) =>
    all.find((one) => one.number === number)?.merged_into ?? number;
  const its = rootOf(source);
  return all.flatMap(({ number }) => (rootOf(number) === its ? number : []));
}
