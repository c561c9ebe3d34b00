/** A list as people take it away: with the headings of their page, and values as they read them. */
import type { Resource } from '../../../core/schema/define.ts';
import { fieldsIn } from '../../../core/schema/present/display.ts';
import { phoneText } from '../../../core/schema/present/phone-text.ts';
import { isObject, type JsonObject, valueAt } from '../../../core/schema/values.ts';
import { columnsOfRows, type RowParts } from '../../../records/query/rows.ts';
import type { RowTable } from './formats.ts';
import type { RowBatches } from './rows.ts';

/** The columns that have a heading, in that order. The import knows them by it, and takes the values as they are. */
export function listTable(
  resource: Resource,
  headings: Readonly<Record<string, string>>,
  parts: RowParts,
  rows: RowBatches,
): Pick<RowTable, 'columns' | 'rows'> {
  const known = new Map(columnsOfRows(resource, parts).map((column) => [column.name, column]));
  const columns = Object.entries(headings).map(([name, heading]) => ({
    ...(known.get(name) ?? { steps: [name] }),
    name: heading,
  }));
  return { columns, rows: readable(resource, rows) };
}

async function* readable({ fields, public_data }: Resource, rows: RowBatches): RowBatches {
  const phones = fieldsIn({ ...fields, ...public_data })
    .filter(({ field }) => field.kind.name.endsWith('phone number'))
    .map(({ path }) => path.split('.'));
  for await (const batch of rows) {
    for (const row of batch) for (const steps of phones) readPhone(row, steps);
    yield batch;
  }
}

function readPhone(row: JsonObject, steps: readonly string[]): void {
  const at = valueAt(row, steps.slice(0, -1));
  const name = steps.at(-1) ?? '';
  if (at === undefined || !isObject(at) || !Object.hasOwn(at, name)) return;
  const { [name]: value } = at;
  if (typeof value === 'string') at[name] = phoneText(value);
}
