/** Many upserts of one resource in one request: as one array, or line by line as they arrive. */
import { ApiError } from '../../errors.ts';
import type { Scheduler } from '../../fair/scheduler.ts';
import { refuseRows, rowsOf } from '../../schema/json/rows.ts';
import type { Store } from '../../store/store.ts';
import type { Drafts } from '../drafts.ts';
import { CHUNKS_AT_ONCE, createRows, type RowsParts } from './commit.ts';
import { type ChunkLimits, Gatherer } from './gather.ts';
import { createRowReader } from './read.ts';
import type { ManyCall, Row, RowResult } from './row.ts';
import {
  type ArrayResult,
  commitWhole,
  refuseAll,
  type WholeOptions,
  type WholeParts,
} from './whole.ts';

/** Rows of one array. */
const MAX_ARRAY_ROWS = 1000;
/** Rows of one stream. */
const MAX_STREAM_ROWS = 100_000;
/** Rows of a stream that are refused one after the other, before it is ended. */
const MAX_REFUSED_IN_A_ROW = 1000;
/** Rows of one commit: enough to share its cost, few and small enough that others do not wait long for those under way. */
const TOGETHER: ChunkLimits = { count: 256, bytes: 524_288, atOnce: CHUNKS_AT_ONCE };

export interface Many {
  /**
   * Upserts the rows of a JSON array, and gives one result per row, in order.
   * Throws, and has done nothing, where the body is no array of rows, for a row
   * too many, with `StoreUnavailable`, and with `batch_refused` where all are to
   * be carried out or none. What may be repeated is carried out once.
   */
  array(call: ManyCall, body: Uint8Array, options: WholeOptions): Promise<ArrayResult>;
  /**
   * Upserts rows as they arrive; `undefined` is one that was too long. `tell`
   * gets what became of them, in order, when that is committed, and is waited
   * for before more is committed. Throws what the rows throw and, when all that
   * were begun are told, `rows_too_many` and `stream_refused`.
   */
  stream<R extends ArrivedRow>(
    call: ManyCall,
    arriving: AsyncIterable<readonly R[]>,
    tell: Tell<R>,
  ): Promise<void>;
}

export interface ArrivedRow {
  readonly bytes: Uint8Array | undefined;
}

export type Tell<R> = (rows: readonly R[], results: readonly RowResult[]) => Promise<void>;

export interface ManyParts extends Omit<RowsParts, 'reader' | 'store'>, Pick<WholeParts, 'now'> {
  readonly store: Pick<Store, 'commit' | 'receipt'>;
  readonly drafts: Drafts;
  readonly scheduler: Scheduler;
}

export function createMany({ store, now, drafts, scheduler, ...parts }: ManyParts): Many {
  const reader = createRowReader(drafts, scheduler);
  const rows = createRows({ store, reader, ...parts });

  const commitInParts = async (call: ManyCall, read: readonly Row[]): Promise<RowResult[]> => {
    const results: RowResult[] = [];
    let done = false;
    for (const part of partsOf(read)) {
      const some = await rows.commit(call, part);
      const failed = some.find((one) => one instanceof Error && !(one instanceof ApiError));
      if (failed !== undefined && !done) throw failed;
      done ||= some.some((one) => !(one instanceof Error));
      results.push(...some);
    }
    return results;
  };

  return {
    async array(call, body, options) {
      const { atomic, repeatable } = options;
      const whole = (atomic || repeatable !== undefined) && !call.dry_run;
      const check = (row: ApiError, bytes: Uint8Array): void => {
        if (row.code === 'json_invalid') refuseRows(body, bytes.byteOffset - body.byteOffset);
      };
      const read = await reader.read(call, elementsOf(body, call.counted), { fresh: whole, check });
      if (whole) return commitWhole({ store, rows, now }, call, read, options);
      const results = await commitInParts(call, read);
      if (atomic) refuseAll(results);
      return { results, replayed: false };
    },

    async stream<R extends ArrivedRow>(
      call: ManyCall,
      arriving: AsyncIterable<readonly R[]>,
      tell: Tell<R>,
    ): Promise<void> {
      let told = Promise.resolve();
      /** What the next commit waits for. */
      let settled: Promise<unknown> = Promise.resolve();
      let refused = 0;
      const gatherer = new Gatherer<R>(TOGETHER, async (some) => {
        const before = told;
        const begun = Promise.withResolvers<boolean>();
        const bodies = some.map(({ bytes }) => bytes);
        const committed = settled.then(() => rows.readAndCommit(call, bodies, begun.resolve));
        // What is committed once more must not come after rows that were sent later.
        settled = begun.promise.then((again) => (again ? committed : undefined));
        // The next are committed while these are told: a slow reader holds up only his own rows.
        told = Promise.all([committed, before]).then(([results]) => {
          for (const one of results) refused = isRefused(one) ? refused + 1 : 0;
          return tell(some, results);
        });
        told.catch(() => {});
        await committed;
        await before;
      });
      let left = MAX_STREAM_ROWS;
      try {
        for await (const arrived of arriving) {
          if (refused >= MAX_REFUSED_IN_A_ROW) throw new ApiError('stream_refused');
          // In its turn, also where there is nothing in it: lines take time, whatever they are.
          await scheduler.run(call.principal.key, noMore);
          const taken = arrived.slice(0, left);
          left -= taken.length;
          const bytes = taken.reduce((sum, row) => sum + (row.bytes?.length ?? 0), 0);
          await gatherer.add(taken, bytes);
          if (taken.length < arrived.length) throw new ApiError('rows_too_many');
        }
      } finally {
        await gatherer.done();
        await told;
      }
    },
  };
}

/**
 * The rows of an array; throws `rows_too_many` after the last that there may be, and what `rowsOf` throws.
 * `counted` is told of those that were given, whatever ends them.
 */
function* elementsOf(body: Uint8Array, counted: ManyCall['counted']): Generator<Uint8Array> {
  let count = 0;
  try {
    for (const row of rowsOf(body)) {
      if (count === MAX_ARRAY_ROWS) throw new ApiError('rows_too_many');
      count += 1;
      yield row;
    }
  } finally {
    counted?.(count);
  }
}

/** As many rows together as one commit takes. */
function* partsOf(read: readonly Row[]): Generator<readonly Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  for (const row of read) {
    part.push(row);
    bytes += row instanceof Error ? 0 : row.bytes;
    if (part.length < TOGETHER.count && bytes < TOGETHER.bytes) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

const noMore = (): boolean => true;

/** Whether the row was at fault, and not the service. */
function isRefused(result: RowResult): boolean {
  return result instanceof ApiError && result.status < 500;
}
