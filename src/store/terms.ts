/** Where the index of search is stored, as its feeder sees it. */
import { TERMS_VERSION, termsOf } from '../core/schema/search/searching.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import type { ChangeMark } from './promises/log.ts';
import type { StoredRecord } from './promises/store.ts';
import { parseDocument } from './records/records.ts';

/** How far the index of an account goes. */
export interface IndexMark extends ChangeMark {
  /** The work that is left before everything up to the mark is in it; `null`: none. */
  readonly building: string | null;
  /** `TERMS_VERSION` when it was made. */
  readonly terms: number;
}

/** A record with its terms. */
export interface IndexedRecord {
  readonly record: string;
  readonly anchor: string | null;
  readonly terms: readonly string[];
}

export interface IndexStep {
  readonly account: string;
  /** Where the step begins; `undefined`: no index existed. */
  readonly from: IndexMark | undefined;
  readonly to: IndexMark;
  readonly put: readonly IndexedRecord[];
  /** Unique identifiers of what is to be found no more. */
  readonly gone: readonly string[];
}

export interface TermTable {
  /** The accounts whose log may have more than the index, with the position of their last commit. */
  behind(): Promise<readonly (readonly [account: string, position: number])[]>;
  mark(account: string): Promise<IndexMark | undefined>;
  /** Does the step in one transaction, unless the index is not at `from` any more: `false` then, and nothing was done. */
  step(step: IndexStep): Promise<boolean>;
  /** Removes some of what is stored for an account, and returns whether there may be more. */
  clear(account: string): Promise<boolean>;
  /** The index of the account is gone. */
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
