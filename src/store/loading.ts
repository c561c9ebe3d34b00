/** How a store is filled with what a snapshot showed, of this store or of another kind. */
import type { RecordShape } from '../core/schema/shape.ts';
import type { FixedRow, FixedTable } from './promises/fixed-tables.ts';
import type { LoggedChange } from './promises/log.ts';
import type {
  AccountImage,
  Batches,
  TombstoneImage,
  ReceiptImage,
  Snapshot,
} from './promises/snapshot.ts';
import type { StoredRecord } from './promises/stored.ts';

/** Why webhook endpoints are paused. */
export const RESTORED = 'restored';

/**
 * A new store that has no readers yet. It is filled in this order: accounts, then records, parents first, then the
 * rest. Nothing of it is there until `finish` says so, and then all of it is: also where the process is killed, or the
 * machine. Times, versions, positions, identifiers and tokens stay as they are.
 *
 * Every method throws `StoreUnavailable` where the disk or the server hinders it.
 */
export interface Loading {
  /** Where the store will be, for people; holds no password. */
  readonly place: string;
  accounts(rows: Batches<AccountImage>): Promise<void>;
  /** Records that stand and that were removed, by unique identifier, both together. */
  records(shape: RecordShape, rows: Batches<StoredRecord | TombstoneImage>): Promise<void>;
  receipts(rows: Batches<ReceiptImage>): Promise<void>;
  changes(rows: Batches<LoggedChange>): Promise<void>;
  rows(table: FixedTable, rows: Batches<FixedRow>): Promise<void>;
  /** Everything that was loaded, as it was to be read at that time. To be closed before anything else is done. */
  snapshot(taken_at: number): Promise<Snapshot>;
  /**
   * Pauses all webhook endpoints, so that a copy sends nothing until an operator resumes them. On request, suspends all
   * keys that could be used, disables all people and ends their invitations.
   */
  settle(how: { readonly now: number; readonly suspendKeys: boolean }): Promise<void>;
  /** Makes the store be there, on disk. */
  finish(): Promise<void>;
  /** Leaves everything as it was before, unless it is finished. */
  abandon(): Promise<void>;
}
