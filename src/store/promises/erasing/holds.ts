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
