/**
 * Upserts rows as they arrive: gathers them into chunks, each a commit. Three chunks are under way, read while those
 * before are committed, so that the store never waits for this thread, and reported in their order.
 */
import { ApiError } from '../../../core/errors.ts';
import { inSteps } from '../../../core/fair/scheduler.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import { COMMITS_AT_ONCE, type RowCommitter } from './commit.ts';
import type { RowReader } from './read.ts';
import type { ManyCall, RowResult } from './row.ts';

const MAX_ROWS = 100_000;
const TOO_MANY =
  'The stream has more than 100,000 rows. Those up to that were processed: send the rest in another request.';
/** Consecutive refused rows after which the stream is ended. */
const MAX_REFUSED_IN_A_ROW = 1000;
/** Chunks of all requests in progress: one more than commits. */
export const CHUNKS_AT_ONCE = COMMITS_AT_ONCE + 1;

interface IncomingRow {
  /** `undefined` if the row was too long. */
  readonly bytes: Uint8Array | undefined;
}

/** `report` sends the results of rows to the caller, in their order. */
export type UpsertStream = <R extends IncomingRow>(
  call: ManyCall,
  arriving: AsyncIterable<readonly R[]>,
  report: (rows: readonly R[], results: readonly RowResult[]) => Promise<void>,
) => Promise<void>;

interface UpsertStreamParts {
  readonly reader: RowReader;
  readonly committer: RowCommitter;
  readonly limits: { readonly count: number; readonly bytes: number };
}

export function createStream({ reader, committer, limits }: UpsertStreamParts): UpsertStream {
  // A chunk only waits for this thread and the store, so one key may have all of them.
  const slots = new FairSlots({ slots: CHUNKS_AT_ONCE, ofGroup: CHUNKS_AT_ONCE });

  /** Holds its slot until the commit is done, so that few parsed rows are in memory. */
  const readAndHandOver = async (call: ManyCall, bodies: readonly IncomingRow['bytes'][]) => {
    const release = await slots.acquire(call.principal.key);
    try {
      const rows = await reader.read(call, bodies);
      const results = committer.commit(call, rows);
      results.then(release, release);
      // A row that is retried would come after those of the next chunk, which therefore wait for it.
      const judged = rows.some(({ retryable }) => retryable !== undefined) ? results : undefined;
      return { results, judged };
    } catch (error) {
      release();
      throw error;
    }
  };

  return async (call, arriving, report) => {
    type Rows = Parameters<typeof report>[0];
    let refused = 0;
    let waiting: Rows[number][] = [];
    let bytes = 0;
    /** Chunks in progress. One that failed stays here, and nothing more begins. */
    const working = new Set<Promise<void>>();
    /** When the store has the last chunk, which it judges before the next, and when its results are sent. */
    let handedOver: Promise<unknown> = Promise.resolve();
    let reported = Promise.resolve();

    const commit = async (rows: Rows): Promise<void> => {
      const before = reported;
      const bodies = rows.map(({ bytes }) => bytes);
      const committing = handedOver.then(() => readAndHandOver(call, bodies));
      const committed = committing.then(({ results }) => results);
      handedOver = committing.then(({ judged }) => judged);
      // If this chunk fails, the results of those before it are still sent first.
      reported = before.then(async () => {
        const results = await committed;
        for (const one of results) refused = isRefused(one) ? refused + 1 : 0;
        await report(rows, results);
      });
      // The error of any of these is thrown at the end of the stream at the latest.
      for (const one of [handedOver, committed, reported]) one.catch(() => {});
      // The next chunk is begun while this one is reported: a slow reader holds up only its own rows.
      await committed.finally(() => before);
    };

    const isFull = (): boolean => waiting.length >= limits.count || bytes >= limits.bytes;
    let failed = false;
    /** While chunks are in progress, only a full one begins. */
    const begin = (): void => {
      if (failed || waiting.length === 0) return;
      if (working.size > 0 && (working.size >= CHUNKS_AT_ONCE || !isFull())) return;
      const rows = waiting;
      [waiting, bytes] = [[], 0];
      const one = commit(rows).then(
        () => {
          working.delete(one);
          begin();
        },
        (error: unknown) => {
          failed = true;
          throw error;
        },
      );
      working.add(one);
      one.catch(() => {});
    };

    let left = MAX_ROWS;
    try {
      for await (const arrived of arriving) {
        if (refused >= MAX_REFUSED_IN_A_ROW) throw new ApiError('stream_refused');
        // Waits in the queue even if no row has arrived: blank lines take time, too.
        await inSteps(call.principal.key, noMore);
        const rows = arrived.slice(0, left);
        left -= rows.length;
        waiting.push(...rows);
        for (const row of rows) bytes += row.bytes?.length ?? 0;
        begin();
        while (isFull()) await Promise.race(working);
        if (rows.length < arrived.length)
          throw new ApiError('rows_too_many', { message: TOO_MANY });
      }
    } finally {
      while (working.size > 0) await Promise.race(working);
      await reported;
    }
  };
}

const noMore = (): boolean => true;

/** Returns whether the fault is the row's, not the service's. */
function isRefused(result: RowResult): boolean {
  return result instanceof ApiError && result.status < 500;
}
