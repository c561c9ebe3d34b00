/** A snapshot: reads everything in a store as of one moment, while others go on writing. */
import type { OwnTable } from '../../core/objects/own-object.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { LoggedChange, Tombstone } from './log.ts';
import type { Account, Scope, StoredRecord } from './stored.ts';

/**
 * Rows in batches of a few hundred, or of about 256 kB where rows are large. A batch is read on request, so that memory
 * does not grow with the number of rows.
 */
export type Batches<Row> = AsyncIterable<readonly Row[]>;

export type FixedValue = string | number | boolean | null | readonly string[];

/** A row of a declared table, by the names of its columns, in their order: bytes are hexadecimal digits. */
export type FixedRow = Readonly<Record<string, FixedValue>>;

/** An account as it is stored, closed ones included. */
export interface AccountImage
  extends Omit<Account, 'name' | 'pins' | 'becomes'>,
    Pick<StoredRecord, 'document' | 'version' | 'position'> {
  /** The position of its last commit. */
  readonly committed: number;
}

/** A removed record, while the log of changes mentions it. */
export interface TombstoneImage extends Omit<Tombstone, 'record' | 'parent'> {
  readonly unique_identifier: string;
  /** `null` if the parent neither exists nor can be restored. */
  readonly parent: string | null;
}

/** A record with its indexed columns. */
export interface InspectedRecord
  extends Pick<
    StoredRecord,
    'unique_identifier' | 'account' | 'document' | 'version' | 'position'
  > {
  /** Whether the stored record is known not to be the one that was written. */
  readonly damaged?: boolean;
  readonly updated_at: number;
  /** Whether its parents exist. */
  readonly under: boolean;
  /** Whether its other indexed times agree with `updated_at`. */
  readonly timed: boolean;
  /** The columns of its declared keys, in their order. */
  readonly keys: readonly string[];
}

/** A receipt that has not expired. */
export interface ReceiptImage {
  readonly account: string;
  readonly owner: string;
  readonly idempotency_key: string;
  /** Hexadecimal digits. */
  readonly fingerprint: string;
  readonly expires_at: number;
  /** Bytes that are charged to its owner's room. */
  readonly size: number;
  readonly outcome: string;
  /** For one written record; `record` is `null` if it was removed since. */
  readonly resource: string | null;
  readonly record: string | null;
  readonly version: number | null;
  /** The removed records, in a removal. */
  readonly removed: string | null;
  readonly below: number | null;
  /** For a batch: JSON. */
  readonly drafts: string | null;
}

/**
 * All reads of a snapshot show the same moment: every commit that was answered before it was taken, completely, and
 * none that began later. It never makes writers wait, however long it is open; but a SQLite store's log grows
 * meanwhile, and PostgreSQL keeps the versions of rows that it shows. So read it soon, and close it. Several reads may
 * run at the same time. Each throws `StoreUnavailable` if the store cannot be read. If tables are distributed over
 * several servers, each account is seen at one moment, but different accounts may be seen at different ones.
 */
export interface Snapshot extends AsyncDisposable {
  /** The moment that it shows, in milliseconds since 1970. */
  readonly taken_at: number;
  /** All accounts by unique identifier, closed ones included. */
  accounts(): Batches<AccountImage>;
  /**
   * Without a scope, all records of a resource by unique identifier. With one, those in it, account by account; the
   * caller checks whether the accounts are open. Not for the root: its records are the accounts.
   */
  records(shape: RecordShape, scope?: Scope): Batches<StoredRecord>;
  /** The records with these unique identifiers that are in the scope, each once, in no order. Not for the root. */
  findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    scope: Scope,
  ): Promise<readonly StoredRecord[]>;
  /** Removed records of a resource by unique identifier: all, or those of these unique identifiers. */
  gone(shape: RecordShape, among?: readonly string[]): Batches<TombstoneImage>;
  /** All receipts, or those that expire after that time, in no order. */
  receipts(expiring_after?: number): Batches<ReceiptImage>;
  /** The whole log of changes, account by account in the order of commits. */
  changes(): Batches<LoggedChange>;
  /** The changes of an account from that position on, in the order of commits. */
  changesFrom(account: string, position: number): Batches<LoggedChange>;
  /** The logged changes of these records at these positions, in the order of commits. */
  changesAt(
    records: readonly Pick<StoredRecord, 'unique_identifier' | 'account' | 'position'>[],
  ): Promise<readonly LoggedChange[]>;
  /** The rows of a declared table: all, or those updated after that time if the table has such a column. */
  rows(table: OwnTable, updated_after?: number): Batches<FixedRow>;
  /** Each record of a resource, including the root, with its indexed columns, to check them against it. */
  inspect(shape: RecordShape): Batches<InspectedRecord>;
  /** Damage of the store's own structure, in words; empty if there is none. */
  damage(): Promise<readonly string[]>;
  /** Ends the snapshot and its reads. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * A new store that has no readers yet. It is filled in this order: accounts, then records, parents first, then the
 * rest. It does not exist until `finish`, and then all of it does, even if the process or the machine is killed. Times,
 * versions, positions, identifiers and tokens stay the same. Every method throws `StoreUnavailable` if the disk or the
 * server fails.
 */
export interface Loading {
  /** Where the store will be, for people; holds no password. */
  readonly place: string;
  accounts(rows: Batches<AccountImage>): Promise<void>;
  /** Existing and removed records together, by unique identifier. */
  records(shape: RecordShape, rows: Batches<StoredRecord | TombstoneImage>): Promise<void>;
  receipts(rows: Batches<ReceiptImage>): Promise<void>;
  changes(rows: Batches<LoggedChange>): Promise<void>;
  rows(table: OwnTable, rows: Batches<FixedRow>): Promise<void>;
  /** A snapshot of everything that was loaded, as of that time. Close it before any other call. */
  snapshot(taken_at: number): Promise<Snapshot>;
  /**
   * Lets features pause what a copy must not do until an operator resumes it. If requested, also suspends all usable
   * keys, disables all people and ends their invitations.
   */
  settle(how: { readonly now: number; readonly suspendKeys: boolean }): Promise<void>;
  /** Makes the store exist, on disk. */
  finish(): Promise<void>;
  /** Leaves everything as it was before, unless it is finished. */
  abandon(): Promise<void>;
}

/** The most rows of a batch, and about the most characters. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 256_000;

/** Collects rows into batches. */
export class Batching<Row> {
  #rows: Row[] = [];
  #characters = 0;

  /** Adds a row, and returns the batch when it is full. */
  add(row: Row, characters: number): readonly Row[] | undefined {
    this.#rows.push(row);
    this.#characters += characters;
    return this.#rows.length < MAX_ROWS && this.#characters < MAX_CHARACTERS
      ? undefined
      : this.take();
  }

  /** Takes its rows and leaves it empty. */
  take(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    return rows;
  }
}
