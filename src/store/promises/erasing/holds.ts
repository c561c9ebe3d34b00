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

/** A row of the statement `active`. */
export type ActiveRow = readonly [unique_identifier: string, record: string, above: string];

export function toActive([unique_identifier, record, above]: ActiveRow): ActiveHold {
  return { unique_identifier, record, above: JSON.parse(above) as readonly string[] };
}
