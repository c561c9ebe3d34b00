/** The books of a store that are about erased records. */

import type { HoldBook } from '../../books/erasing/holds.ts';
import type { JournalBook } from '../../books/erasing/journal.ts';
import type { ErasureNoteBook } from '../../books/erasing/notes.ts';
import type { RetentionBook } from '../../books/erasing/retention.ts';
import type { ErasureBook } from '../../books/erasures.ts';
import type { ErasingBook } from './book.ts';

export interface ErasingBooks {
  readonly erasing: ErasingBook;
  readonly erasures: ErasureBook;
  readonly holds: HoldBook;
  readonly erasureNotes: ErasureNoteBook;
  readonly journal: JournalBook;
  readonly retention: RetentionBook;
}
