/** Cells that a spreadsheet would run as formulas: an apostrophe makes them text, and is taken off again on import. */

/** A column of this name says that the table was written so: other tables keep their apostrophes. */
const COLUMN = '_apostrophes';
const FORMULA = /^'*[=+\-@\t\r]/;

/** The header and cells of a table that spreadsheets open. */
export const inert = {
  header: (names: readonly string[]): string[] => [...names, COLUMN],
  cells: (cells: readonly string[]): string[] => [
    ...cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell)),
    '',
  ],
};

/** Returns a function that restores a cell of a table with that header. */
export function cellReader(header: readonly string[]): (cell: string) => string {
  if (!header.includes(COLUMN)) return (cell) => cell;
  return (cell) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
}
