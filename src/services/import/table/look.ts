/** Describes a file before its columns are mapped. */
import { missingNames } from '../../../core/schema/csv/targets.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { combinationsOf } from '../../../core/schema/reference.ts';
import { mapColumns } from '../mapping.ts';
import { constantsFor, type ImportOptions, resourceFor, tableOf } from '../plan.ts';
import { lookAt } from './bytes.ts';
import { fieldNames, labelOf } from './headings.ts';

/** Throws `TransferRefused`. */
export async function lookAtFile(path: string, options: ImportOptions, most: number) {
  const resource: Resource = resourceFor(path, options);
  using opened = new DisposableStack();
  const look = await lookAt(path, options.encoding);
  const table = await tableOf(path, resource, look, options, opened);
  const { map = {}, remedies } = options;
  const { mapping, unknown } = mapColumns(resource, table.header, map, remedies);
  const rows: (readonly string[])[] = [];
  for await (const some of table.rows()) {
    rows.push(...some.slice(0, most - rows.length).map(({ cells }) => cells));
    if (rows.length >= most) break;
  }
  const constants = constantsFor(resource, options).map(([target]) => target);
  const given = new Set(constants.map(({ name }) => name));
  const ways = resource.parent === undefined ? [] : combinationsOf(resource.parent);
  return {
    read: table.read,
    header: table.header,
    header_row: table.headerRow,
    beginning: table.beginning,
    rows,
    /** By the name of a column the field that it is taken for; `null` where nothing says so. */
    mapping: { ...mapping, ...Object.fromEntries(unknown.map(({ column }) => [column, null])) },
    /** Every field that a column may be for, and what people call it. */
    fields: fieldNames(resource).map((name) => ({ name, label: labelOf(resource, name) })),
    required: missingNames(resource, constants),
    /** The fields that name the record that a row belongs to, in one of these ways. */
    parent: ways.map((names) => names.filter((name) => !given.has(name))),
  };
}
