/** Chunks: rows of one stream that are committed together. */
import { FairSlots } from '../../../core/fair/slots.ts';
import type { Outcome } from '../../../store/promises/store.ts';
import { COMMITS_AT_ONCE, type RowCommitter } from './commit.ts';
import type { RowReader } from './read.ts';
import type { ResultsOf } from './retry.ts';
import type { ManyCall, Row, RowResult } from './row.ts';

/** Chunks of all requests in progress: one more than commits, so that the store never waits for this thread. */
export const CHUNKS_AT_ONCE = COMMITS_AT_ONCE + 1;

/**
 * A chunk waits as bytes until it may be read, and then goes through these
 * states. Each is reached when its promise resolves.
 */
export interface Chunk {
  /**
   * Resolves when the store has its rows and will judge them before those that follow. A retried row would come after
   * those, so a chunk with rows that may be retried only counts as handed over once it is committed.
   */
  readonly handedOver: Promise<unknown>;
  /** Resolves when the result of each row is known. */
  readonly committed: Promise<readonly RowResult[]>;
  /** Resolves when the results of this chunk, and of all before it, are sent. */
  readonly answered: Promise<void>;
}

/** Stands before the first chunk of a stream. */
export const NO_CHUNK: Pick<Chunk, 'handedOver' | 'answered'> = {
  handedOver: Promise.resolve(),
  answered: Promise.resolve(),
};

export interface ChunkOrder {
  readonly after: Pick<Chunk, 'handedOver' | 'answered'>;
  /** Sends results to the caller. */
  readonly answer: (results: readonly RowResult[]) => Promise<void>;
}

/** Starts a chunk of rows, each of which is `undefined` if it was too long. If a state fails, so do those after it. */
export type StartChunk = (
  call: ManyCall,
  bodies: readonly (Uint8Array | undefined)[],
  order: ChunkOrder,
) => Chunk;

/** A chunk that was read, and is being committed. */
interface Committing {
  readonly rows: readonly Row[];
  readonly outcomes: Promise<readonly Outcome[]>;
}

export function createStartChunk(
  reader: RowReader,
  committer: RowCommitter,
  resultsOf: ResultsOf,
): StartChunk {
  // A chunk only waits for this thread and the store, so one key may have all of them.
  const slots = new FairSlots({ slots: CHUNKS_AT_ONCE, ofGroup: CHUNKS_AT_ONCE });

  /** Keeps its slot until the commit is done, so that few parsed rows are in memory. */
  const readAndHandOver = async (
    call: ManyCall,
    bodies: readonly (Uint8Array | undefined)[],
  ): Promise<Committing> => {
    const release = await slots.acquire(call.principal.key);
    try {
      const rows = await reader.read(call, bodies);
      const outcomes = committer.commit(call, rows);
      outcomes.then(release, release);
      return { rows, outcomes };
    } catch (error) {
      release();
      throw error;
    }
  };

  return (call, bodies, { after, answer }) => {
    const committing = after.handedOver.then(() => readAndHandOver(call, bodies));
    const committed = committing.then(({ rows, outcomes }) => resultsOf(call, rows, outcomes));
    const handedOver = committing.then(({ rows }) =>
      rows.some(isRetryable) ? committed : undefined,
    );
    // If this chunk fails, the results of those before it are still sent first.
    const answered = after.answered.then(async () => answer(await committed));
    // The stream throws the error of any state, at its end at the latest.
    for (const state of [handedOver, committed, answered]) state.catch(() => {});
    return { handedOver, committed, answered };
  };
}

function isRetryable(row: Row): boolean {
  return !(row instanceof Error) && row.retryable !== undefined;
}
