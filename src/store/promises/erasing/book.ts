/** The store's contract for erased records: what is erased is in no answer, and no draft makes it again. */

import type { StoredErasure } from '../../../core/objects/records/erasure.ts';

export type { StoredErasure } from '../../../core/objects/records/erasure.ts';

/** The purpose that the keys of their hashes are derived for. */
export const ERASED = 'erased records';

/** The draft would make a record again that was erased. Nothing was done for it, and it fails no batch. */
export interface Erased {
  readonly outcome: 'erased';
  /** It was not: a retention rule would remove it at once. */
  readonly past?: true;
}

/** What stays of an erased record. */
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
export const OUTSIDE_JOURNAL = -1;

/** The changes of a record at that position and before. */
export interface ErasedPast {
  readonly account: string;
  readonly resource: string;
  readonly record: string;
  readonly position: number;
}

/**
 * `keyless`: the store was opened without the key that its marks need; `held`: a hold keeps the record; `changed`: it,
 * or what it belongs to, is at another version than the one that was judged.
 */
export type EraseOutcome = 'erased' | 'missing' | 'has_children' | 'held' | 'keyless' | 'changed';

export interface ErasingBook {
  /**
   * Erases the first of these records and as many of the next as hold up no writer, each in a commit of its own, which
   * may share a sync of the disk; returns their outcomes. A record goes with its row, its answers, what its removal has
   * kept. The log says `deleted`, and its earlier contents there are hidden at once and forgotten by `forget`. Once more
   * does nothing. A record that others need is redacted, if its shape says how: the log says `updated`, its external
   * identifier is `sealedAs`, and no draft changes it.
   */
  erase(requests: readonly EraseRequest[]): Promise<readonly EraseOutcome[]>;
  /**
   * Forgets some of what the log holds of erased records, briefly enough not to hold up writers; returns whether there
   * may be more.
   */
  forget(): Promise<boolean>;
  /**
   * Forgets some of what a record held before: what the log holds of its changes from that position back, and what it
   * was answered as. Returns the position to go on from; 0: that was all. Throws `record_held`.
   */
  forgetPast(past: ErasedPast): Promise<number>;
  /** Lets records be made again that a retention rule removed, of those in these accounts; some at a time. */
  liftAged(
    rule: string,
    accounts: readonly string[],
    records?: readonly string[],
  ): Promise<AgedLifted>;
  /** Drops what this process remembers of records, which any process may have erased. */
  dropRemembered?(): void;
  /** How many records of a resource below that parent were erased. */
  countBelow(resource: string, parent: string, accounts: readonly string[]): Promise<number>;
  /** Those of these unique identifiers that were erased in one of the accounts. */
  find(records: readonly string[], accounts: readonly string[]): Promise<readonly ErasedRecord[]>;
  /** The erasure for which a commit would refuse to make this record, if it would. */
  refuses(draft: ErasedDraft): Promise<string | undefined>;
  /** The rule by which a record is too young to be removed, if there is one. */
  keptBy(of: Pick<EraseRequest, 'resource' | 'account' | 'record'>): Promise<string | undefined>;
  /** The external identifiers that a record with this one may have since it was redacted. */
  sealedAs(resource: string, external_identifier: string): readonly string[];
  /** Whether records were erased by a key that the store was opened without: they would not be known again. */
  hasLostKeys(): Promise<boolean>;
  /** How many records of an erasure are erased, and of how many the log still holds something. */
  progress(erasure: string): Promise<{ readonly erased: number; readonly left: number }>;
  /** Where to read again what was kept of erased records: by unique identifier, after that one. */
  traces(
    account: string,
    erasure: string,
    after: string,
    limit: number,
  ): Promise<readonly ErasedTrace[]>;
}

export interface AgedLifted {
  /** The account of the records; `undefined`: there were none. */
  readonly account: string | undefined;
  readonly lifted: number;
  readonly has_more: boolean;
}

/** An erased record, and where its changes end. */
export interface ErasedTrace extends Pick<ErasedRecord, 'resource' | 'record'> {
  /** Of its last change; 0: the store was not the one that erased it. */
  readonly position: number;
  /** Answers that are kept for repeated requests. */
  readonly answers: number;
}

/** The parts of a draft by which an erased record is known again. */
export interface ErasedDraft {
  readonly shape: { readonly resource: string };
  readonly account: string;
  readonly parent: string;
  readonly external_identifier: string;
}

/** What laws grant for the answer to the request of a person. */
export const DUE_MS = 45 * 86_400_000;
/** How long an erasure is stored after it ended. */
export const ENDED_KEPT_MS = 730 * 86_400_000;

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
