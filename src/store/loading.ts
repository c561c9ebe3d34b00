/** Fills a store from a snapshot of this or another kind of store. */
import type { OwnTable } from '../core/objects/tables/own-table.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import type { LoggedChange } from './promises/log.ts';
import type {
  AccountImage,
  Batches,
  FixedRow,
  ReceiptImage,
  Snapshot,
  TombstoneImage,
} from './promises/snapshot.ts';
import type { StoredRecord } from './promises/stored.ts';

/** The reason shown for webhook endpoints that are paused. */
export const RESTORED = 'restored';

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
   * Pauses all webhook endpoints, so that a copy sends nothing until an operator resumes them. If requested, also
   * suspends all usable keys, disables all people and ends their invitations.
   */
  settle(how: { readonly now: number; readonly suspendKeys: boolean }): Promise<void>;
  /** Makes the store exist, on disk. */
  finish(): Promise<void>;
  /** Leaves everything as it was before, unless it is finished. */
  abandon(): Promise<void>;
}
