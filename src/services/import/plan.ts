/** The plan of an import: each file with its resource, its rows, and the mapping of its columns. */
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { missingNames, targetNames, targetOf } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import { nearestName } from '../../core/schema/fields/members.ts';
import { combinationsOf, identifierOf } from '../../core/schema/reference.ts';
import { TransferRefused } from '../transfer/refused.ts';
import {
  ColumnsUnknown,
  type Duplicates,
  lookAtDates,
  type Mapped,
  type Mapping,
  mapColumns,
} from './mapping.ts';
import { type Chosen, type PlaceNames, placeParams } from './places.ts';
import {
  type Constants,
  type Empty,
  type ImportRow,
  isWithin,
  lineRows,
  linesOf,
  tableRows,
} from './rows.ts';
import type { DateOrder } from './table/cells.ts';
import { csvTable, type FileLook, lookAt } from './table/csv.ts';
import { fieldCalled, fieldNames, labelOf } from './table/headings.ts';
import type { ReadAs, SourceTable } from './table/table.ts';
import { faultSentences, type Remedies, type RowFault } from './words.ts';

export interface ImportOptions {
  readonly resources: readonly Resource[];
  /** The path name of the only resource of the files; else each file is called like its own. */
  readonly resource?: string | undefined;
  readonly account?: string | undefined;
  readonly map?: Mapping | undefined;
  /** Called for unmapped columns; without it they are refused. */
  readonly ask?:
    | ((file: string, mapped: Mapped, resource: Resource) => Promise<Mapping>)
    | undefined;
  /** By the name of a parameter its value in every row. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly sheet?: string | undefined;
  /** The number of the row that names the columns; else it is looked for. */
  readonly header_row?: number | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly dates?: DateOrder | undefined;
  readonly time_zone?: string | undefined;
  readonly us_phones?: boolean | undefined;
  readonly empty?: Empty | undefined;
  readonly remedies: Remedies;
  /** Reads the locations that a column may name in place of their identifiers. */
  readonly places?: (() => Promise<PlaceNames>) | undefined;
  /** The choices for names that mean none of them, or several. */
  readonly chosen?: Chosen | undefined;
}

export interface PlannedFile {
  readonly path: string;
  readonly resource: Resource;
  readonly read: ReadAs;
  readonly header: readonly string[] | undefined;
  readonly mapping: Mapping | undefined;
  readonly total: number;
  /** Whether it has times without an offset, which are read by the time zone of the options. */
  readonly hasLocal?: boolean;
  /** Rows that name the same record as an earlier one. */
  readonly twice?: Duplicates | undefined;
  /** The names of locations in the rows so far that mean none or several. */
  readonly unplaced?: ReadonlySet<string>;
  rows(): AsyncIterable<readonly ImportRow[]>;
  sentencesOf(faults: readonly RowFault[], cells: readonly string[]): string;
}

/** The files may be read until it is disposed of. */
export interface Plan extends Disposable {
  /** Parents before what belongs to them. */
  readonly files: readonly PlannedFile[];
  /** SHA-256 of the files, and of how they are read. */
  readonly fingerprint: string;
}

/** Reads every file once. Throws `TransferRefused`, and nothing is done yet. */
export async function planImport(paths: readonly string[], options: ImportOptions): Promise<Plan> {
  const { resources, ask: _, remedies: _words, places: __, ...how } = options;
  const named = paths.map((path) => ({ path, resource: resourceFor(path, options) }));
  named.sort((one, other) => resources.indexOf(one.resource) - resources.indexOf(other.resource));
  using opened = new DisposableStack();
  const files: PlannedFile[] = [];
  const hash = createHash('sha256');
  for (const { path, resource } of named) {
    const look = await lookAt(path, options.encoding);
    const file = await planFile(path, resource, look, options, opened);
    hash.update(JSON.stringify([look.sha256, resource.path, file.read, file.mapping ?? null]));
    files.push(file);
  }
  hash.update(JSON.stringify(how));
  const open = opened.move();
  return { files, fingerprint: hash.digest('hex'), [Symbol.dispose]: () => open.dispose() };
}

