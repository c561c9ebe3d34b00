/** The rows of a request that brings many: each is read for itself, and committed together with others. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Principal } from '../auth/principal.ts';
import { ApiError } from '../errors.ts';
import type { CommitObserver } from '../observe/observers.ts';
import type { Resource } from '../schema/define.ts';
import { type Params, parseUpsert, type UpsertRequest } from '../schema/parse.ts';
import type { CommitOptions, Draft, Outcome, Store, Written } from '../store/store.ts';
import { type Drafts, mayBeStale } from './drafts.ts';
import type { Rehearse } from './rehearse.ts';
import { createTurns } from './turns.ts';
import { extrasOf, type Sent } from './writes.ts';

/** Bytes of one row: as many as the body of one upsert. */
export const MAX_ROW_BYTES = 1_048_576;

/**
 * Of all requests: the store goes on with the second while this thread is told
 * of the first. Single upserts wait for no more than these.
 */
const COMMITS_AT_ONCE = 2;

/** Of all requests: one lot more is read meanwhile, so that the store need not wait for this thread. */
export const LOTS_AT_ONCE = COMMITS_AT_ONCE + 1;

/** So much of what is sent is read at a time: others are served in between. */
export const PIECE_BYTES = 65_536;

/** What holds for all rows of a request. */
export interface ManyCall {
  readonly principal: Principal;
  readonly resource: Resource;
  readonly unknown: Params['unknown'];
  /** What the headers want to be so of every record. */
  readonly only: Sent['only'];
  /** Only tells what each row would do if it came alone, and changes nothing. */
  readonly dry_run: boolean;
}

/** A row that could be read. */
export interface ReadRow {
  readonly external_identifier: string;
  /** Its draft, or why there is none. */
  readonly made: Draft | Error;
  /** What it asks for, where the draft may have to be made once more: `mayBeStale`. */
  readonly again: UpsertRequest | undefined;
}

/** A row, or why it could not be read. */
export type Row = ReadRow | Error;

/** What was done for a row. */
export interface RowWritten {
  readonly outcome: Written['outcome'];
  /** Left out where a record would be created, and is not. */
  readonly unique_identifier?: string;
}

/** What became of a row: an error says why nothing was done for it. */
export type RowResult = RowWritten | Error;

export interface Rows {
  /**
   * Reads rows, each as the JSON body of an upsert; `undefined` is one that was
   * too long to be kept. `fresh` takes nothing from memory that a caller's own
   * identifier may by now mean otherwise.
   */
  read(
    call: ManyCall,
    rows: readonly (Uint8Array | undefined)[],
    fresh: boolean,
  ): Promise<readonly Row[]>;
  /** Commits rows together, each for itself, and gives one result per row. */
  commit(call: ManyCall, rows: readonly Row[]): Promise<readonly RowResult[]>;
  /**
   * Reads rows when their turn to be committed has come, so that few are held
   * read, and commits them. `begun` is told that the store has them, and
   * whether some may have to be committed once more.
   */
  readAndCommit(
    call: ManyCall,
    rows: readonly (Uint8Array | undefined)[],
    begun: (again: boolean) => void,
  ): Promise<readonly RowResult[]>;
  /** One outcome per draft. Those of one request wait for those of others, so that nobody has the store for himself. */
  commitDrafts(drafts: readonly Draft[], options?: CommitOptions): Promise<readonly Outcome[]>;
}

export interface RowsParts {
  readonly store: Pick<Store, 'commit'>;
  readonly drafts: Drafts;
  readonly rehearse: Rehearse;
  readonly observer?: Pick<CommitObserver, 'committed'> | undefined;
}

