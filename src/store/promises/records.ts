/** Drafts, removals and lists of records, what becomes of them, and the errors of a store. */
import type { ApiError, Fault } from '../../core/errors.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Erased } from './erasing/book.ts';
import type { Restoration } from './log.ts';
import type { Scope, StoredRecord } from './stored.ts';

export type { Erased } from './erasing/book.ts';
export { type Account, type Pair, type Scope, type StoredRecord, wholeAccount } from './stored.ts';

/** A record to be written: who it is, where it belongs, and what to merge into it. */
export interface Draft {
  readonly shape: RecordShape;
  readonly account: string;
  /** The unique identifier of the record that rights can be limited to (the location); `undefined` when this record is one itself. */
  readonly anchor: string | undefined;
  readonly parent: string;
  readonly external_identifier: string;
  /** Canonical values. An absent member leaves what is stored; `null` removes it. */
  readonly patch: JsonObject;
  /** The draft is refused unless this holds. Without it, an existing record is merged into and a missing one created. */
  readonly only?: Condition | undefined;
  /** Proof that the request was done, stored with the record. */
  readonly receipt?: Receipt | undefined;
  /** Who writes it: the unique identifier of an API key, a person or an import. */
  readonly by?: string | undefined;
  /** The number of the source that it comes from: `store.sources` finds it by who writes. */
  readonly source?: number | undefined;
  /** Set where the patch brings an earlier version back. */
  readonly restores?: Restoration | undefined;
  /** The treatment of the record's pins; left out: they hold, and different values are proposed. */
  readonly pins?: PinsChange | undefined;
  /** Set where the record would be removed at once for its age if the draft made it: it makes none. */
  readonly isTooOld?: true | undefined;
}

/**
 * `set`: what the patch changes is pinned. `override`: pins do not hold, and those of what it names end. Otherwise the
 * patch is empty: `lift` names a member, whose pin ends; `accept` and `keep` a proposal, which is stored in place of what
 * staff corrected, or overruled. Refused with `pin_missing` and `proposal_decided` where it is no more.
 */
export type PinsChange =
  | 'set'
  | 'override'
  | { readonly lift: string }
  | { readonly accept: string }
  | { readonly keep: string };

/** Returns the drafts, those of records that are too old to be made with `isTooOld`. At once where there can be none. */
export type RefuseTooOld = (
  drafts: readonly Draft[],
) => readonly Draft[] | Promise<readonly Draft[]>;

/** Conditions on a record when it is written to, judged in the commit. Refusals name no `param`. */
export interface Condition {
  /** `absent`: refused with `record_exists`. `present`: refused with `resource_missing`. */
  readonly record?: 'absent' | 'present';
  /** Refused with `resource_missing` unless it is this record: a removed one may have been followed by another. */
  readonly unique_identifier?: string;
  /** Refused with `record_changed` unless the record exists and has one of these versions. */
  readonly versions?: readonly number[];
  /** Data of a moment: a record that these sources changed after it stays as it is, `unchanged`. */
  readonly dated?: Dated;
}

/** The moment at which data was taken, and what its sources have written since. Times are milliseconds since 1970. */
export interface Dated {
  readonly at: number;
  /** When it began to arrive; a time behind that, of a record that was there by then, is of a clock that was ahead. */
  readonly began: number;
  /** The last commit of the account by then. */
  readonly position: number;
  /** The numbers of these sources. */
  readonly sources: readonly number[];
}

export interface Removal {
  readonly shape: RecordShape;
  readonly account: string;
  readonly unique_identifier: string;
  /**
   * Removes everything below it, at every depth, too; `children_too_many` where that is more than `MAX_REMOVED`.
   * Without it a record that has children is refused with `record_has_children`.
   */
  readonly cascade: boolean;
  /** Refused with `record_changed` where it has none of these versions. */
  readonly versions?: readonly number[];
  readonly receipt?: Receipt;
  /** Refused where another source made it or changed it last (`record_changed`), or anything below (`record_has_children`). */
  readonly sources?: readonly number[];
  /** With `sources`: refused with `record_has_children` where anything below was changed after that commit, or that time. */
  readonly until?: { readonly position: number; readonly at: number } | undefined;
  /** Who removes it: the unique identifier of an API key, a person or an import. */
  readonly by?: string;
  /** Only reports what would happen, and changes nothing. */
  readonly rehearse?: boolean;
}

