/** The books of a store that are about erased records. */
import type { ErasingBook, ErasureBook } from './book.ts';
import type { HoldBook } from './holds.ts';
import type { JournalBook } from './journal.ts';
import type { ErasureNoteBook } from './notes.ts';
import type { RetentionBook } from './retention.ts';

export interface ErasingBooks {
  readonly erasing: ErasingBook;
  readonly erasures: ErasureBook;
  readonly holds: HoldBook;
  readonly erasureNotes: ErasureNoteBook;
  readonly journal: JournalBook;
  readonly retention: RetentionBook;
}