export function createRows({ store, drafts, rehearse, observer }: RowsParts): Rows {
  const reading = createTurns(LOTS_AT_ONCE);
  const committing = createTurns(COMMITS_AT_ONCE);

  const draftOf = (
    { principal: { scope }, resource, only }: ManyCall,
    request: UpsertRequest,
    fresh: boolean,
  ): Draft | Promise<Draft> => {
    const extras = extrasOf(only, undefined);
    return fresh && typeof request.parent !== 'string'
      ? drafts.makeNow(scope, resource, request, extras)
      : drafts.make(scope, resource, request, extras);
  };

  const readOne = (
    call: ManyCall,
    body: Uint8Array | undefined,
    fresh: boolean,
  ): Row | Promise<Row> => {
    if (body === undefined || body.length > MAX_ROW_BYTES) return rowTooLarge();
    let request: UpsertRequest | undefined;
    try {
      const { unknown } = call;
      request = parseUpsert(call.resource, { encoding: 'json', body, query: '', unknown });
      const read = request;
      const made = draftOf(call, request, fresh);
      if (!(made instanceof Promise)) return readRow(request, made);
      return made.then(
        (draft) => readRow(read, draft),
        (error: Error) => readRow(read, error),
      );
    } catch (error) {
      return request === undefined ? (error as Error) : readRow(request, error as Error);
    }
  };

  const readAll: Rows['read'] = async (call, rows, fresh) => {
    const read = rows.map((row) => readOne(call, row, fresh));
    return read.some((row) => row instanceof Promise) ? Promise.all(read) : (read as Row[]);
  };

  const readInPieces = async (
    call: ManyCall,
    rows: readonly (Uint8Array | undefined)[],
  ): Promise<readonly Row[]> => {
    const read: Row[] = [];
    let bytes = 0;
    let from = 0;
    for (const [index, row] of rows.entries()) {
      bytes += row?.length ?? 0;
      if (bytes < PIECE_BYTES && index < rows.length - 1) continue;
      if (from > 0) await turn();
      read.push(...(await readAll(call, rows.slice(from, index + 1), false)));
      bytes = 0;
      from = index + 1;
    }
    return read;
  };

  const commitNow = async (
    some: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]> => {
    if (some.length === 0) return [];
    const began = performance.now();
    try {
      return await store.commit(some, options);
    } finally {
      observer?.committed(some.length, performance.now() - began);
    }
  };

  const commitDrafts: Rows['commitDrafts'] = async (some, options) =>
    some.length === 0 ? [] : committing.take(() => commitNow(some, options));

  /** `last` says not to look again for parents that seem to be gone. */
  const commit = (call: ManyCall, rows: readonly Row[], last: boolean): Promise<RowResult[]> => {
    const ready = draftsIn(rows);
    const outcomes = call.dry_run ? Promise.all(ready.map(rehearse)) : commitDrafts(ready);
    return resultsOf(call, rows, outcomes, last);
  };

  const resultsOf = async (
    call: ManyCall,
    rows: readonly Row[],
    committed: Promise<readonly Outcome[]>,
    last: boolean,
  ): Promise<RowResult[]> => {
    let outcomes: readonly Outcome[];
    try {
      outcomes = await committed;
    } catch (error) {
      return rows.map((row) => errorIn(row) ?? (error as Error));
    }
    let next = 0;
    const stale: number[] = [];
    const results = rows.map((row, index): RowResult => {
      const error = errorIn(row);
      if (error !== undefined) return error;
      const outcome = outcomes[next++] as Outcome;
      const { again } = row as ReadRow;
      if (!last && again !== undefined && mayBeStale(again, outcome)) stale.push(index);
      return resultOf(outcome, call);
    });
    if (stale.length > 0) {
      const again = await Promise.all(
        stale.map(async (index): Promise<Row> => {
          const request = (rows[index] as ReadRow).again as UpsertRequest;
          const made = await Promise.try(draftOf, call, request, true).catch((error) => error);
          return readRow(request, made);
        }),
      );
      const found = await commit(call, again, true);
      for (const [at, index] of stale.entries()) results[index] = found[at] as RowResult;
    }
    return results;
  };

  return {
    read: readAll,
    commit: (call, rows) => commit(call, rows, false),
    readAndCommit: async (call, bodies, begun) => {
      const { read, outcomes } = await reading.take(async () => {
        const read = await readInPieces(call, bodies);
        const outcomes = call.dry_run ? undefined : commitDrafts(draftsIn(read));
        begun(read.some(mayComeAgain));
        await outcomes?.catch(() => {});
        return { read, outcomes };
      });
      return outcomes === undefined
        ? commit(call, read, false)
        : resultsOf(call, read, outcomes, false);
    },
    commitDrafts,
  };
}

function rowTooLarge(): ApiError {
  return new ApiError('body_too_large', {
    message: `The row is larger than 1 MiB; send at most ${MAX_ROW_BYTES} bytes.`,
  });
}

function readRow(request: UpsertRequest, made: Draft | Error): ReadRow {
  const { external_identifier, parent } = request;
  return { external_identifier, made, again: typeof parent === 'string' ? undefined : request };
}

/** Whether the row may have to be committed once more, as `mayBeStale` says when it was refused. */
function mayComeAgain(row: Row): boolean {
  return !(row instanceof Error) && row.again !== undefined;
}

function draftsIn(rows: readonly Row[]): readonly Draft[] {
  return rows.flatMap((row) => draftIn(row) ?? []);
}

/** The draft of a row, if there is one. */
export function draftIn(row: Row): Draft | undefined {
  return row instanceof Error || row.made instanceof Error ? undefined : row.made;
}

/** Why there is no draft of a row. */
export function errorIn(row: Row): Error | undefined {
  if (row instanceof Error) return row;
  return row.made instanceof Error ? row.made : undefined;
}

/** What an outcome comes to for its row. */
export function resultOf(outcome: Outcome, { dry_run }: ManyCall): RowResult {
  if (outcome.outcome === 'refused') return outcome.error;
  if (outcome.outcome === 'repeated' || outcome.outcome === 'withheld')
    throw new TypeError('Only a batch with a receipt or an atomic one is repeated or withheld.');
  if (dry_run && outcome.outcome === 'created') return { outcome: 'created' };
  return { outcome: outcome.outcome, unique_identifier: outcome.record.unique_identifier };
}
