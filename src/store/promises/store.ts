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
 *     its place, even if records at which pages begin are removed.
 * 11. **Everything is logged.** What a commit changes is in the log of changes with it: each change of a record once,
 *     under the position of the commit, a record's changes in the order of its versions. Any version that the log
 *     still reaches can be had again.
 *
 * Errors: a store that cannot write now (locked, full, read-only, failing) throws `StoreUnavailable`, and then nothing
 * of the batch was committed. If it never heard whether the commit was done it throws `StoreUnsure`, and then any of
 * its drafts may have been committed, those of an atomic batch together. Drafts may be handed over again in both cases.
 * What the database will not have of a single draft, for a condition of somebody else's, is that draft's refusal
 * (`store_refused`); of anything else, `StoreRefusal` is thrown, and nothing was written.
 *
 * Times are milliseconds since 1970. Identifiers named `unique_identifier` are ours (`evt_…`), those named
 * `external_identifier` the sender's.
 */
import type { Events } from '../../core/observe/events.ts';
import type { Observer } from '../../core/observe/observers.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { Books } from '../books/books.ts';
import type { ErasingBook } from '../books/erasures.ts';
import type { AccountBook } from './account-book.ts';
import type { ChangeLog } from './log.ts';
import type {
  CommitOptions,
  CountQuery,
  Draft,
  ListQuery,
  Outcome,
  Page,
  Pair,
  ReceiptQuery,
  Refused,
  Removal,
  Removed,
  Repeated,
  Scope,
  StoredReceipt,
  StoredRecord,
} from './records.ts';
import type { SearchIndex } from './search.ts';
import type { Snapshot } from './snapshot.ts';

export * from './records.ts';

export interface Store extends Books {
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
  /** A page of the records in the scope (of accounts: the open ones). */
  list(query: ListQuery): Promise<Page>;
  /** How many records a list has in all; `limit` and one where it has more than `limit`. */
  count(query: CountQuery): Promise<number>;
  /** The receipt of a request that was done, if it has not expired. */
  receipt(query: ReceiptQuery): Promise<StoredReceipt | undefined>;
  /**
   * Purges some receipts that have expired, briefly enough not to hold up writers. Returns whether there may be more.
   * Receipts go some minutes after they expire at the latest.
   */
  purgeReceipts(): Promise<boolean>;
  /** Has a database server learn of a table that has grown much since it last did; returns whether there may be more. */
  learn?(): Promise<boolean>;

  readonly accounts: AccountBook;
  readonly erasing: ErasingBook;
  readonly log: ChangeLog;
  readonly search: SearchIndex;

  /** Everything as it stands now, to be read while others write. */
  snapshot(): Promise<Snapshot>;
  /** Throws `StoreUnavailable` unless a write can be committed now. */
  checkWritable(): Promise<void>;
  /** Waits for what is under way, then lets go of the store. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Parents before children: the root, which has no parent, is the first. */
  readonly shapes: readonly RecordShape[];
  /** The time that is believed, in milliseconds since 1970: by it stored times are judged. */
  readonly now: () => number;
  /** The clock of the machine, for what is only written down; by default the same. */
  readonly machine?: () => number;
  /** Whether to create a store if none exists. */
  readonly create: boolean;
  /** Whether to serve requests: if `processes` is 'one', only one process at a time may. */
  readonly serve: boolean;
  /** The most bytes of the receipts of one API key. */
  readonly receiptBytes?: number;
  /** How many days the log of changes is stored; 0: one day, without the content of records. */
  readonly historyDays: number;
  /** Keys of the marks of erased records, the newest first; without them, none can be erased, and no erased one is made again. */
  readonly erasureKeys?: readonly Uint8Array[] | undefined;
  /** Receives the store's size and upkeep. */
  readonly observer?: Pick<Observer, 'show' | 'checkpointed'> | undefined;
  /** Receives notices for the operator about the store's files. */
  readonly notices?: Events['store'] | undefined;
}
