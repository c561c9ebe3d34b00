/**
 * The store's contract for search. Records are found by the words and the phone numbers that they hold, from an
 * index that follows the log of changes: it is not part of any commit, may be some seconds behind, and is rebuilt where
 * it was lost or belongs to another state of the store.
 */
import type { NearStarts, TermRanges } from '../../core/schema/search/searching.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { Scope } from './stored.ts';

export interface SearchQuery {
  readonly shape: RecordShape;
  /** Only records in it are looked at. */
  readonly scope: Scope;
  readonly ranges: readonly TermRanges[];
}

/** Terms that begin nearly like the typed text. */
export interface NearQuery extends Omit<SearchQuery, 'ranges'> {
  readonly near: readonly NearStarts[];
}

export interface SearchHits {
  /** Unique identifiers, the newest first. Any of them may be removed or changed by now. */
  readonly records: readonly string[];
  /** Whether these are all; there may be more, even where there is none here, where the query says little. */
  readonly all: boolean;
}

/** How far the index of some accounts is behind their logs. */
export interface SearchLag {
  /** Accounts whose index is being made: not all of their records are found yet. */
  readonly building: number;
  /** When the oldest change was done that is not in the index (milliseconds since 1970), if there is any. */
  readonly since: number | undefined;
}

export interface SearchIndex {
  find(query: SearchQuery): Promise<SearchHits>;
  /** Some of the records that have a term with one of the starts, the newest first: more than are right, and not all where many begin alike. */
  findNear(query: NearQuery): Promise<readonly string[]>;
  /** Of these accounts; of all where none are given. */
  lag(accounts?: readonly string[]): Promise<SearchLag>;
  /**
   * Brings the index a little nearer to the log, briefly enough not to be noticed. Returns whether there may be more to
   * do. Where several processes serve, one of them does it and the others wait for it to end.
   */
  feed(): Promise<boolean>;
}

/** Terms that are looked at in a range, and records that are taken of it. */
export const MAX_LOOKED_AT = 20_000;
export const MAX_TAKEN = 1_000;
/** The same for each of the starts close to the query, and for all of them. */
export const MAX_NEAR_EACH = 50;
export const MAX_NEAR = 500;
