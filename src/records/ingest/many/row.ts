/** Rows of bulk requests: each is read as the body of an upsert, round-robin with those of other requests, and has a result. */
import { ApiError, MAX_NAMED_FAULTS } from '../../../core/errors.ts';
import { inSteps } from '../../../core/fair/scheduler.ts';
import type { Columns } from '../../../core/schema/csv/columns.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { NOT_YET } from '../../../core/schema/json/rows.ts';
import { type Params, parseUpsert, type UpsertRequest } from '../../../core/schema/parse/parse.ts';
import { keptOf } from '../../../core/schema/pins.ts';
import type {
  Draft,
  Erased,
  Outcome,
  RefuseTooOld,
  Written,
} from '../../../store/promises/store.ts';
import { staysNewer } from '../../../store/records/dated.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Drafts, ParentLookups } from '../drafts.ts';
import { extrasOf, sourceExtrasOf, type WriteParams } from '../one/write.ts';
import {
  conditionOf,
  type OwnRows,
  repeatedRow,
  type SeenRecord,
  type Sighted,
  seenRecord,
} from '../seen.ts';

/** The most bytes of one row: those of the body of one upsert. */
export const MAX_ROW_BYTES = 1_048_576;

/** The context that all rows of a request share. */
export interface ManyCall {
  readonly principal: Principal;
  readonly resource: Resource;
  readonly unknown: Params['unknown'];
  /** The columns if rows are those of a table; otherwise each row is JSON. */
  readonly columns?: Columns | undefined;
  /** Conditions from the headers, for every record. */
  readonly only: WriteParams['only'];
  /** Whether to report only what each row would do by itself. */
  readonly dry_run: boolean;
  /** Called with the number of rows in an array, when they are read. */
  readonly counted?: ((rows: number) => void) | undefined;
  /** Awaited before each commit, in their order: throws `ApiError` if the caller may no longer write. */
  readonly still?: (() => Promise<unknown>) | undefined;
  readonly sync?: Sighted | undefined;
  /** The rows of the request, if they are compared with each other. */
  readonly own?: OwnRows | undefined;
  /** Whether the client is gone: rows that are not read yet are dropped. */
  readonly isGone?: (() => boolean) | undefined;
}

export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export interface ParsedRow {
  readonly request: UpsertRequest;
  /** About the size of the row as it was sent. */
  readonly bytes: number;
}

/** A row with its draft, or the error that it has instead. */
export interface Row {
  readonly draft: Draft | Error;
  /** The size of the row as it was sent; 0 if it could not be read. */
  readonly bytes: number;
  /** Left out if the row could not be read. */
  readonly external_identifier?: string;
  /** The identifier in a row of a sync that could not be read. */
  readonly unread?: string | undefined;
  /** Set if the parent of the draft may be stale: the request, to make the draft again. */
  readonly retryable?: UpsertRequest | undefined;
}

/** The result of a row that was written, or whose record was erased. */
export interface RowWritten {
  readonly outcome: (Written | Erased)['outcome'];
  /** The record's unique identifier; left out if it was erased, or a dry run would create it. */
  readonly unique_identifier?: string;
  /** The record's account; left out if it is unknown. */
  readonly account?: string;
  readonly anchor?: string | null;
  /** The row's members whose values stayed as staff had corrected them. */
  readonly kept?: readonly string[];
  /** The record has other values than the row, and stays: its source changed it after the data of the sync was taken. */
  readonly newer?: true;
}

/** The result of a row; an error if it was not written. */
export type RowResult = RowWritten | Error;

export function draftsIn(rows: readonly Row[]): readonly Draft[] {
  return rows.flatMap((row) => draftIn(row) ?? []);
}

export function draftIn({ draft }: Row): Draft | undefined {
  return draft instanceof Error ? undefined : draft;
}

export function errorIn({ draft }: Row): Error | undefined {
  return draft instanceof Error ? draft : undefined;
}

