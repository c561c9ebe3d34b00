/** Rows as lines of JSON or as CSV. */
import { APOSTROPHES, csvLine, inertLine, MARK } from '../schema/csv/write.ts';
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

/** CSV in which nothing is run as a formula. */
export const SPREADSHEET_CSV: RowText = {
  head: (columns) => MARK + csvLine([...columns.map(({ name }) => name), APOSTROPHES]),
  row: (columns, row) => inertLine([...cellsOf(columns, row), '']),
};
