/**
 * The store's contract for search. Records are found by the words and the phone numbers that they hold, from an
 * index that follows the log of changes: it is not part of any commit, may be some seconds behind, and is rebuilt where
 * it was lost or belongs to another state of the store.
 */
import type { FailureWatch } from '../../core/each-account.ts';
import type { ScanPlace } from '../../core/objects/records/erasure.ts';
import type { NearStarts, TermRanges } from '../../core/schema/search/searching.ts';
import type { Scope } from './stored.ts';

export interface SearchQuery {
  /** Only records in this scope are searched. Accounts are under no anchor. */
  readonly scope: Scope;
  readonly ranges: readonly TermRanges[];
}

/** Starts of terms that are similar to the typed text. */
export interface NearQuery extends Omit<SearchQuery, 'ranges'> {
  readonly near: readonly NearStarts[];
}

export interface SearchHits {
  /** Unique identifiers, the newest first. Any of them may be removed or changed by now. */
  readonly records: readonly string[];
  /** Whether these are all. For a short query there may be more, even if none is here. */
  readonly all: boolean;
}

/** How far the index of some accounts is behind their logs. */
export interface SearchLag {
  /** Accounts whose index is being built: not all of their records are found yet. */
  readonly building: number;
  /** The time of the oldest change that is not indexed yet (milliseconds since 1970), if any. */
  readonly since: number | undefined;
}

/** A read without an index: a piece of the records of a resource, the newest first, or of the log, the oldest first. */
export interface ScanQuery {
  readonly account: string;
  readonly place: ScanPlace;
  /** Met by all texts that are looked for, and by few others; it reads folded text. Left out: all meet it. */
  readonly rough: RegExp | undefined;
}

export interface Scan {
  /** Documents of records, and contents of changes, as they are stored. */
  readonly met: readonly {
    readonly resource: string;
    readonly record: string;
    readonly text: string;
  }[];
  /** Where to go on; `undefined`: the resource, or the log, is through. */
  readonly next: ScanPlace | undefined;
}

export interface SearchIndex {
  find(query: SearchQuery): Promise<SearchHits>;
  /**
   * Candidates: records with a term that has one of the starts, the newest first. Not all of them match, and some may
   * be missing if many terms begin alike.
   */
  findNear(query: NearQuery): Promise<readonly string[]>;
  /** How many of these records of an account the index has, as far as it goes. */
  has(account: string, records: readonly string[]): Promise<number>;
  /** How many records have a text of so many words that only its first ones are in the index. */
  cut(): Promise<number>;
  /** Reads on by some milliseconds of work, on SQLite in another thread. */
  scan(query: ScanQuery): Promise<Scan>;
  /** For these accounts, or for all if none are given. */
  lag(accounts?: readonly string[]): Promise<SearchLag>;
  /**
   * Indexes some changes, briefly enough not to hold up others. Returns whether there may be more. If several processes
   * serve, one of them does it and the others wait for it to end. An account for which it fails rests, as `watch` is told.
   */
  feed(watch?: FailureWatch): Promise<boolean>;
}

/** The most terms to read in a range, and records to take from it. */
export const MAX_LOOKED_AT = 20_000;
export const MAX_TAKEN = 1_000;
/** The most records for each start similar to the query, and for all of them. */
export const MAX_NEAR_EACH = 50;
export const MAX_NEAR = 500;
