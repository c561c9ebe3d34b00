/** Erased records, as the store's contract for erasing names them. */
import type { StoredErasure } from '../../../core/objects/records/erasure.ts';
import type { Pair } from '../stored.ts';

export type { StoredErasure } from '../../../core/objects/records/erasure.ts';

/** The purpose that the keys of their hashes are derived for. */
export const ERASED = 'erased records';

/** The draft would make a record again that was erased. Nothing was done for it, and it fails no batch. */
export interface Erased {
  readonly outcome: 'erased';
  /** It was not: a retention rule would remove it at once. */
  readonly too_old?: true;
}

/** The remains of an erased record. */
export interface ErasedRecord {
  /** The unique identifiers of its account, of itself, of its location and of what it belonged to. */
  readonly account: string;
  readonly record: string;
  readonly resource: string;
  readonly anchor: string | null;
  readonly parent: string;
  /** The erasure that it was erased by, or the retention rule. */
  readonly erasure: string;
  /** Milliseconds since 1970. */
  readonly erased_at: number;
}

export interface EraseRequest {
  readonly resource: string;
  readonly account: string;
  /** The unique identifier, of an existing record or of one that was removed. */
  readonly record: string;
  readonly erasure: string;
  /** Who erases it. */
  readonly by: string;
  /**
   * Set where a retention rule removes it, for its age: the log says `deleted` alone, nothing is redacted, and the
   * journal has nothing of it. `unmarked`: it may be made again.
   */
  readonly aged?: 'marked' | 'unmarked';
  /** The version that was judged: a record at another one stays. */
  readonly version?: number;
  /** The version of what it belongs to, where that was judged, too. */
  readonly parent_version?: number | undefined;
}

/** The line of an erased record of which no line of the journal is to tell. */
export const NOT_IN_JOURNAL = -1;

/** The changes of a record at that position and before. */
export interface DroppedHistory {
  readonly account: string;
  readonly resource: string;
  readonly record: string;
  readonly position: number;
}

/**
 * `keyless`: the store was opened without the key that its marks need; `held`: the record is on hold; `changed`: it,
 * or what it belongs to, is at another version than the one that was judged.
 */
export type EraseOutcome = 'erased' | 'missing' | 'has_children' | 'held' | 'keyless' | 'changed';

/** An erased record, and where its changes end. */
export interface ErasedTrace extends Pick<ErasedRecord, 'resource' | 'record'> {
  /** The position of its last change; 0: the store was not the one that erased it. */
  readonly position: number;
  /** How many copies of it are left that processes of 1.0 answer from. */
  readonly copies: number;
}

/** The parts of a draft by which an erased record is known again. */
export interface ErasedDraft extends Pair {
  readonly shape: { readonly resource: string };
}

/** The time that laws grant for the answer to the request of a person. */
export const DUE_MS = 45 * 86_400_000;
/** How long an erasure is stored after it ended. */
export const ENDED_MS = 730 * 86_400_000;

/** Who began erasures, in an account. */
export type Asking = Pick<StoredErasure, 'account' | 'by'>;

export interface ErasureQuery {
  readonly open?: boolean | undefined;
  readonly before: string;
  readonly limit: number;
}

export interface ErasureSummary {
  readonly statuses: ReadonlyMap<string, number>;
  readonly overdue: number;
}
