/**
 * The store's contract for the journal of erasures: its lines, which are in files outside of the store, too. A store
 * that lacks lines of such a file was set back.
 */
import type { ErasedRecord } from './book.ts';

/** The remains of an erased record, with the keyed hashes by which it is recognized, and the name of their key. */
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

export type JournalName = Pick<ErasedRecord, 'account' | 'record'>;

/** A line, and what the store notes or does in the same commit. */
export interface NewLine extends JournalLine {
  /** Whether the line is still to be applied here. */
  readonly unapplied?: true;
  /** The erased record that it tells of. */
  readonly tells?: Pick<ErasedTombstone, 'account' | 'record' | 'erased_at'>;
  /** The erased record that may be made again. */
  readonly lifts?: JournalName;
}
