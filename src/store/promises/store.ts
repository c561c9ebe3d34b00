/**
 * The promises of a store, in words. `test/conformance/` proves them of every store; nothing outside this room knows
 * which store it talks to.
 *
 * 1.  **Durable before shown.** No answer, read or `unchanged` shows anything that a crash, of the process or of the
 *     machine, could take back: a commit is on disk before its outcomes are returned.
 * 2.  **Whole or absent.** A draft's document, declared keys, version and receipt are in one commit.
 * 3.  **One draft's fault is its own.** It gets an outcome that says so and touches no other draft of its batch. An
 *     atomic batch is all or none.
 * 4.  **In order.** Drafts of one identity are applied in the order in which they were handed over, each answered with
 *     the record as it left it.
 * 5.  **Nothing lost, nothing doubled.** However many processes write one identity, every draft is merged and there is
 *     one record.
 * 6.  **Merge means `schema/merge/merge.ts`.** What is stored and answered is what that function gives, on every
 *     store.
 * 7.  **No orphans.** No record commits under a parent that is gone (or an account that is closed): the commit
 *     decides, whatever was seen before.
 * 8.  **Versions.** Every change raises a record's `version` by one; 1 means created. A draft that changes nothing
 *     leaves the record, its times, its version and its position untouched.
 * 9.  **Positions.** An account's commits are numbered without a gap in the order in which they are done; a reader
 *     that has read up to a number has seen everything up to it, and nothing will ever appear below it. Every record
 *     carries the position of the commit that last changed it, in its account.
 * 10. **Steady lists.** A list walked page by page gives exactly once every record that existed throughout and kept
 *     its place, as long as those that serve as cursors keep theirs: a page begins where its cursor stands now.
 * 11. **Everything is logged.** What a commit changes is in the log of changes with it: each change of a record once,
 *     under the position of the commit, a record's changes in the order of its versions. Any version that the log
 *     still reaches can be had again.
 *
 * Errors: a store that cannot write now (locked, full, read-only, failing) throws `StoreUnavailable`, and then nothing
 * of the batch was committed. If it never heard whether the commit was done it throws `StoreUnsure`, and then any of
 * its drafts may have been committed, those of an atomic batch together. Drafts may be handed over again in both cases.
 *
 * Times are milliseconds since 1970. Identifiers named `unique_identifier` are ours (`evt_…`), those named
 * `external_identifier` the sender's.
 */
import type { ApiError, Fault } from '../../core/errors.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { AccountBook, LocationSettingsBook, SourceBook, SyncBook } from './account-book.ts';
import type { AuditBook } from './audit/book.ts';
import type { BackupBook } from './backup-book.ts';
import type { Erased } from './erasing/book.ts';
import type { ErasingBooks } from './erasing/books.ts';
import type { ImportBook } from './imports.ts';
import type { KeyRing } from './keys.ts';
import type { ChangeLog, Restoration } from './log.ts';
import type { ExpectationBook, RequestBook } from './requests.ts';
import type { SearchIndex } from './search.ts';
import type { SelfTestBook } from './self-tests.ts';
import type { Snapshot } from './snapshot.ts';
import type { StaffBook } from './staff.ts';
import type { Scope, StoredRecord } from './stored.ts';
import type { WebhookBook } from './webhooks.ts';

export type { Erased } from './erasing/book.ts';
export type { Account, Scope, StoredRecord } from './stored.ts';

/** A record to be written: who it is, where it belongs, and what to merge into it. */
export interface Draft {
  readonly shape: RecordShape;
  /** The unique identifier of the account. */
  readonly account: string;
  /** The unique identifier of the record that rights can be limited to (the location); `undefined` when this record is one itself. */
  readonly anchor: string | undefined;
  /** The unique identifier of the record that it belongs to. */
  readonly parent: string;
  readonly external_identifier: string;
  /** Canonical values. An absent member leaves what is stored; `null` removes it. */
  readonly patch: JsonObject;
  /** The draft is refused unless this holds. Without it, an existing record is merged into and a missing one created. */
  readonly only?: Condition;
  /** Proof that the request was done, stored with the record. */
  readonly receipt?: Receipt;
  /** Who writes it: the unique identifier of an API key, a person or an import. */
  readonly by?: string;
  /** The number of the source that it comes from: `store.sources` finds it by who writes. */
  readonly source?: number;
  /** Set where the patch brings an earlier version back. */
  readonly restores?: Restoration;
  /** What becomes of the record's pins; left out: they hold, and what differs from them is proposed. */
  readonly pins?: PinsChange;
  /** Set where a retention rule would remove the record at once if the draft made it: it makes none. */
  readonly isPast?: true;
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

/** Conditions on a record when it is written to, judged in the commit. Refusals name no `param`. */
export interface Condition {
  /** `absent`: refused with `record_exists`. `present`: refused with `resource_missing`. */
  readonly record?: 'absent' | 'present';
  /** Refused with `resource_missing` unless it is this record: a removed one may have been followed by another. */
  readonly unique_identifier?: string;
  /** Refused with `record_changed` unless the record exists and has one of these versions. */
  readonly versions?: readonly number[];
}

/** A record to be removed. */
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
  /** Who removes it: the unique identifier of an API key, a person or an import. */
  readonly by?: string;
  /** Only reports what would happen, and changes nothing. */
  readonly rehearse?: boolean;
}

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
  /** As it was last. */
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

