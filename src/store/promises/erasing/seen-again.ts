/**
 * The store's contract for noticing erased people again: keyed hashes of their phone numbers and email addresses, the
 * accounts that are followed for them, and the records that were seen.
 */

/** By what a person is known again. */
export type ContactKind = 'phone_number' | 'email_address';

/** A record that has a phone number or an email address of a person whose records were erased. */
export interface SeenMatch {
  readonly erasure: string;
  /** The unique identifier. */
  readonly record: string;
  readonly resource: string;
  readonly reasons: readonly ContactKind[];
  /** Milliseconds since 1970. */
  readonly seen_at: number;
}

/** A keyed hash, with the name of its key in front. */
export interface KeptContact {
  readonly erasure: string;
  readonly hash: string;
}

/** An account that is followed, since there are hashes. */
export interface FollowedAccount {
  readonly account: string;
  /** The unique identifier of the change after which to go on; empty: first all records are looked at. */
  readonly reached: string;
}

/** The first records of an erasure that nobody has decided about, and how many there are. */
export interface SeenSome {
  readonly first: readonly SeenMatch[];
  readonly count: number;
}

export interface SeenAgainBook {
  /** The hashes of a phone number or an email address, by the newest key first. */
  hashesOf(kind: ContactKind, text: string): readonly string[];
  /** Keeps hashes; an account that is not followed yet is followed from that change on. */
  keep(
    account: string,
    kept: readonly KeptContact[],
    from: { reached: string; at: number },
  ): Promise<void>;
  /** Those of these hashes that are kept in the account. */
  known(account: string, hashes: readonly string[]): Promise<readonly KeptContact[]>;
  followed(): Promise<readonly FollowedAccount[]>;
  /**
   * Goes on after that change, and notes what was seen on the way, in one commit; false, with nothing done, if another
   * process has gone on meanwhile. What was noted or dismissed before stays as it is.
   */
  move(
    from: FollowedAccount,
    to: { readonly reached: string; readonly at: number },
    seen: readonly SeenMatch[],
  ): Promise<boolean>;
  /** By erasure: up to `limit` of each that were not dismissed. */
  seen(erasures: readonly string[], limit: number): Promise<ReadonlyMap<string, SeenSome>>;
  /** How many records are noted on an erasure, also those that were dismissed. */
  noted(erasure: string): Promise<number>;
  /** How many were seen again and not dismissed, in all erasures. */
  count(): Promise<number>;
  /** Somebody says that these are not of the person. */
  dismiss(erasure: string, records: readonly string[]): Promise<void>;
  /** Forgets what was seen of records that are erased now. */
  forget(account: string, records: readonly string[]): Promise<void>;
  /** Forgets the hashes of an erasure. */
  drop(erasure: string): Promise<void>;
  /** Forgets hashes from before that time, and what was seen for erasures that are gone; stops following accounts without hashes. */
  purge(before: number): Promise<void>;
  /** Follows accounts that have hashes and are not followed, such as after a restore: all of their records are looked at. */
  refollow(at: number): Promise<void>;
}
