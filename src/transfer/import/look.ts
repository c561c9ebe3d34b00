/** Describes a file before anybody has said what its columns are for. */
import type { Resource } from '../../schema/define.ts';
import { lookAt } from './bytes.ts';
import { mapColumns, missingFields } from './mapping.ts';
import { constantsFor, type ImportOptions, resourceFor, tableOf } from './plan.ts';
import { targetNames } from './target.ts';

export interface FoundFile {
  /** In words: how it was read. */
  readonly read: string;
  readonly header: readonly string[];
  /** The first rows after it. */
  readonly rows: readonly (readonly string[])[];
  /** By the name of a column the field that it is taken for; `null` where nothing says so. */
  readonly mapping: Readonly<Record<string, string | null>>;
  /** Of columns that nothing says of what they are for: the field that is most like it. */
  readonly nearest: Readonly<Record<string, string>>;
  /** Every field that a column may be for. */
  readonly fields: readonly string[];
  /** Those that every row needs. */
  readonly required: readonly string[];
}

/** Throws `TransferRefused`. */
export async function lookAtFile(
  path: string,
  options: ImportOptions,
  most: number,
): Promise<FoundFile> {
  const resource: Resource = resourceFor(path, options);
  using opened = new DisposableStack();
  const table = await tableOf(path, await lookAt(path, options.encoding), options, opened);
  const { mapping, unknown } = mapColumns(resource, table.header, options.map ?? {});
  const rows: (readonly string[])[] = [];
  for await (const some of table.rows()) {
    rows.push(...some.slice(0, most - rows.length).map(({ cells }) => cells));
    if (rows.length >= most) break;
  }
  return {
    read: table.read,
    header: table.header,
    rows,
    mapping: { ...mapping, ...Object.fromEntries(unknown.map(({ column }) => [column, null])) },
    nearest: Object.fromEntries(
      unknown.flatMap(({ column, nearest }) => (nearest === undefined ? [] : [[column, nearest]])),
    ),
    fields: targetNames(resource),
    required: missingFields(resource, constantsFor(resource, options)),
  };
}
