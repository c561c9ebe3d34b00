/** Stored records and accounts, as readers of the store get them. */
import type { Presentable } from '../../core/schema/present/present.ts';

export type { Account, Becomes } from '../../core/objects/account.ts';

/** A stored record. Times are milliseconds since 1970. */
export interface StoredRecord extends Presentable {
  /** `null` for accounts. */
  readonly parent: string | null;
  readonly version: number;
  /** The position of the commit that last changed it, among those of its account. */
  readonly position: number;
  /** The numbers of the sources that made it and changed it last; `null`: unknown. */
  readonly created_by: number | null;
  readonly changed_by: number | null;
}

/** The sender's identity of a record (specification, "Upsert semantics"). */
export interface Pair {
  readonly account: string;
  readonly parent: string;
  readonly external_identifier: string;
}

/**
 * The records that a reader may see: those of these accounts and, where given, under these anchors. Accounts themselves
 * are under no anchor: only the first half limits them.
 */
export interface Scope {
  readonly accounts: ReadonlySet<string>;
  readonly anchors: ReadonlySet<string> | undefined;
}

export function wholeAccount(account: string): Scope {
  return { accounts: new Set([account]), anchors: undefined };
}
