/** Many upserts of one resource in one request: as one array, or line by line as they arrive. */
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import { refuseRows, rowsOf } from '../schema/json-rows.ts';
import type { Store } from '../store/store.ts';
import { Gatherer, type Limits } from './gather.ts';
import {
  createRows,
  LOTS_AT_ONCE,
  type ManyCall,
  PIECE_BYTES,
  type Row,
  type RowResult,
  type RowsParts,
} from './rows.ts';
import {
  type ArrayResult,
  commitWhole,
  refuseAll,
  type WholeOptions,
  type WholeParts,
} from './whole-array.ts';

/** Rows of one array. */
const MAX_ARRAY_ROWS = 1000;
/** Rows of one stream. */
const MAX_STREAM_ROWS = 100_000;
/** Rows of one commit: enough to share its cost, few and small enough that others do not wait long for those under way. */
const TOGETHER: Limits = { count: 256, bytes: 524_288, atOnce: LOTS_AT_ONCE };

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
   * for before more is committed. Throws what the rows throw and, when those
   * that fit were carried out and told, `rows_too_many`.
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

export function createMany({
  store,
  now,
  ...parts
}: RowsParts &
  Pick<WholeParts, 'now'> & { readonly store: Pick<Store, 'commit' | 'receipt'> }): Many {
  const rows = createRows({ store, ...parts });

  /** A few at a time: others are served between them. */
  const readArray = async (call: ManyCall, body: Uint8Array, fresh: boolean): Promise<Row[]> => {
    const read: Row[] = [];
    let some: Uint8Array[] = [];
    const readSome = async (): Promise<void> => {
      for (const row of await rows.read(call, some, fresh)) {
        if (row instanceof ApiError && row.code === 'json_invalid') refuseRows(body);
        read.push(row);
      }
      some = [];
      await turn();
    };
    let bytes = 0;
    for (const row of rowsOf(body)) {
      if (read.length + some.length === MAX_ARRAY_ROWS) throw new ApiError('rows_too_many');
      some.push(row);
      bytes += row.length;
      if (bytes < PIECE_BYTES) continue;
      await readSome();
      bytes = 0;
    }
    await readSome();
    return read;
  };

  const commitInParts = async (call: ManyCall, read: readonly Row[]): Promise<RowResult[]> => {
    const results: RowResult[] = [];
    let done = false;
    for (let from = 0; from < read.length; from += TOGETHER.count) {
      const some = await rows.commit(call, read.slice(from, from + TOGETHER.count));
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
      const read = await readArray(call, body, whole);
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
      const gatherer = new Gatherer<R>(TOGETHER, async (some) => {
        const before = told;
        const begun = Promise.withResolvers<boolean>();
        const bodies = some.map(({ bytes }) => bytes);
        const committed = settled.then(() => rows.readAndCommit(call, bodies, begun.resolve));
        // What is committed once more must not come after rows that were sent later.
        settled = begun.promise.then((again) => (again ? committed : undefined));
        // The next are committed while these are told: a slow reader holds up only his own rows.
        told = Promise.all([committed, before]).then(([results]) => tell(some, results));
        told.catch(() => {});
        await committed;
        await before;
      });
      let left = MAX_STREAM_ROWS;
      try {
        for await (const arrived of arriving) {
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