/** The `until` of a removal that has none. */
export const WHENEVER = { position: Number.MAX_SAFE_INTEGER, at: Number.MAX_SAFE_INTEGER } as const;

/** The most records that one removal takes away with a record. */
export const MAX_REMOVED = 5_000;

/**
 * Proof that one request was done, stored in the commit that did it, with the account of what it proves: a repeated
 * request is answered from it. If the receipts of an owner take more room than the store grants, further drafts with a
 * receipt are refused with `idempotency_keys_exhausted`.
 */
export interface Receipt {
  /** The unique identifier of the API key that made the request. */
  readonly owner: string;
  readonly idempotency_key: string;
  /** SHA-256 of the request. */
  readonly fingerprint: Uint8Array;
  /** Milliseconds since 1970; the receipt is gone after that. */
  readonly expires_at: number;
}

/** A receipt that may be with any account that its owner may see; the one with that fingerprint, if several have one. */
export interface ReceiptQuery extends Omit<Receipt, 'expires_at'> {
  readonly accounts: readonly string[];
}

export type Outcome = Written | Refused | Erased | Repeated | Withheld | Postponed;

export interface Written {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly record: StoredRecord;
  /** How long merging took, in milliseconds; 0 where the store merges within its statements. */
  readonly mergeMs: number;
}

/** The record is gone, with everything below it; its pair of identifiers may be used again. */
export interface Removed {
  readonly outcome: 'deleted';
  /** The record as it was last. */
  readonly record: StoredRecord;
  /** How many records were removed with it. */
  readonly below: number;
}

export interface Refused {
  readonly outcome: 'refused';
  /** Why this draft is refused: faults of the merge, a parent that is gone, a condition that is not met. */
  readonly error: ApiError;
}

/**
 * The draft's receipt exists already: another request did the same, which may have been committed a moment ago, or
 * stands earlier in this batch. Nothing was done for it again.
 */
export interface Repeated {
  readonly outcome: 'repeated';
  /** To be compared by its fingerprint, as with any receipt. */
  readonly receipt: StoredReceipt;
}

/** A draft of an atomic batch in which another one was refused: nothing was done for it. */
export interface Withheld {
  readonly outcome: 'withheld';
}

/** A draft for which a commit had no time left: nothing was done for it. */
export interface Postponed {
  readonly outcome: 'postponed';
}

/** A place in a list, whether or not there is a record. */
export interface ListPlace {
  readonly unique_identifier: string;
  /** Its declared key, in a list that is ordered by one. */
  readonly key?: string;
}

export interface ListQuery {
  readonly shape: RecordShape;
  readonly scope: Scope;
  /** By a declared key (by code point, records without it first), ties by unique identifier; or the newest first. */
  readonly order: { readonly key: string; readonly descending?: boolean } | 'newest';
  /** Only records that meet all of these. */
  readonly where?: readonly Filter[];
  readonly limit: number;
  /**
   * How many bytes of UTF-8 the documents of a page may come to: the page ends before the record that would exceed
   * them, and has one record at least. No more than that one is read beyond the page. Left out: no such bound.
   */
  readonly bytes?: number;
  /** The records after this place in the list's order. */
  readonly after?: ListPlace | undefined;
  /** The records just before this place. */
  readonly before?: ListPlace | undefined;
  /** Awaited between looks at a bounded number of records each; what it throws, `list` throws. */
  readonly giveWay?: () => Promise<void>;
}

