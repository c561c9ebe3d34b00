/** Rows as lines of JSON or as CSV. */
import { stringify } from '../schema/json/json.ts';
import { cellsOf, type RowColumn } from '../schema/row.ts';
import type { JsonObject } from '../schema/values.ts';

export interface RowText {
  readonly head: (columns: readonly RowColumn[]) => string;
  readonly row: (columns: readonly RowColumn[], row: JsonObject) => string;
}

export const NDJSON: RowText = { head: () => '', row: (_columns, row) => `${stringify(row)}\n` };

/** https://www.rfc-editor.org/rfc/rfc4180 */
export const CSV: RowText = {
  head: (columns) => csvLine(columns.map(({ name }) => name)),
  row: (columns, row) => csvLine(cellsOf(columns, row)),
};

/** It marks the text as UTF-8 for spreadsheet programs. */
const MARK = '\ufeff';

/** A column of this name says that formulas have an apostrophe: other tables keep theirs. */
const COLUMN = '_apostrophes';
const FORMULA = /^'*[=+\-@\t\r]/;

/** CSV in which nothing is run as a formula: an apostrophe makes a text of it, and is taken off again on import. */
export const SPREADSHEET_CSV: RowText = {
  head: (columns) => MARK + csvLine([...columns.map(({ name }) => name), COLUMN]),
  row: (columns, row) => csvLine([...cellsOf(columns, row).map(inert), '']),
};

function inert(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Returns a function that restores a cell of a table with that header. */
export function cellReader(header: readonly string[]): (cell: string) => string {
  if (!header.includes(COLUMN)) return (cell) => cell;
  return (cell) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
}

/** One line of a table, with its end: in quotes what holds a comma, a quote, a line end, or a space at its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
