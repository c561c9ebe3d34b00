/**
 * Bulk upserts of one resource: as one array, or line by line as they arrive. Both take two steps: rows are read
 * (`row.ts`), and committed (`commit.ts`), again where their parent was stale.
 */
import { ApiError, Faults } from '../../../core/errors.ts';
import { inSteps } from '../../../core/fair/scheduler.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import { NOT_YET, refuseRows, rowsOf } from '../../../core/schema/json/rows.ts';
import type { Line } from '../../../core/schema/lines.ts';
import { recordMissing } from '../../../store/promises/refusals.ts';
import type {
  Draft,
  Outcome,
  RefuseTooOld,
  Repeated,
  Store,
  StoredOutcome,
} from '../../../store/promises/store.ts';
import type { Drafts } from '../drafts.ts';
import { once, type Repeatable, receiptFor } from '../idempotency.ts';
import { createRowMemory } from '../seen.ts';
import {
  COMMITS_AT_ONCE,
  type CommitterParts,
  createRowCommitter,
  disclaim,
  type RowCommitter,
} from './commit.ts';
import {
  createRowReader,
  draftIn,
  draftsIn,
  errorIn,
  type ManyCall,
  type ParsedRow,
  type Row,
  type RowReader,
  type RowResult,
  resultOf,
} from './row.ts';

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
  readonly refuseTooOld: RefuseTooOld;
}

export type Many = ReturnType<typeof createMany>;

export function createMany(parts: ManyParts) {
  const reader = createRowReader(parts.drafts, parts.refuseTooOld);
  const committer = createRowCommitter({ ...parts, renew: reader.renew });
  const ownRows = createRowMemory();
  const upsertStream = createStream(reader, committer);

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
      if (uncached) return commitWhole(parts, committer, call, rows, options);
      const results = await commitInChunks(call, rows);
      if (atomic) refuseAll(results);
      return { results, replayed: false };
    },
    /**
     * Upserts rows as they arrive. `report` gets their results, in order, once they are committed, and is awaited before
     * more is committed. Throws errors of the rows' source and, after the results of all rows so far, `rows_too_many` and
     * `stream_refused`.
     */
    stream: (...[call, arriving, report]: Parameters<typeof upsertStream>) =>
      upsertStream({ ...call, own: ownRows() }, arriving, report),
  };
}

