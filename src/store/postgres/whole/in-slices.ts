/** Reads a list whose filters so little meets that the server takes too long for a page: by statements that each look at a bounded number of rows. */
import { Buffer } from 'node:buffer';
import type { RecordRow } from '../../records/records.ts';
import { type List, type PlaceRow, placeAhead } from '../statements/lists.ts';
import type { Call } from '../wire/session.ts';

/** How many rows one statement looks at: the server takes some tens of milliseconds for them. */
const AHEAD = 20_000;

export interface SliceReading<Row> {
  readonly rows: <Any extends readonly unknown[]>(call: Call<Any>) => Promise<readonly Any[]>;
  /** The statement that reads the rows of a list. */
  readonly callOf: (list: List) => Call<Row & readonly unknown[]>;
  /** Awaited between two slices. */
  readonly giveWay: (() => Promise<void>) | undefined;
  readonly ahead?: number;
}

/** Gives the same rows of the list as `callOf` would in one statement, if that had the time. */
export async function inSlices<Row extends RecordRow | PlaceRow>(
  list: List,
  { rows, callOf, giveWay, ahead = AHEAD }: SliceReading<Row>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  let { from } = list.order;
  let bytes = list.bytes;
  for (;;) {
    const rest = {
      ...list,
      order: { ...list.order, from },
      limit: list.limit - found.length,
      bytes,
    };
    const [place] = await rows(placeAhead(rest, ahead));
    const upTo = place && { unique_identifier: place[0], key: place[1] };
    const slice = await rows(callOf({ ...rest, upTo: upTo ?? 'end' }));
    found.push(...slice);
    // A statement leaves out what does not fit next to that many bytes.
    if (bytes !== undefined) bytes -= bytesOf(slice);
    const isFull = found.length >= list.limit || (bytes !== undefined && bytes < 0);
    if (isFull || upTo === undefined) return found;
    from = upTo;
    await giveWay?.();
  }
}

function bytesOf(rows: readonly (RecordRow | PlaceRow)[]): number {
  return rows.reduce((sum, row) => sum + Buffer.byteLength(String(row[5] ?? '')), 0);
}
