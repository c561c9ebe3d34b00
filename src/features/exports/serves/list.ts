/** A list as people take it away, with the headings of their page. */
import type { Resource } from '../../../core/schema/define.ts';
import { columnsOfRows, type RowParts } from '../../../records/query/rows.ts';
import type { RowTable } from './formats.ts';

/** The columns that have a heading, in that order. The import knows them by it, and takes the values as they are. */
export function listColumns(
  resource: Resource,
  headings: Readonly<Record<string, string>>,
  parts: RowParts,
): RowTable['columns'] {
  const known = new Map(columnsOfRows(resource, parts).map((column) => [column.name, column]));
  return Object.entries(headings).map(([name, heading]) => ({
    ...(known.get(name) ?? { steps: [name] }),
    name: heading,
  }));
}
