/** One row of a bulk request, and its result. */
import type { Columns } from '../../../core/schema/csv/columns.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { Params, UpsertRequest } from '../../../core/schema/parse/parse.ts';
import { keptOf } from '../../../core/schema/pins.ts';
import type { Draft, Erased, Outcome, Written } from '../../../store/promises/store.ts';
import type { Principal } from '../../auth/principal.ts';
import type { WriteParams } from '../one/write.ts';
import type { OwnRows, Sighted } from '../seen.ts';

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
  const written = { outcome: outcome.outcome, unique_identifier, account, anchor };
  const kept = draft === undefined ? [] : keptOf(draft.shape.document, document, () => draft.patch);
  return kept.length === 0 ? written : { ...written, kept };
}
