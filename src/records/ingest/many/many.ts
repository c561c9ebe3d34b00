/**
 * Bulk upserts of one resource: as one array, or line by line as they arrive. Both take two steps: rows are read
 * (`read.ts`), and committed (`commit.ts`), again where their parent was stale.
 */
import { ApiError } from '../../../core/errors.ts';
import { NOT_YET, refuseRows, rowsOf } from '../../../core/schema/json/rows.ts';
import type { MarkPast, Store } from '../../../store/promises/store.ts';
import type { Drafts } from '../drafts.ts';
import { createRowMemory } from '../seen.ts';
import { type CommitterParts, createRowCommitter } from './commit.ts';
import { createRowReader } from './read.ts';
import { errorIn, type ManyCall, type ParsedRow, type Row, type RowResult } from './row.ts';
import { createStream, type UpsertStream } from './stream.ts';
import { type ArrayResult, commitWhole, refuseAll, type WholeOptions } from './whole.ts';

/** The most rows of one array. */
const MAX_ROWS = 1000;
const TOO_MANY =
  'The array has more than 1,000 rows, and nothing was saved. Send several arrays, or up to 100,000 rows as lines: Content-Type: application/x-ndjson.';
/** Limits of one commit: enough rows to share its cost, few and small enough that others do not wait long for it. */
const LIMITS = { count: 256, bytes: 524_288 };

interface ManyParts extends Omit<CommitterParts, 'renew'> {
  readonly store: Pick<Store, 'commit' | 'receipt'>;
  readonly now: () => number;
  readonly drafts: Drafts;
  readonly markPast: MarkPast;
}

export type Many = ReturnType<typeof createMany>;

export function createMany(parts: ManyParts) {
  const { store, now, drafts, markPast } = parts;
  const reader = createRowReader(drafts, markPast);
  const committer = createRowCommitter({ ...parts, renew: reader.renew });
  const ownRows = createRowMemory();
  const upsertStream = createStream({ reader, committer, limits: LIMITS });
  const stream: UpsertStream = (call, arriving, report) =>
    upsertStream({ ...call, own: ownRows() }, arriving, report);

  const commitInChunks = async (call: ManyCall, rows: readonly Row[]): Promise<RowResult[]> => {
    const results: RowResult[] = [];
    let done = false;
    for (const chunk of chunksOf(rows)) {
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

  return {
    /**
     * Upserts the rows of a JSON array, or parsed ones, and returns one result per row, in order. Throws, with nothing
     * saved, if the body is not an array of rows or has too many, with `StoreUnavailable`, and with `batch_refused` for
     * an atomic request. A request with an Idempotency-Key is done once.
     */
    async array(
      sent: ManyCall,
      body: Uint8Array | readonly ParsedRow[],
      options: WholeOptions,
    ): Promise<ArrayResult> {
      // The rows of an import are many arrays, and were compared before.
      const call = body instanceof Uint8Array ? { ...sent, own: ownRows() } : sent;
      const { atomic, repeatable } = options;
      const uncached = (atomic || repeatable !== undefined) && !call.dry_run;
      const rows =
        body instanceof Uint8Array
          ? await reader.read(call, elementsOf(body, call.counted), {
              uncached,
              check(row, { byteOffset }) {
                if (row.code === 'json_invalid') refuseRows(body, byteOffset - body.byteOffset);
              },
            })
          : await reader.read(call, body, { uncached });
      await options.ready;
      if (uncached) return commitWhole({ store, now, committer }, call, rows, options);
      const results = await commitInChunks(call, rows);
      if (atomic) refuseAll(results);
      return { results, replayed: false };
    },
    /**
     * Upserts rows as they arrive. `report` gets their results, in order, once they are committed, and is awaited before
     * more is committed. Throws errors of the rows' source and, after the results of all rows so far, `rows_too_many` and
     * `stream_refused`.
     */
    stream,
  };
}

/** Yields the rows of an array. Throws `rows_too_many`, and errors of `rowsOf`. Always calls `counted`. */
function* elementsOf(
  body: Uint8Array,
  counted: ManyCall['counted'],
): Generator<Uint8Array | typeof NOT_YET> {
  let count = 0;
  try {
    for (const row of rowsOf(body)) {
      if (row !== NOT_YET) {
        if (count === MAX_ROWS) throw new ApiError('rows_too_many', { message: TOO_MANY });
        count += 1;
      }
      yield row;
    }
  } finally {
    counted?.(count);
  }
}

/** Splits rows into chunks for one commit each. */
function* chunksOf(rows: readonly Row[]): Generator<readonly Row[]> {
  let chunk: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    chunk.push(row);
    bytes += row.bytes;
    if (chunk.length < LIMITS.count && bytes < LIMITS.bytes) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}
