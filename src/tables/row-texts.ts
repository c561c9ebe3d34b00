/** Rows as text, one after the other: as lines of JSON, or as CSV. */
import type { Resource } from '../schema/define.ts';
import { stringify } from '../schema/json/json.ts';
import { cellsOf, columnsOf } from '../schema/row.ts';
import type { JsonObject } from '../schema/values.ts';
import { csvLine } from './write-csv.ts';

export interface RowText {
  /** What comes before the first row. */
  readonly head: (resource: Resource) => string;
  readonly row: (resource: Resource, row: JsonObject) => string;
}

export const NDJSON: RowText = {
  head: () => '',
  row: (_resource, row) => `${stringify(row)}\n`,
};

/** https://www.rfc-editor.org/rfc/rfc4180 */
export const CSV: RowText = {
  head: (resource) => csvLine(columnsOf(resource).map(({ name }) => name)),
  row: (resource, row) => csvLine(cellsOf(columnsOf(resource), row)),
};