/** Yields the rows of an array. Throws `rows_too_many`, and errors of `rowsOf`. Always calls `counted`. */
function* elementsOf(body: Uint8Array, counted: ManyCall['counted']) {
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

const MAX_LINES = 100_000;
const TOO_MANY_LINES =
  'The stream has more than 100,000 rows. Those up to that were processed: send the rest in another request.';
/** Consecutive refused rows after which the stream is ended. */
const MAX_REFUSED_IN_A_ROW = 1000;
/** Chunks of all requests in progress: one more than commits. */
export const CHUNKS_AT_ONCE = COMMITS_AT_ONCE + 1;

/**
 * Upserts rows as they arrive: gathers them into chunks, each a commit. Three chunks are under way, read while those
 * before are committed, so that the store never waits for this thread, and reported in their order.
 */
export function createStream(reader: RowReader, committer: RowCommitter, limits = LIMITS) {
  // A chunk only waits for this thread and the store, so one key may have all of them.
  const slots = new FairSlots({ slots: CHUNKS_AT_ONCE, ofGroup: CHUNKS_AT_ONCE });

  /** Holds its slot until the commit is done, so that few parsed rows are in memory. */
  const readAndHandOver = async (call: ManyCall, bodies: readonly Line['bytes'][]) => {
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

  /** `report` sends the results of rows to the caller, in their order. */
  return async (
    call: ManyCall,
    arriving: AsyncIterable<readonly Line[]>,
    report: (rows: readonly Line[], results: readonly RowResult[]) => Promise<void>,
  ): Promise<void> => {
    let refused = 0;
    let waiting: Line[] = [];
    let bytes = 0;
    /** Chunks in progress. One that failed stays here, and nothing more begins. */
    const working = new Set<Promise<void>>();
    /** When the store has the last chunk, which it judges before the next, and when its results are sent. */
    let handedOver: Promise<unknown> = Promise.resolve();
    let reported = Promise.resolve();

    const commit = async (rows: readonly Line[]): Promise<void> => {
      const before = reported;
      const bodies = rows.map(({ bytes }) => bytes);
      const committing = handedOver.then(() => readAndHandOver(call, bodies));
      const committed = committing.then(({ results }) => results);
      handedOver = committing.then(({ judged }) => judged);
      // If this chunk fails, the results of those before it are still sent first.
      reported = before.then(async () => {
        const results = await committed;
        for (const one of results)
          refused = one instanceof ApiError && one.status < 500 ? refused + 1 : 0;
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

    let left = MAX_LINES;
    try {
      for await (const arrived of arriving) {
        if (refused >= MAX_REFUSED_IN_A_ROW) throw new ApiError('stream_refused');
        // Waits in the queue even if no row has arrived: blank lines take time, too.
        await inSteps(call.principal.key, () => true);
        const rows = arrived.slice(0, left);
        left -= rows.length;
        waiting.push(...rows);
        for (const row of rows) bytes += row.bytes?.length ?? 0;
        begin();
        while (isFull()) await Promise.race(working);
        if (rows.length < arrived.length)
          throw new ApiError('rows_too_many', { message: TOO_MANY_LINES });
      }
    } finally {
      while (working.size > 0) await Promise.race(working);
      await reported;
    }
  };
}

interface ArrayResult {
  readonly results: readonly RowResult[];
  /** Whether an earlier request with the same key was answered again. */
  readonly replayed: boolean;
}

export interface WholeOptions {
  readonly atomic: boolean;
  readonly repeatable: Repeatable | undefined;
  /** Awaited when the rows are read, before any of them is saved. */
  readonly ready?: Promise<void> | undefined;
  /** Called when rows are saved as one commit. */
  readonly handedOver?: (() => void) | undefined;
}

/** Commits the array. Throws, with nothing saved, `StoreUnavailable`, or if a row of an atomic array is refused. */
async function commitWhole(
  { store, now }: ManyParts,
  committer: RowCommitter,
  call: ManyCall,
  rows: readonly Row[],
  { atomic, repeatable, handedOver }: WholeOptions,
): Promise<ArrayResult> {
  const { principal } = call;
  const receipt = repeatable && receiptFor(principal, repeatable, now());
  const commit = async (): Promise<ArrayResult | Repeated> => {
    const errors = rows.map(errorIn);
    if (atomic && errors.some((one) => one !== undefined)) await disclaim(call, draftsIn(rows));
    if (atomic) refuseAll(errors);
    throwOthers(errors);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const options = { atomic, bytes, ...(receipt && { receipt }) };
    const committing = committer.commitWhole(call, allDrafts(call, rows), options);
    handedOver?.();
    const outcomes = await committing;
    const [first] = outcomes;
    if (first?.outcome === 'repeated') return first;
    if (first?.outcome === 'refused' && first.error.code === 'idempotency_keys_exhausted')
      throw first.error;
    if (atomic)
      refuseAll(outcomes.map((one) => (one.outcome === 'refused' ? one.error : undefined)));
    const results = align(rows, outcomes, (one, draft) => resultOf(one, draft, call));
    return { results, replayed: false };
  };
  const done = await (receipt === undefined
    ? commit()
    : once(store, principal, receipt, commit, principal.scope.accounts.size > 1));
  return 'results' in done ? done : replay(call, rows, done);
}

function replay(call: ManyCall, rows: readonly Row[], done: Repeated): ArrayResult {
  const { receipt } = done;
  if (receipt.outcome !== 'batch')
    throw new TypeError('A batch is repeated from the receipt of one.');
  const { faults } = recordMissing(call.resource.shape);
  // Outcomes in accounts that have been closed since are not shown.
  const stored = receipt.drafts.map((one) => one ?? { outcome: 'refused' as const, faults });
  const results = align(rows, stored, (one) =>
    one.outcome === 'refused' ? new ApiError(one.faults) : one,
  );
  return { results, replayed: true };
}

/** Throws one error that names every fault of every row, if there is any. */
function refuseAll(results: readonly (RowResult | undefined)[]): void {
  throwOthers(results);
  const refused = results.filter((one) => one instanceof ApiError);
  if (refused.length === 0) return;
  const faults = new Faults();
  const values = { refused: refused.length, rows: results.length };
  faults.add(undefined, 'batch_refused', { values });
  for (const [index, result] of results.entries()) {
    if (!(result instanceof ApiError)) continue;
    for (const { param, code, ...said } of result.faults)
      faults.add(param === undefined ? String(index) : `${index}.${param}`, code, said);
  }
  faults.throwIfAny();
}

/** Throws errors that are not refusals, which end the request: the store is unreachable, or the fault is ours. */
function throwOthers(results: readonly (RowResult | undefined)[]): void {
  const other = results.find((one) => one instanceof Error && !(one instanceof ApiError));
  if (other !== undefined) throw other;
}

/**
 * Returns a draft per row that was read, so that the receipt has an outcome for each, even if a parent changed by the
 * time of a repetition. A row without a draft gets one that every store refuses, with an empty parent identifier.
 */
function allDrafts({ principal: { scope }, resource: { shape } }: ManyCall, rows: readonly Row[]) {
  const [account = ''] = scope.accounts;
  const refused = { shape, account, anchor: undefined, parent: '', patch: {} };
  return rows.flatMap((row) => {
    const { external_identifier: id } = row;
    return id === undefined ? [] : (draftIn(row) ?? { ...refused, external_identifier: id });
  });
}

/** Returns one result per row: that of its draft, or the error that it has instead. */
function align<T extends Outcome | StoredOutcome>(
  rows: readonly Row[],
  outcomes: readonly T[],
  resultOf: (outcome: T, draft: Draft | undefined) => RowResult,
): RowResult[] {
  const next = outcomes.values();
  return rows.map((row) => {
    const { draft, external_identifier } = row;
    if (external_identifier === undefined) return draft as Error;
    const outcome = next.next().value as T;
    return outcome.outcome === 'refused' && draft instanceof Error
      ? draft
      : resultOf(outcome, draftIn(row));
  });
}
