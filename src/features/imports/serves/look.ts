/** A look at a file before anything is said of it: what its columns are taken for, and what every row still needs. */
import { missingNames } from '../../../core/schema/csv/columns.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { combinationsOf, externalOf } from '../../../core/schema/reference.ts';
import { titlesOf } from './checks/titles.ts';
import { mapColumns } from './mapping.ts';
import { isOtherwise, withChoices, without } from './memory.ts';
import { createNotices, noticesOf } from './noticed.ts';
import {
  constantsFor,
  type ImportOptions,
  isFoundAbove,
  lookOf,
  resourceFor,
  tableOf,
} from './plan.ts';
import { detailCalled, fieldNames, labelOf } from './table/headings.ts';
import { asShown } from './table/table.ts';

/** The service finds it for each location; no caller sends it. */
const KNOWN_BY_PLACE = ['area_codes'];

/** Throws `TransferRefused`. */
export async function lookAtFile(path: string, said: ImportOptions, most: number) {
  const resource: Resource = resourceFor(path, said);
  using opened = new DisposableStack();
  const look = await lookOf(path, said);
  const table = await tableOf(path, resource, look, said, opened);
  const like = await said.memory?.like(resource, table.header);
  const options = like === undefined ? said : withChoices(said, like, table.header);
  const { map = {}, remedies } = options;
  const matters = isOtherwise(resource, table, said, options);
  const { mapping, unknown, ...mapped } = mapColumns(resource, table, map, remedies);
  const titles = titlesOf(resource, table.header, mapped.targets, options.set);
  const notices = createNotices(table, { ...mapped, titles });
  for (const { cells, fault } of table.samples)
    if (fault === undefined) notices.see({ number: 0, cells });
  const rows: (readonly string[])[] = [];
  for await (const some of table.rows()) {
    rows.push(...some.slice(0, most - rows.length).map((row) => asShown(row).cells));
    if (rows.length >= most) break;
  }
  const constants = constantsFor(resource, options).map(([target]) => target);
  const given = new Set(constants.map(({ name }) => name));
  const { parent } = resource;
  const ways = parent === undefined ? [] : [...combinationsOf(parent)];
  // A case number alone says which service is meant.
  if (parent !== undefined && isFoundAbove(resource, (name) => name === externalOf(parent)))
    ways.push([externalOf(parent)]);
  const noticed = [...noticesOf(look), ...notices.found(table.facts)];
  return {
    read: table.read,
    ...(noticed.length > 0 && { noticed }),
    ...(like && matters && { like: { import: like.import, name: like.name } }),
    ...(like && matters && { choices: without(like.choices, KNOWN_BY_PLACE) }),
    header: table.header,
    header_row: table.headerRow,
    beginning: table.beginning,
    rows,
    /** By the name of a column the field that it is taken for; `null` where nothing says so. */
    mapping: { ...mapping, ...Object.fromEntries(unknown.map(({ column }) => [column, null])) },
    /** Every field that a column may be for, and what people call it. */
    fields: fieldNames(resource).map((name) => ({ name, label: labelOf(resource, name) })),
    /** By the name of a column the field by which it is kept as a detail with that name. */
    details: Object.fromEntries(
      table.header.flatMap((column) => {
        const name = column.startsWith('_') ? undefined : detailCalled(resource, column);
        return name === undefined ? [] : [[column, name]];
      }),
    ),
    required: missingNames(resource, constants),
    /** The fields that name the record that a row belongs to, in one of these ways. */
    parent: ways.map((names) => names.filter((name) => !given.has(name))),
  };
}
