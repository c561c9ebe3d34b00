/** The store's contract for erasing: what is erased is in no answer, and no draft makes it again. */
import type { ErasedRows } from '../../books/erasures.ts';
import type { ErasedDraft, ErasedPast, EraseOutcome, EraseRequest } from './book.ts';

export interface ErasingBook
  extends Pick<
    ErasedRows,
    'liftAged' | 'countBelow' | 'find' | 'sealedAs' | 'hasLostKeys' | 'progress' | 'traces'
  > {
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
  /** Drops what this process remembers of records, which any process may have erased. */
  dropRemembered?(): void;
  /** The erasure for which a commit would refuse to make this record, if it would. */
  refuses(draft: ErasedDraft): Promise<string | undefined>;
  /** The rule by which a record is too young to be removed, if there is one. */
  keptBy(of: Pick<EraseRequest, 'resource' | 'account' | 'record'>): Promise<string | undefined>;
}
