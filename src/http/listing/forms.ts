/** How rows are written one after the other: as lines of JSON, or as CSV. */
import type { Resource } from '../../schema/define.ts';
import { stringify } from '../../schema/json/json.ts';
import { cellsOf, columnsOf } from '../../schema/row.ts';
import type { JsonObject } from '../../schema/values.ts';
import { csvLine } from '../../tables/write-csv.ts';
import { JSON_TYPE, LINES } from '../body.ts';
import { weightsIn } from '../weights.ts';

export interface RowForm {
  /** The media type, with its parameters. */
  readonly type: string;
  /** What comes before the first row. */
  readonly head: (resource: Resource) => string;
  readonly row: (resource: Resource, row: JsonObject) => string;
  /** Why the rows end before their end; what has no place for that is cut off. */
  readonly error?: (text: string) => string;
}

const NDJSON: RowForm = {
  type: `${LINES}; charset=utf-8`,
  head: () => '',
  row: (_resource, row) => `${stringify(row)}\n`,
  error: (text) => `${text}\n`,
};

/** https://www.rfc-editor.org/rfc/rfc4180 */
const CSV: RowForm = {
  type: 'text/csv; charset=utf-8; header=present',
  head: (resource) => csvLine(columnsOf(resource).map(({ name }) => name)),
  row: (resource, row) => csvLine(cellsOf(columnsOf(resource), row)),
};

const FORMS = { [LINES]: NDJSON, 'text/csv': CSV };
export const ROW_TYPES = Object.keys(FORMS);

/** The form that an `Accept` asks for; `undefined`: a page of JSON, also where the caller likes that as much. */
export function formFor(accept: string | undefined): RowForm | undefined {
  if (accept === undefined) return undefined;
  const weights = weightsIn(accept);
  const others = weights.get('application/*') ?? weights.get('*/*') ?? 0;
  let most = weights.get(JSON_TYPE) ?? others;
  let found: RowForm | undefined;
  for (const [type, form] of Object.entries(FORMS)) {
    const weight = weights.get(type) ?? 0;
    if (weight <= most) continue;
    most = weight;
    found = form;
  }
  return found;
}
