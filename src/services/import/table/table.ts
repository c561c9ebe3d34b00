/** Tables as they are imported: a header, and rows of texts, however they were saved. */

export interface SourceRow {
  /** In the file: the line on which it begins, or the row of the sheet. */
  readonly number: number;
  readonly cells: readonly string[];
  /** Why its cells cannot be read; `cells` has then its text. */
  readonly fault?: string;
}

/** One of the first rows of a file, among which the header can be. */
export interface FirstRow {
  readonly number: number;
  /** Its content, shortened. */
  readonly text: string;
}

export interface SourceTable {
  /** Each name once. */
  readonly header: readonly string[];
  readonly headerRow: number;
  /** The first rows of the file, among which the header can be. */
  readonly beginning: readonly FirstRow[];
  /** In words: how the file was read. */
  readonly read: string;
  /** From the first row after the header on; may be read more than once. */
  rows(): AsyncIterable<readonly SourceRow[]>;
}
