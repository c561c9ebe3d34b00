/** Upserts rows as they arrive, chunk by chunk. */
import { ApiError } from '../../../core/errors.ts';
import { inSteps } from '../../../core/fair/scheduler.ts';
import { CHUNKS_AT_ONCE, type Chunk, NO_CHUNK, type StartChunk } from './chunk.ts';
import { type ChunkLimits, Gatherer } from './gather.ts';
import type { ManyCall, RowResult } from './row.ts';

/** The most rows of one stream. */
const MAX_ROWS = 100_000;
const TOO_MANY =
  'The stream has more than 100,000 rows. Those up to that were processed: send the rest in another request.';
/** Consecutive refused rows after which the stream is ended. */
const MAX_REFUSED_IN_A_ROW = 1000;

export interface IncomingRow {
  /** `undefined` if the row was too long. */
  readonly bytes: Uint8Array | undefined;
}

/** Sends the results of rows to the caller, in their order. */
export type ReportResults<R> = (rows: readonly R[], results: readonly RowResult[]) => Promise<void>;

export type UpsertStream = <R extends IncomingRow>(
  call: ManyCall,
  arriving: AsyncIterable<readonly R[]>,
  report: ReportResults<R>,
) => Promise<void>;

export function createStream(
  startChunk: StartChunk,
  limits: Omit<ChunkLimits, 'atOnce'>,
): UpsertStream {
  return async <R extends IncomingRow>(
    call: ManyCall,
    arriving: AsyncIterable<readonly R[]>,
    report: ReportResults<R>,
  ): Promise<void> => {
    let refused = 0;
    let last: Pick<Chunk, 'handedOver' | 'answered'> = NO_CHUNK;
    const gatherer = new Gatherer<R>({ ...limits, atOnce: CHUNKS_AT_ONCE }, async (rows) => {
      const after = last;
      const bodies = rows.map(({ bytes }) => bytes);
      const answer = (results: readonly RowResult[]): Promise<void> => {
        for (const one of results) refused = isRefused(one) ? refused + 1 : 0;
        return report(rows, results);
      };
      const chunk = startChunk(call, bodies, { after, answer });
      last = chunk;
      // The next chunk is begun while this one is answered: a slow reader holds up only its own rows.
      await chunk.committed.finally(() => after.answered);
    });
    let left = MAX_ROWS;
    try {
      for await (const arrived of arriving) {
        if (refused >= MAX_REFUSED_IN_A_ROW) throw new ApiError('stream_refused');
        // Waits in the queue even if no row has arrived: blank lines take time, too.
        await inSteps(call.principal.key, noMore);
        const rows = arrived.slice(0, left);
        left -= rows.length;
        const bytes = rows.reduce((sum, row) => sum + (row.bytes?.length ?? 0), 0);
        await gatherer.add(rows, bytes);
        if (rows.length < arrived.length)
          throw new ApiError('rows_too_many', { message: TOO_MANY });
      }
    } finally {
      await gatherer.done();
      await last.answered;
    }
  };
}

const noMore = (): boolean => true;

/** Whether the fault is the row's, not the service's. */
function isRefused(result: RowResult): boolean {
  return result instanceof ApiError && result.status < 500;
}
