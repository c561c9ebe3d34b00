/** Writes tables as CSV, for programs and for spreadsheets. */

/** It marks the text as UTF-8 for spreadsheet programs. */
export const MARK = '\ufeff';

/** A column of this name says that formulas have an apostrophe: other tables keep theirs. */
export const APOSTROPHES = '_apostrophes';
const FORMULA = /^'*[=+\-@\t\r]/;

/** Whether a spreadsheet program runs the text as a formula. */
export function isFormula(cell: string): boolean {
  return FORMULA.test(cell);
}

/** A line of a table in which nothing is run as a formula: an apostrophe makes a text of it, and is taken off again on import. */
export function inertLine(cells: readonly string[]): string {
  return csvLine(cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell)));
}

/** Returns a function that restores a cell of a table with that header. */
export function cellReader(header: readonly string[]): (cell: string) => string {
  if (!header.includes(APOSTROPHES)) return (cell) => cell;
  return (cell) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
}

/** One line of a table, with its end: in quotes what holds a comma, a quote, a line end, or a space at its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
