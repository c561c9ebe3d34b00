/** The books of a store that are about erased records. */
import type { ErasingBook, ErasureBook } from './book.ts';
import type { JournalBook } from './journal.ts';

export interface ErasingBooks {
  readonly erasing: ErasingBook;
  readonly erasures: ErasureBook;
  readonly journal: JournalBook;
}