export type CountQuery = Pick<ListQuery, 'shape' | 'scope' | 'where' | 'limit' | 'giveWay'>;

/** A condition on a column that every record has, or on a declared key of the shape. */
export interface Filter {
  readonly by:
    | 'parent'
    | 'anchor'
    | 'external_identifier'
    | 'inserted_at'
    | 'updated_at'
    /** One of the numbers of sources in `value`, with commas between. */
    | 'created_by'
    | { readonly key: string };
  readonly is: '=' | '>=' | '>' | '<=' | '<';
  /** Times are milliseconds since 1970; a key is as `keyValue` gives it, and texts compare by code point. Records without the key meet nothing. */
  readonly value: string | number;
}

export interface Page {
  readonly records: readonly StoredRecord[];
  /** Whether there are more in the direction of the walk. */
  readonly more: boolean;
}

export interface CommitOptions {
  /** One refusal means that nothing of the batch is saved: drafts that are refused say why, and all others are `withheld`. */
  readonly atomic?: boolean;
  /**
   * Proof of the whole batch, stored with the first account in which it writes, unless it is atomic and something of it
   * was refused. Where one of its accounts has it already, nothing is done and every outcome is `repeated` with it. The
   * drafts then have no receipts of their own.
   */
  readonly receipt?: Receipt;
  /**
   * The milliseconds after which drafts not judged yet are `postponed`; the first is always judged. For batches that
   * are neither atomic nor have a receipt.
   */
  readonly withinMs?: number;
}

export type StoredReceipt = StoredWrite | StoredRemoval | StoredBatch;

export interface StoredWrite {
  readonly fingerprint: Uint8Array;
  readonly outcome: Written['outcome'];
  /** The version that the request left, whose content is in the log of changes. */
  readonly version: number;
  /** The record now; `undefined` where it was removed since. */
  readonly record: StoredRecord | undefined;
}

/** A record as it was answered once. */
export type AnsweredRecord = Omit<StoredRecord, 'position' | 'created_by' | 'changed_by'>;

export interface StoredRemoval {
  readonly fingerprint: Uint8Array;
  readonly outcome: Removed['outcome'];
  readonly unique_identifier: string;
  readonly below: number;
}

export interface StoredBatch {
  readonly fingerprint: Uint8Array;
  readonly outcome: 'batch';
  /** The outcome of each draft, in their order; `null` where it belongs to an account that the owner cannot see. */
  readonly drafts: readonly (StoredOutcome | null)[];
}

export type StoredOutcome =
  | { readonly outcome: Written['outcome']; readonly unique_identifier: string }
  | { readonly outcome: 'refused'; readonly faults: readonly Fault[] }
  | Erased;

/** Nothing can be written now. Nothing of the request was written, unless it is a `StoreUnsure`. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
  /**
   * Its message is a sentence for the operator, and holds nothing of a caller: about a store that is not there for
   * anybody, or one that refuses what one of them wants.
   */
  readonly isForLog: 'away' | 'refused' = 'away';
  /** The code of the database and its own words, as far as these hold nothing of a record. */
  readonly says: string | undefined;

  constructor(
    message: string,
    { says, ...options }: ErrorOptions & { says?: string | undefined } = {},
  ) {
    super(message, options);
    this.says = says;
  }
}

/**
 * The store takes writes, but not this one: somebody has put a condition of their own into the database, or taken a right
 * away. Nothing was written, and it is refused again until somebody changes that there.
 */
export class StoreRefusal extends StoreUnavailable {
  override readonly name = 'StoreRefusal';
  override readonly isForLog = 'refused';
}

/** Whether the store is not there for anybody, so that nothing is to be said of the work that this ended. */
export function isAway(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable && !(error instanceof StoreRefusal);
}

/** It is unknown whether the request was written. */
export class StoreUnsure extends StoreUnavailable {
  override readonly name = 'StoreUnsure';
}

/** The store cannot be opened: one clear sentence for the operator, and nothing was touched. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}