async function planFile(
  path: string,
  resource: Resource,
  look: FileLook,
  options: ImportOptions,
  opened: DisposableStack,
): Promise<PlannedFile> {
  if (/^\.(?:ndjson|jsonl)$/i.test(extname(path))) {
    const constants = constantsFor(resource, options);
    let total = 0;
    for await (const lines of linesOf(path, look)) total += lines.length;
    return {
      path,
      resource,
      read: {},
      header: undefined,
      mapping: undefined,
      total,
      rows: () => lineRows(linesOf(path, look), resource, constants),
      sentencesOf: (faults) => faultSentences(faults, undefined),
    };
  }
  const table = await tableOf(path, resource, look, options, opened);
  const mapped = await mappedTo(path, resource, table, options);
  const { targets } = mapped;
  const names = targets.flatMap((target) => target?.name ?? []);
  const constants = constantsFor(resource, options, names);
  const twice = constants.find(([{ name }]) => names.includes(name));
  if (twice !== undefined) {
    const field = options.remedies.name(resource, twice[0].name);
    throw new TransferRefused({
      code: 'column_given_twice',
      values: { file: path, field },
      message: `${path} has a column for ${field}, and ${options.remedies.same} gives it as well: leave out one of the two.`,
    });
  }
  const all = [...targets, ...constants.map(([target]) => target)];
  const missing = missingNames(resource, all);
  if (missing.length > 0) {
    const fields = missing.map((name) => options.remedies.name(resource, name)).join(', ');
    const message = `${path} has no column for ${fields}, which every row needs: ${options.remedies.field(missing[0] ?? '')}.`;
    throw new TransferRefused({ code: 'column_missing', values: { file: path, fields }, message });
  }
  const { time_zone: zone, us_phones: usPhones = false, empty = 'keep', remedies } = options;
  const { parent } = resource;
  const isNamed = (name: string) => all.some((target) => target?.name === name);
  if (parent !== undefined && !combinationsOf(parent).some((names) => names.every(isNamed))) {
    const message = `${path} has no column that says to which ${parent.display.singular.toLowerCase()} each row belongs: ${remedies.parent(identifierOf(parent))}.`;
    throw new TransferRefused({ code: 'parent_column_missing', values: { file: path }, message });
  }
  const named = isNamed(placeParams(resource)?.external ?? '');
  const hasTimes = zone === undefined && targets.some((target) => target?.kind === 'date and time');
  const places = named || hasTimes ? await options.places?.() : undefined;
  const dateRules = { order: options.dates, zone, hasZones: places?.hasZones === true };
  const { order, ...facts } = await lookAtDates(path, table, mapped, dateRules, remedies);
  const isProven = order !== undefined && options.dates === undefined;
  const unplaced = new Set<string>();
  const rules = { ...dateRules, ...mapped, constants, empty, order, usPhones, places, unplaced };
  return {
    path,
    resource,
    read: isProven ? { ...table.read, dates: order } : table.read,
    header: table.header,
    mapping: mapped.mapping,
    ...facts,
    unplaced,
    rows: () => tableRows(table, resource, rules),
    sentencesOf: (faults, cells) =>
      remedies.faults(faults, {
        resource,
        cells,
        header: table.header,
        columnsFor: (param) => columnsFor(mapped, param),
      }),
  };
}

/** The places of the columns that say something of the parameter. */
function columnsFor({ targets, joined }: Mapped, param: string): readonly number[] {
  const into = targets.findIndex((target) => target?.name === param);
  const at = into < 0 ? targets.findIndex((one) => one && isWithin(one.name, param)) : into;
  const [first] = joined.find(([, other]) => other === at) ?? [];
  return [first, at].filter((one) => one !== undefined && one >= 0) as number[];
}

/** Cells that are longer name no column. */
const LONGEST_NAME = 100;

/** Resources that it opens are put on the stack. */
export async function tableOf(
  path: string,
  resource: Resource,
  look: FileLook,
  options: ImportOptions,
  opened: DisposableStack,
): Promise<SourceTable> {
  // A table has a line of names at least; of JSON lines there may be none.
  if (look.bytes === 0) throw new TransferRefused({ code: 'file_empty', values: { file: path } });
  const extension = extname(path).toLowerCase();
  const knows = (cells: readonly string[]): number => {
    const names = cells.filter(({ length }) => length <= LONGEST_NAME);
    const fields = new Set(names.map((name) => fieldCalled(resource, name.trim())));
    fields.delete(undefined);
    return fields.size;
  };
  const rules = { row: options.header_row, knows };
  if (extension === '.xlsx' || look.isPacked) {
    const { sheetTable } = await import('./table/sheet.ts');
    return sheetTable(path, options.sheet, options.remedies, opened, rules);
  }
  if (options.sheet !== undefined)
    throw new TransferRefused(`${path} has no sheets: only XLSX files have.`);
  const isTabbed = extension === '.tsv' || extension === '.tab';
  const delimiter = options.delimiter ?? (isTabbed ? '\t' : undefined);
  return csvTable(path, look, delimiter, options.remedies, rules);
}

async function mappedTo(
  path: string,
  resource: Resource,
  { header }: SourceTable,
  { map = {}, ask, remedies }: ImportOptions,
): Promise<Mapped> {
  const mapped = mapColumns(resource, header, map, remedies);
  if (mapped.unknown.length === 0) return mapped;
  if (ask === undefined) throw new ColumnsUnknown(path, mapped);
  const answers = await ask(path, mapped, resource);
  return mapColumns(resource, header, { ...map, ...answers }, remedies);
}

export function resourceFor(path: string, { resources, resource }: ImportOptions): Resource {
  const writable = resources.filter(({ parent }) => parent !== undefined);
  const wanted = resource ?? basename(path).split('.')[0]?.toLowerCase() ?? '';
  const found = writable.find((one) => one.path === wanted || one.name === wanted);
  if (found !== undefined) return found;
  const nearest = nearestName(
    wanted,
    writable.map((one) => one.path),
  );
  throw new TransferRefused(
    resource === undefined
      ? `The name of ${path} does not say what its rows are: use --resource ${nearest ?? `with one of ${writable.map((one) => one.path).join(', ')}`}.`
      : `There is no resource ${JSON.stringify(resource)}. Known resources are ${writable.map((one) => one.path).join(', ')}.`,
  );
}

/** Values that are the same for every row: these are for those names. */
export function constantsFor(
  resource: Resource,
  { set = {}, account }: Pick<ImportOptions, 'set' | 'account'>,
  names: readonly string[] = [],
): Constants {
  const own = Object.entries(set).map(([name, value]) => {
    const target = targetOf(resource, name);
    if (target !== undefined) return [target, value] as const;
    const nearest = nearestName(name, targetNames(resource));
    throw new TransferRefused(
      `--set ${name}: ${resource.path} have no such field.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
    );
  });
  // Rows that name what they belong to by no identifier of ours are of the account.
  const said = [...names, ...own.map(([{ name }]) => name)];
  if (account === undefined || said.some((name) => name.endsWith('_unique_identifier'))) return own;
  let root = resource.parent;
  while (root?.parent !== undefined) root = root.parent;
  const target = root && targetOf(resource, identifierOf(root));
  return target === undefined ? own : [...own, [target, account]];
}

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
