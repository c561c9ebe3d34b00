/** Rows as lines of JSON or as CSV. */
import { stringify } from '../schema/json/json.ts';
import { cellsOf, type RowColumn } from '../schema/row.ts';
import type { JsonObject } from '../schema/values.ts';
import { inert } from './inert.ts';
import { csvLine } from './write-csv.ts';

export interface RowText {
  /** The text before the first row. */
  readonly head: (columns: readonly RowColumn[]) => string;
  readonly row: (columns: readonly RowColumn[], row: JsonObject) => string;
}

export const NDJSON: RowText = {
  head: () => '',
  row: (_columns, row) => `${stringify(row)}\n`,
};

/** https://www.rfc-editor.org/rfc/rfc4180 */
export const CSV: RowText = {
  head: (columns) => csvLine(columns.map(({ name }) => name)),
  row: (columns, row) => csvLine(cellsOf(columns, row)),
};

/** It marks the text as UTF-8 for spreadsheet programs. */
const MARK = '\ufeff';

/** CSV in which nothing is run as a formula. */
export const SPREADSHEET_CSV: RowText = {
  head: (columns) => MARK + csvLine(inert.header(columns.map(({ name }) => name))),
  row: (columns, row) => csvLine(inert.cells(cellsOf(columns, row))),
};
