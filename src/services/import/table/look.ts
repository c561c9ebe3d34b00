/** Describes a file before its columns are mapped. */
import { missingNames } from '../../../core/schema/csv/targets.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { combinationsOf } from '../../../core/schema/reference.ts';
import { mapColumns } from '../mapping.ts';
import { constantsFor, type ImportOptions, resourceFor, tableOf } from '../plan.ts';
import { lookAt } from './bytes.ts';
import { fieldNames, labelOf } from './headings.ts';
import type { FirstRow, ReadAs } from './table.ts';

export interface FileSummary {
  readonly read: ReadAs;
  readonly header: readonly string[];
  readonly header_row: number;
  /** The first rows of the file, among which the header can be. */
  readonly beginning: readonly FirstRow[];
  /** The first rows after it. */
  readonly rows: readonly (readonly string[])[];
  /** By the name of a column the field that it is taken for; `null` where nothing says so. */
  readonly mapping: Readonly<Record<string, string | null>>;
  /** Every field that a column may be for, and what people call it. */
  readonly fields: readonly { readonly name: string; readonly label: string }[];
  /** Fields that every row needs. */
  readonly required: readonly string[];
  /** The fields that name the record that a row belongs to, in one of these ways. */
  readonly parent: readonly (readonly string[])[];
}

/** Throws `TransferRefused`. */
export async function lookAtFile(
  path: string,
  options: ImportOptions,
  most: number,
): Promise<FileSummary> {
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
    mapping: { ...mapping, ...Object.fromEntries(unknown.map(({ column }) => [column, null])) },
    fields: fieldNames(resource).map((name) => ({ name, label: labelOf(resource, name) })),
    required: missingNames(resource, constants),
    parent: ways.map((names) => names.filter((name) => !given.has(name))),
  };
}