/** Returns the result of a row from the outcome of its draft. */
export function resultOf(
  outcome: Outcome,
  draft: Draft | undefined,
  { dry_run }: Pick<ManyCall, 'dry_run'>,
): RowResult {
  if (outcome.outcome === 'refused') return outcome.error;
  if (outcome.outcome === 'erased') return { outcome: 'erased' };
  if (!('record' in outcome))
    throw new TypeError(`A row of a batch without a receipt of its own was ${outcome.outcome}.`);
  if (dry_run && outcome.outcome === 'created') return { outcome: 'created' };
  const { unique_identifier, account, anchor, document } = outcome.record;
  const isNewer = draft !== undefined && staysNewer(outcome.record, draft, draft.only?.dated);
  const written = {
    ...{ outcome: outcome.outcome, unique_identifier, account, anchor },
    ...(isNewer && { newer: true as const }),
  };
  const kept = draft === undefined ? [] : keptOf(draft.shape.document, document, () => draft.patch);
  return kept.length === 0 ? written : { ...written, kept };
}

/** The most faults to name in rows that are read together; further rows name their first fault and count the rest. */
const MAX_NAMED_TOGETHER = 1_000;

interface ReadOptions {
  /** Looks up each parent that is named by the caller's identifiers, which another record may have by now. */
  readonly uncached?: boolean;
  /** Checks each row that could not be read, and throws if it refuses the whole request. */
  readonly check?: (row: ApiError, body: Uint8Array) => void;
}

export type RowReader = ReturnType<typeof createRowReader>;

export function createRowReader(drafts: Drafts, refuseTooOld: RefuseTooOld) {
  const draftOf = (
    { principal, resource, only: sent, sync }: ManyCall,
    request: UpsertRequest,
    found: ParentLookups | undefined,
  ): Draft | Promise<Draft> => {
    const only = conditionOf(sync, sent);
    // Rows from people are files, which do not count as corrections.
    const extras =
      principal.person === undefined
        ? extrasOf(principal, resource.path, only, undefined)
        : sourceExtrasOf(principal, only, undefined);
    const { scope } = principal;
    return found !== undefined && typeof request.parent !== 'string'
      ? drafts.makeUncached(scope, resource, request, extras, found)
      : drafts.make(scope, resource, request, extras);
  };

  /** Returns the row of a body. `found` is given if each parent must be looked up. */
  const rowOf = (
    call: ManyCall,
    { request, bytes }: ParsedRow,
    found: ParentLookups | undefined,
  ): Row | Promise<Row> => {
    const { external_identifier, parent } = request;
    const retryable = found !== undefined || typeof parent === 'string' ? undefined : request;
    const withDraft = (draft: Draft | Error): Row => ({
      bytes,
      external_identifier,
      draft,
      retryable,
    });
    try {
      const draft = draftOf(call, request, found);
      return draft instanceof Promise ? draft.then(withDraft, withDraft) : withDraft(draft);
    } catch (error) {
      return withDraft(error as Error);
    }
  };

  const judged = async (rows: readonly Row[]): Promise<readonly Row[]> => {
    const made = draftsIn(rows);
    const left = await refuseTooOld(made);
    if (left === made) return rows;
    const next = left.values();
    return rows.map((row) =>
      draftIn(row) === undefined ? row : { ...row, draft: next.next().value as Draft },
    );
  };

  const parse = ({ resource, unknown, columns }: ManyCall, body: Uint8Array, named: number) => {
    const encoding = columns === undefined ? 'json' : 'cells';
    const params = { encoding, columns, body, query: '', unknown, named } as const;
    return { request: parseUpsert(resource, params), bytes: body.length };
  };

  return {
    /**
     * Returns one row for each body. A body may be parsed already; `undefined` stands for one that was too long, and
     * `NOT_YET` for none. Throws `ClientGone`, and errors of the bodies and of `check`.
     */
    async read(
      call: ManyCall,
      bodies: Iterable<Uint8Array | ParsedRow | typeof NOT_YET | undefined>,
      { uncached = false, check }: ReadOptions = {},
    ) {
      const rows: (Row | Promise<Row>)[] = [];
      const arriving = bodies[Symbol.iterator]();
      const found: ParentLookups | undefined = uncached ? new Map() : undefined;
      let named = 0;
      const brief = (error: Error): Error => {
        if (!(error instanceof ApiError)) return error;
        named += error.faults.length;
        return named <= MAX_NAMED_TOGETHER ? error : shortened(error);
      };
      const rowIn = (body: Uint8Array | ParsedRow): Row | Promise<Row> => {
        if (!(body instanceof Uint8Array)) return rowOf(call, body, found);
        let parsed: ParsedRow;
        try {
          parsed = parse(call, body, named < MAX_NAMED_TOGETHER ? MAX_NAMED_FAULTS : 1);
        } catch (error) {
          if (error instanceof ApiError) check?.(error, body);
          const unread = call.sync?.identifierIn(body);
          return { draft: brief(error as Error), bytes: 0, unread };
        }
        return rowOf(call, parsed, found);
      };
      await inSteps(call.principal.key, () => {
        if (call.isGone?.()) throw new ClientGone();
        const { value: body, done } = arriving.next();
        if (done) return true;
        if (body === NOT_YET) return false;
        const isTooLarge = body instanceof Uint8Array && body.length > MAX_ROW_BYTES;
        if (body === undefined || isTooLarge) rows.push({ draft: rowTooLarge(), bytes: 0 });
        else rows.push(rowIn(body));
        return false;
      });
      return compared(call, await judged(await Promise.all(rows)));
    },

    /** Creates the row's draft again with its parent looked up. The row is not retried a second time. */
    async renew(call: ManyCall, row: Row): Promise<Row> {
      const request = row.retryable as UpsertRequest;
      const draft = await Promise.try(draftOf, call, request, new Map()).catch((e: Error) => e);
      const renewed = await judged([{ ...row, draft, retryable: undefined }]);
      const [seen = row] = await compared(call, renewed);
      return seen;
    },
  };
}

