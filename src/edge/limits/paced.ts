/** Passes on rows no faster than their key may send them. */
import type { KeyLimit } from './key-limit.ts';

/**
 * Yields rows, some at a time, as the key's rate allows; all at once for a key without a limit. Once `isOver` says that
 * the client has gone, drops waiting rows, and reads the source to its end.
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
