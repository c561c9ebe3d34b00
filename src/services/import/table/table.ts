/** Tables as they are imported: a header, and rows of texts, however they were saved. */

export interface SourceRow {
  /** The place in the file: the line on which it begins, or the row of the sheet. */
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

/** How a file was read. */
export interface ReadAs {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly sheet?: string;
  /** Where it is not the first row. */
  readonly header_row?: number;
  readonly dates?: string;
}

export interface SourceTable {
  /** Each name once. */
  readonly header: readonly string[];
  readonly headerRow: number;
  /** The first rows of the file, among which the header can be. */
  readonly beginning: readonly FirstRow[];
  /** How the file was read. */
  readonly read: ReadAs;
  /** From the first row after the header on; may be read more than once. */
  rows(): AsyncIterable<readonly SourceRow[]>;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** The name of a delimiter. */
export function nameOfDelimiter(delimiter: string): string {
  return DELIMITERS[delimiter] ?? delimiter;
}

/** How a file was read, in words. */
export function readText({ encoding, delimiter, sheet, header_row: row, dates }: ReadAs): string {
  const words = [
    encoding,
    delimiter && nameOfDelimiter(delimiter),
    sheet && `the sheet ${sheet}`,
    row && `header in row ${row}`,
    dates && `dates ${dates}`,
  ];
  return words.filter(Boolean).join(', ') || 'JSON lines';
}
