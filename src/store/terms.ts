/** The search index as its feeder sees it. */
import { TERMS_VERSION, termsOf } from '../core/schema/search/searching.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import { named } from './images.ts';
import type { ChangeMark } from './promises/log.ts';
import type { StoredRecord } from './promises/store.ts';
import { parseDocument } from './records/records.ts';

/** The progress of an account's index. */
export interface IndexMark extends ChangeMark {
  /** The work that is left before everything up to the mark is in it; `null`: none. */
  readonly building: string | null;
  /** `TERMS_VERSION` when it was made. */
  readonly terms: number;
}

/** Makes a mark of a row with these columns. */
export const toIndexMark = named<IndexMark>('position', 'place', 'token', 'building', 'terms');

/** A record with its terms. */
export interface IndexedRecord {
  readonly record: string;
  readonly anchor: string | null;
  readonly terms: readonly string[];
}

export interface IndexStep {
  readonly account: string;
  /** The state before the step; `undefined`: no index existed. */
  readonly from: IndexMark | undefined;
  readonly to: IndexMark;
  readonly put: readonly IndexedRecord[];
  /** Unique identifiers of records to remove from the index. */
  readonly gone: readonly string[];
}

export interface TermTable {
  /** Accounts whose log may be ahead of the index, with the position of their last commit. */
  behind(): Promise<readonly (readonly [account: string, position: number])[]>;
  mark(account: string): Promise<IndexMark | undefined>;
  /** Runs a step in one transaction. `false`, with nothing done, if the index is no longer at `from`. */
  step(step: IndexStep): Promise<boolean>;
  /** Removes some terms of an account, and returns whether there may be more. */
  clear(account: string): Promise<boolean>;
  /** Removes the state of an account's index. */
  forget(account: string): Promise<void>;
}

export function indexed(shape: RecordShape, record: StoredRecord): IndexedRecord {
  return {
    record: record.unique_identifier,
    anchor: record.anchor,
    terms: termsOf(shape, parseDocument(record.document)),
  };
}

export function isCurrent(mark: IndexMark | undefined): mark is IndexMark {
  return mark?.terms === TERMS_VERSION;
}