/** The sender's identity of a record (specification, "Upsert semantics"). */
export interface Pair {
  readonly account: string;
  readonly parent: string;
  readonly external_identifier: string;
}

export interface ListQuery {
  readonly shape: RecordShape;
  readonly scope: Scope;
  /** By a declared key (by code point, records without it first), ties by unique identifier; or the newest first. */
  readonly order: { readonly key: string; readonly descending?: boolean } | 'newest';
  /** Only records that meet all of these. */
  readonly where?: readonly Filter[];
  /** How many records at most. */
  readonly limit: number;
  /**
   * How many bytes of UTF-8 the documents of a page may come to: the page ends
   * before the record that would exceed them, and has one record at least. No
   * more than that one is read beyond the page. Left out: no such bound.
   */
  readonly bytes?: number;
  /** The records after this one, or those just before it, in the list's order. */
  readonly cursor?: { readonly side: 'after' | 'before'; readonly unique_identifier: string };
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

export interface Store extends ErasingBooks {
  /** Whether other serving processes may work on the same records at the same time. */
  readonly processes: 'one' | 'many';
  /** Where the records are, for people to read; contains no password. */
  readonly place: string;
  /** The path of the file that holds them, where it is one on this machine. */
  readonly file?: string;

  /** Writes the drafts in one commit. Gives one outcome for each, in the same order. */
  commit(drafts: readonly Draft[], options?: CommitOptions): Promise<readonly Outcome[]>;
  /**
   * For stores in which commits of different accounts do not wait for each other: takes batches of drafts, each of one
   * account. Each promise resolves as soon as its batch is done, as that of `commit`.
   */
  commitEach?(
    batches: readonly (readonly Draft[])[],
    options?: Pick<CommitOptions, 'withinMs'>,
  ): readonly Promise<readonly Outcome[]>[];
  /**
   * Polls for finished commits, if the store supports it. Call it between requests: with thousands of busy connections
   * the event loop takes long to reach them.
   */
  poll?(): void;
  /**
   * Removes a record in one commit. Refused with `resource_missing` if there is none, and where its conditions are not
   * met. Other writers wait no longer for it than for any other commit.
   */
  remove(removal: Removal): Promise<Removed | Refused | Repeated>;
  /** The record with that unique identifier, if it is in the scope (and, for an account, open). */
  find(
    shape: RecordShape,
    unique_identifier: string,
    scope: Scope,
  ): Promise<StoredRecord | undefined>;
  /** The records that `find` would give for these unique identifiers, each once, in no order. */
  findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    scope: Scope,
  ): Promise<readonly StoredRecord[]>;
  /** The record with that pair of identifiers, if there is one. */
  findPair(shape: RecordShape, pair: Pair): Promise<StoredRecord | undefined>;
  /**
   * A page of the records in the scope (of accounts: the open ones), or
   * `undefined` when the cursor is not one of them.
   */
  list(query: ListQuery): Promise<Page | undefined>;
  /** How many records a list has in all; `limit` and one where it has more than `limit`. */
  count(query: CountQuery): Promise<number>;
  /** The receipt of a request that was done, if it has not expired. */
  receipt(query: ReceiptQuery): Promise<StoredReceipt | undefined>;
  /**
   * Purges some receipts that have expired, briefly enough not to hold up writers. Returns whether there may be more.
   * Receipts go some minutes after they expire at the latest.
   */
  purgeReceipts(): Promise<boolean>;

  readonly accounts: AccountBook;
  readonly keys: KeyRing;
  readonly log: ChangeLog;
  readonly requests: RequestBook;
  readonly audit: AuditBook;
  readonly backups: BackupBook;
  readonly imports: ImportBook;
  readonly locationSettings: LocationSettingsBook;
  readonly expectations: ExpectationBook;
  readonly webhooks: WebhookBook;
  readonly staff: StaffBook;
  readonly selfTests: SelfTestBook;
  readonly sources: SourceBook;
  readonly syncs: SyncBook;
  readonly search: SearchIndex;

  /** Everything as it stands now, to be read while others write. */
  snapshot(): Promise<Snapshot>;
  /** The latest time that was noted, in milliseconds since 1970. */
  seenTime(): Promise<number | undefined>;
  noteTime(at: number): Promise<void>;
  /** When `compact` last rewrote the file of a store on SQLite, in milliseconds since 1970. */
  rewrittenTime(): Promise<number | undefined>;
  /** Throws `StoreUnavailable` unless a write can be committed now. */
  checkWritable(): Promise<void>;
  /** Waits for what is under way, then lets go of the store. */
  close(): Promise<void>;
}

export interface CommitOptions {
  /**
   * One refusal means that nothing of the batch is saved: drafts that
   * are refused say why, and all others are `withheld`.
   */
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
  /** As that request left it, or `undefined` where it was removed since: nothing of it is stored then. */
  readonly record: AnsweredRecord | undefined;
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
  /** Its message is a sentence for the operator, and holds nothing of a caller. */
  readonly isForLog = true;
}

/** It is unknown whether the request was written. */
export class StoreUnsure extends StoreUnavailable {
  override readonly name = 'StoreUnsure';
}

/** The store cannot be opened: one clear sentence for the operator, and nothing was touched. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}
