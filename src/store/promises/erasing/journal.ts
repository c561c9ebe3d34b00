/**
 * The store's contract for the journal of erasures: its lines, which are in files outside of the store, too. A store
 * that lacks lines of such a file was set back.
 */
import type { ErasedRecord } from './book.ts';

/** What stays of an erased record, with the keyed hashes by which it is known again, and the name of their key. */
export interface ErasedTombstone extends ErasedRecord {
  readonly key: string;
  readonly probe: string;
  readonly mark: string;
}

export interface JournalLine {
  /** 1, 2, 3, … */
  readonly line: number;
  readonly text: string;
}

type Named = Pick<ErasedRecord, 'account' | 'record'>;

/** A line, and what the store notes or does in the same commit. */
export interface NewLine extends JournalLine {
  /** What it tells is not done here yet. */
  readonly unapplied?: true;
  /** The erased record that it tells of. */
  readonly tells?: Pick<ErasedTombstone, 'account' | 'record' | 'erased_at'>;
  /** The erased record that may be made again. */
  readonly lifts?: Named;
}

export interface JournalBook {
  last(): Promise<JournalLine | undefined>;
  /** Those after a line, in order. */
  after(line: number, limit: number): Promise<readonly JournalLine[]>;
  /** Those that tell what is not done here yet, in order. */
  unapplied(limit: number): Promise<readonly JournalLine[]>;
  /** Erased records of which no line tells yet, in the order of their times. */
  untold(limit: number): Promise<readonly ErasedTombstone[]>;
  /** Up to which line all erased records of an erasure are told of; `undefined`: not all are. */
  toldOf(erasure: string): Promise<number | undefined>;
  /** One commit; the lines follow the last one. False, with nothing done, if another process has added lines meanwhile. */
  append(lines: readonly NewLine[]): Promise<boolean>;
  /** Notes that what a line tells is done; remembers or lifts the record in the same commit. Once more does nothing. */
  applied(
    line: number,
    done?:
      | { readonly erased: Named }
      | { readonly remembers: ErasedTombstone }
      | { readonly lifts: Named },
  ): Promise<void>;
}
