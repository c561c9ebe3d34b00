/** The store's contract for holds: what is held is not forgotten. Commits decide, whatever was seen before. */
import type { StoredHold } from '../../../core/objects/records/hold.ts';

export type { StoredHold } from '../../../core/objects/records/hold.ts';

/** A hold that lasts, as far as what is to be forgotten asks for it. */
export interface ActiveHold {
  readonly unique_identifier: string;
  /** The unique identifier of what is held, which may be the account. */
  readonly record: string;
  /** Those of all that it belongs to. */
  readonly above: readonly string[];
}

export interface HoldRelease {
  readonly at: number;
  readonly by: string;
  readonly because: string | null;
}

export interface HoldBook {
  /**
   * Places a hold while its account is locked for other writers: what is removed or erased there afterwards sees it.
   * `false` if there is no such account, or it is closed. `above`: what the record belongs to, up to the account.
   */
  place(hold: StoredHold, above: readonly string[]): Promise<boolean>;
  find(unique_identifier: string): Promise<StoredHold | undefined>;
  /** The newest first, before that one. */
  list(accounts: readonly string[], before: string, limit: number): Promise<readonly StoredHold[]>;
  /** Those of an account that last. */
  active(account: string): Promise<readonly ActiveHold[]>;
  /** How many last, in all accounts. */
  count(): Promise<number>;
  /** Does nothing to one that was released. */
  release(unique_identifier: string, release: HoldRelease): Promise<void>;
  /** Releases those that were to last until then. */
  lapse(now: number): Promise<void>;
  /** Removes some that were released two years before that; returns whether there may be more. */
  purge(now: number): Promise<boolean>;
}

/** Where a record is. */
export interface HeldPlace {
  readonly account: string;
  readonly unique_identifier: string;
  readonly anchor: string | null;
  /** What it belongs to. No record is further below its anchor than that. */
  readonly parent?: string | null | undefined;
}

/** The hold that covers a record; with `below`, also one of something that belongs to it. */
export function heldBy(
  holds: readonly ActiveHold[],
  { account, unique_identifier, anchor, parent }: HeldPlace,
  below = false,
): string | undefined {
  const covered = new Set([account, anchor, parent, unique_identifier]);
  return holds.find(
    ({ record, above }) => covered.has(record) || (below && above.includes(unique_identifier)),
  )?.unique_identifier;
}

/** A row of the statement `active`. */
export type ActiveRow = readonly [unique_identifier: string, record: string, above: string];

export function toActive([unique_identifier, record, above]: ActiveRow): ActiveHold {
  return { unique_identifier, record, above: JSON.parse(above) as readonly string[] };
}
