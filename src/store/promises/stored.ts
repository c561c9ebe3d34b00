/** Stored records and accounts, as readers of the store get them. */

export type { Account, Becomes } from '../../core/objects/account.ts';

/** A stored record. Times are milliseconds since 1970. */
export interface StoredRecord {
  readonly unique_identifier: string;
  readonly account: string;
  readonly anchor: string | null;
  /** `null` for accounts, as is `external_identifier`. */
  readonly parent: string | null;
  readonly external_identifier: string | null;
  /** Canonical compact JSON text of an object: numbers lossless. */
  readonly document: string;
  readonly version: number;
  /** The position of the commit that last changed it, among those of its account. */
  readonly position: number;
  readonly inserted_at: number;
  readonly updated_at: number;
  /** The numbers of the sources that made it and changed it last; `null`: unknown. */
  readonly created_by: number | null;
  readonly changed_by: number | null;
}

/**
 * The records that a reader may see: those of these accounts and, where given, under these anchors. Accounts themselves
 * are under no anchor: only the first half limits them.
 */
export interface Scope {
  readonly accounts: ReadonlySet<string>;
  readonly anchors: ReadonlySet<string> | undefined;
}
