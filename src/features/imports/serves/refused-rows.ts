/** Removes rows that mention a person from the refused rows of imports, which are stored for a few days. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { RecordEnds } from '../../../core/schema/csv/cells.ts';
import type { Store } from '../../../store/promises/store.ts';

/** How long to read rows before yielding to other work. */
const PIECE_MS = 4;

/** Returns how many imports it read, and how many rows mention the person; removes those rows only with `cuts`. */
export async function refusedRows(
  imports: Store['imports'],
  account: string,
  mentions: (text: string) => boolean,
  { cuts }: { readonly cuts: boolean },
): Promise<{ readonly files: number; readonly rows: number }> {
  const runs = await imports.withRejected(account);
  let count = 0;
  for (const unique_identifier of runs) {
    for (;;) {
      const rows = await imports.rejected(unique_identifier);
      if (rows === undefined) break;
      const { rest, found } = await without(rows, mentions);
      // A running import may have stored more rows meanwhile.
      const isCut =
        found === 0 || !cuts || (await imports.cutRejected(unique_identifier, rows, rest));
      if (!isCut) continue;
      count += found;
      break;
    }
  }
  return { files: runs.length, rows: count };
}

/** Returns a CSV text without the rows that mention the person; its header stays. */
async function without(csv: string, mentions: (text: string) => boolean) {
  const bytes = Buffer.from(csv);
  const ends = new RecordEnds(',');
  const rest: string[] = [];
  let found = 0;
  let until = performance.now() + PIECE_MS;
  for (let from = 0; from < bytes.length; ) {
    const end = ends.find(bytes, from);
    const upto = end < 0 ? bytes.length : end + 1;
    const row = bytes.toString('utf8', from, upto);
    if (from > 0 && mentions(row)) found += 1;
    else rest.push(row);
    from = upto;
    if (performance.now() < until) continue;
    await nextTick();
    until = performance.now() + PIECE_MS;
  }
  return { rest: rest.join(''), found };
}
