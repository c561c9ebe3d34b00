/** Upserts the rows of a JSON array that has arrived completely, or rows that were parsed elsewhere. */
import { ApiError } from '../../../core/errors.ts';
import { NOT_YET, refuseRows, rowsOf } from '../../../core/schema/json/rows.ts';
import type { RowCommitter } from './commit.ts';
import type { RowReader } from './read.ts';
import { errorIn, type ManyCall, type ParsedRow, type Row, type RowResult } from './row.ts';
import type { ChunkLimits } from './stream.ts';
import {
  type ArrayResult,
  commitWhole,
  refuseAll,
  type WholeOptions,
  type WholeParts,
} from './whole.ts';

/** The most rows of one array. */
const MAX_ROWS = 1000;

export type UpsertArray = (
  call: ManyCall,
  body: Uint8Array | readonly ParsedRow[],
  options: WholeOptions,
) => Promise<ArrayResult>;

export interface ArrayParts extends WholeParts {
  readonly reader: RowReader;
  readonly committer: RowCommitter;
  /** Limits of each commit. */
  readonly limits: ChunkLimits;
}

export function createArray(parts: ArrayParts): UpsertArray {
  const { reader, committer, limits } = parts;

  const commitInChunks = async (call: ManyCall, rows: readonly Row[]): Promise<RowResult[]> => {
    const results: RowResult[] = [];
    let done = false;
    for (const chunk of chunksOf(rows, limits)) {
      const some = await committer.commit(call, chunk).catch((error: Error) => {
        if (!done) throw error;
        return chunk.map((row) => errorIn(row) ?? error);
      });
      const failed = some.find((one) => one instanceof Error && !(one instanceof ApiError));
      if (failed !== undefined && !done) throw failed;
      done ||= some.some((one) => !(one instanceof Error));
      results.push(...some);
    }
    return results;
  };

  return async (call, body, options) => {
    const { atomic, repeatable } = options;
    const whole = (atomic || repeatable !== undefined) && !call.dry_run;
    const rows =
      body instanceof Uint8Array
        ? await reader.read(call, elementsOf(body, call.counted), {
            uncached: whole,
            check(row, bytes) {
              if (row.code === 'json_invalid') refuseRows(body, bytes.byteOffset - body.byteOffset);
            },
          })
        : await reader.read(call, body, { uncached: whole });
    await options.ready;
    if (whole) return commitWhole(parts, call, rows, options);
    const results = await commitInChunks(call, rows);
    if (atomic) refuseAll(results);
    return { results, replayed: false };
  };
}

const TOO_MANY =
  'The array has more than 1,000 rows, and nothing was saved. Send several arrays, or up to 100,000 rows as lines: Content-Type: application/x-ndjson.';

/**
 * Yields the rows of an array. Throws `rows_too_many`, and errors of `rowsOf`. Always calls `counted`.
 */
function* elementsOf(
  body: Uint8Array,
  counted: ManyCall['counted'],
): Generator<Uint8Array | typeof NOT_YET> {
  let count = 0;
  try {
    for (const row of rowsOf(body)) {
      if (row === NOT_YET) {
        yield row;
        continue;
      }
      if (count === MAX_ROWS) throw new ApiError('rows_too_many', { message: TOO_MANY });
      count += 1;
      yield row;
    }
  } finally {
    counted?.(count);
  }
}

/** Splits rows into chunks for one commit each. */
function* chunksOf(rows: readonly Row[], limits: ChunkLimits): Generator<readonly Row[]> {
  let chunk: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    chunk.push(row);
    bytes += row.bytes;
    if (chunk.length < limits.count && bytes < limits.bytes) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}