/** Refuses rows that differ from earlier ones of the request or its sync, or are for places outside the sync. */
async function compared({ sync, own, dry_run }: ManyCall, rows: readonly Row[]) {
  const refusals = sync === undefined ? [] : await noted(sync, rows, dry_run);
  // A sync compares the rows of a request with each other, too, but not those of a dry run.
  const isOwn = sync === undefined || dry_run;
  return rows.map((row, at) => {
    const draft = draftIn(row);
    if (draft === undefined) return row;
    const refusal = refusals[at] ?? (isOwn && own?.differs(draft) ? repeatedRow() : undefined);
    return refusal === undefined ? row : { ...row, draft: refusal, retryable: undefined };
  });
}

/** Marks the rows' records as seen in a sync. Returns the refusals, each at the index of its row. */
async function noted(sync: Sighted, rows: readonly Row[], dry_run: boolean) {
  const refusals = rows.map((row) => {
    const draft = draftIn(row);
    return draft && sync.refusal(draft);
  });
  const named = rows.map((row, at): SeenRecord | undefined => {
    const { draft, unread, external_identifier = unread } = row;
    if (external_identifier === undefined) {
      if (draft instanceof Error) sync.unnamed?.(draft);
      return undefined;
    }
    // One that is said to be elsewhere may be here.
    if (draft instanceof Error || refusals[at] !== undefined)
      return { external_identifier, content: null };
    return seenRecord(draft);
  });
  const seen = named.filter((one) => one !== undefined);
  const differ = (await sync.see(seen, { dry_run })).values();
  return named.map((one, at) =>
    one !== undefined && differ.next().value ? repeatedRow() : refusals[at],
  );
}

/** Returns the error with its first fault only; the others are counted. */
function shortened(error: ApiError): ApiError {
  const [first, ...others] = error.faults;
  if (first === undefined || others.length === 0) return error;
  return new ApiError([first], { unnamed: others.length });
}

function rowTooLarge(): ApiError {
  const message = `The row is larger than 1 MiB; send at most ${MAX_ROW_BYTES} bytes.`;
  return new ApiError('body_too_large', { message });
}
