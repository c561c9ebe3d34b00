/** Passes rows on no faster than their key may send them. */
import type { KeyLimit } from './key-limit.ts';

/**
 * The same rows, some at a time, each when its turn has come; all at once where
 * nothing limits the key. Where `isOver` says that nobody wants them any more
 * those that wait are dropped, and the source is asked for what comes next.
 */
export async function* paced<Row>(
  rows: AsyncIterable<readonly Row[]>,
  limit: KeyLimit | undefined,
  isOver: () => boolean,
): AsyncGenerator<readonly Row[]> {
  if (limit === undefined) return yield* rows;
  for await (const arrived of rows) {
    for (let from = 0; from < arrived.length && !isOver(); from += limit.together) {
      const some = arrived.slice(from, from + limit.together);
      await limit.pace(some.length, isOver);
      if (!isOver()) yield some;
    }
  }
}
