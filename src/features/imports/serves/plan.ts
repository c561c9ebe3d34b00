/** The plan of an import: each file with its resource, its rows, and the mapping of its columns. */
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { missingNames, targetNames, targetOf } from '../../../core/schema/csv/columns.ts';
import { APOSTROPHES } from '../../../core/schema/csv/write.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { nearestName } from '../../../core/schema/fields/members.ts';
import { combinationsOf, externalOf, identifierOf } from '../../../core/schema/reference.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import type { Notice } from '../declares/answers.ts';
import type { AboveFinder } from './above.ts';
import { targetNamed } from './amounts.ts';
import { titleIn, titlesOf } from './checks/titles.ts';
import {
  ColumnsUnknown,
  type Duplicates,
  lookAtDates,
  type Mapped,
  type Mapping,
  mapColumns,
} from './mapping.ts';
import {
  areaCodeIn,
  type Choices,
  choicesIn,
  isOtherwise,
  type Like,
  type Memory,
  withChoices,
} from './memory.ts';
import { noticesOf } from './noticed.ts';
import { type PlaceNames, placeParams } from './places.ts';
import { type Constants, type ImportRow, isWithin, lineRows, linesOf, tableRows } from './rows.ts';
import { csvTable } from './table/csv.ts';
import { asUtf8, type FileLook, lookAt, lookBy } from './table/encoding.ts';
import { fieldCalled, isListOfOurs } from './table/headings.ts';
import type { ReadAs, SourceTable } from './table/table.ts';
import { type TypedCells, typedOver } from './table/typed.ts';
import { faultSentences, type Remedies, type RowFault } from './words.ts';

export interface ImportOptions extends Choices {
  readonly resources: readonly Resource[];
  /** The path name of the only resource of the files; else each file is called like its own. */
  readonly resource?: string | undefined;
  readonly account?: string | undefined;
  /** Called for unmapped columns; without it they are refused. */
  readonly ask?:
    | ((file: string, mapped: Mapped, resource: Resource) => Promise<Mapping>)
    | undefined;
  readonly sheet?: string | undefined;
  /** The number of the row that names the columns; else it is looked for. */
  readonly header_row?: number | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly remedies: Remedies;
  /** Reads the locations that a column may name in place of their identifiers. */
  readonly places?: (() => Promise<PlaceNames>) | undefined;
  /** Who imports, where it is not all the same: others go on with nothing of theirs. */
  readonly by?: string | undefined;
  readonly mode?: string | undefined;
  /** Texts that a person has typed over cells. */
  readonly cells?: TypedCells | undefined;
  /** A look at the only file, where that was taken already. */
  readonly known?: FileLook | undefined;
  /** Keeps what was found in all rows: by the file, and how it is read. */
  readonly facts?: KeptFacts | undefined;
  /** Knows what was chosen for files like it before. */
  readonly memory?: Memory | undefined;
  /** The choices for files like it that count no more. */
  readonly taken_back?: readonly (keyof Choices)[];
  /** Finds what rows belong to by an identifier that has no location beside it. */
  readonly above?: AboveFinder | undefined;
}

/** Findings in all rows of a file. */
type Facts = Awaited<ReturnType<typeof lookAtDates>>;

export interface KeptFacts {
  find(key: string): Facts | undefined;
  keep(key: string, facts: Facts): Promise<unknown>;
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
  /** Whether a cell of it would be run as a formula by a spreadsheet program. */
  readonly hasFormulas?: boolean;
  /** The import of a file with the same columns, whose choices are used. */
  readonly like?: Pick<Like, 'import' | 'name'> | undefined;
  /** The choices for it, as they are kept for the next one. */
  readonly choices?: string | undefined;
  /** Things to know of it before its rows are written. */
  readonly noticed?: readonly Notice[];
  /** The names of locations in the rows so far that mean none or several. */
  readonly unplaced?: ReadonlySet<string>;
  /** The identifiers in the rows so far that several have, at different locations. */
  readonly undecided?: ReadonlySet<string>;
  rows(): AsyncIterable<readonly ImportRow[]>;
  /** Whom a row is about. */
  titleOf?(row: ImportRow): string;
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
  const { resources } = options;
  const how = howRead(options);
  const named = paths.map((path) => ({ path, resource: resourceFor(path, options) }));
  named.sort((one, other) => resources.indexOf(one.resource) - resources.indexOf(other.resource));
  using opened = new DisposableStack();
  const files: PlannedFile[] = [];
  const hash = createHash('sha256');
  for (const { path, resource } of named) {
    const look = await lookOf(path, options);
    const file = await planFile(path, resource, look, options, opened);
    hash.update(JSON.stringify([look.sha256, resource.path, file.read, file.mapping ?? null]));
    files.push(file);
  }
  hash.update(JSON.stringify(how));
  const open = opened.move();
  return { files, fingerprint: hash.digest('hex'), [Symbol.dispose]: () => open.dispose() };
}

function howRead(options: ImportOptions) {
  const {
    resources: _,
    ask: _ask,
    remedies: _words,
    places: _names,
    above: _above,
    memory: _memory,
    known: _look,
    ...rest
  } = options;
  const { facts: _facts, ...how } = rest;
  return how;
}

export function lookOf(
  path: string,
  { known, encoding }: ImportOptions,
): FileLook | Promise<FileLook> {
  return known === undefined ? lookAt(path, encoding) : lookBy(known, encoding);
}

async function planFile(
  path: string,
  resource: Resource,
  look: FileLook,
  said: ImportOptions,
  opened: DisposableStack,
): Promise<PlannedFile> {
  if (/^\.(?:ndjson|jsonl)$/i.test(extname(path))) {
    const constants = constantsFor(resource, said);
    // Lines of JSON are UTF-8, as those that are sent to a service: nothing is guessed of them.
    const encoding = look.doubts === undefined || said.encoding ? look.encoding : 'utf-8';
    const read = { ...look, encoding };
    let total = 0;
    for await (const lines of linesOf(path, read)) total += lines.length;
    return {
      path,
      resource,
      read: {},
      header: undefined,
      mapping: undefined,
      total,
      rows: () => lineRows(linesOf(path, read), resource, constants),
      sentencesOf: (faults) => faultSentences(faults, undefined),
    };
  }
  const table = typedOver(await tableOf(path, resource, look, said, opened), said.cells);
  const like = await said.memory?.like(resource, table.header);
  // What is said now counts; an order of dates that the file proves does, too.
  const { dates: before, ...chosen } = like?.choices ?? {};
  const options = like
    ? withChoices(said, { ...like, choices: chosen }, table.header, said.taken_back)
    : said;
  const mapped = await mappedTo(path, resource, table, options);
  const { targets } = mapped;
  const matters = like !== undefined && isOtherwise(resource, table, said, { ...options, before });
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
  const above = isFoundAbove(resource, isNamed) ? options.above?.(resource) : undefined;
  const isWhole = parent && combinationsOf(parent).some((names) => names.every(isNamed));
  if (parent !== undefined && !isWhole && above === undefined) {
    const message = `${path} has no column that says to which ${parent.display.singular.toLowerCase()} each row belongs: ${remedies.parent(identifierOf(parent))}.`;
    throw new TransferRefused({ code: 'parent_column_missing', values: { file: path }, message });
  }
  const named = isNamed(placeParams(resource)?.external ?? '');
  const hasTimes = zone === undefined && targets.some((target) => target?.kind === 'date and time');
  const hasPhones =
    options.area_code === undefined && targets.some((one) => one?.kind.endsWith('phone number'));
  const isPlaced = named || hasTimes;
  const locations = isPlaced || hasPhones ? await options.places?.() : undefined;
  const places = isPlaced || locations?.hasAreaCodes || locations?.hasZones ? locations : undefined;
  const hasZones = places?.hasZones === true;
  const shortDates = options.short_years === true;
  const titles = titlesOf(resource, table.header, targets, options.set);
  const shortTimes = options.short_times;
  const isOurs = isListOfOurs(table.header);
  const times = { before, zone, hasZones, shortDates, shortTimes };
  const dateRules = { order: options.dates, ...times, isOurs, titles };
  const key = JSON.stringify([
    look.sha256,
    resource.path,
    table.read,
    mapped.mapping,
    howRead(options),
  ]);
  const fresh = async () => {
    const found = await lookAtDates(path, table, mapped, dateRules, remedies);
    await options.facts?.keep(key, found);
    return found;
  };
  const { order, noticed, ...facts } = options.facts?.find(key) ?? (await fresh());
  const isProven = order !== undefined && options.dates === undefined;
  const unplaced = new Set<string>();
  const undecided = new Set<string>();
  const found = { places, unplaced, above, undecided };
  const turnsNames = options.names === 'last_first';
  const { phone_words: words, area_code: saidCode, short_years: shortYears = false } = options;
  const { areaCode, hasNoArea } = areaCodeIn(saidCode);
  const readings = { usPhones, turnsNames, takesWords: words !== undefined, areaCode, shortYears };
  const how = { empty, order, keepsWords: words === 'keep', hasNoArea, ...readings };
  const rules = { ...dateRules, ...mapped, ...found, ...how, constants };
  return {
    path,
    resource,
    read: isProven ? { ...table.read, dates: order } : table.read,
    header: table.header,
    mapping: mapped.mapping,
    ...facts,
    like: matters ? { import: like.import, name: like.name } : undefined,
    choices: choicesIn({ ...options, map: mapped.mapping, dates: options.dates ?? before }),
    noticed: [...noticesOf(look), ...noticed],
    unplaced,
    undecided,
    rows: () => tableRows(table, resource, rules),
    titleOf: ({ cells }) => titleIn(cells, titles),
    sentencesOf: (faults, cells) =>
      remedies.faults(faults, {
        resource,
        cells,
        header: table.header,
        columnsFor: (param) => columnsFor(mapped, param),
      }),
  };
}

/** Whether rows name what they belong to by the caller's own identifier, and no location. */
export function isFoundAbove(resource: Resource, isNamed: (name: string) => boolean): boolean {
  const { parent } = resource;
  const params = placeParams(resource);
  if (parent === undefined || parent.anchor || params === undefined) return false;
  return isNamed(externalOf(parent)) && !isNamed(params.external) && !isNamed(params.unique);
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
    // It is a header of ours, in whatever language.
    if (cells.includes(APOSTROPHES)) return cells.length;
    const names = cells.filter(({ length }) => length <= LONGEST_NAME);
    const fields = new Set(names.map((name) => fieldCalled(resource, name.trim(), cells)));
    fields.delete(undefined);
    return fields.size;
  };
  const rules = { row: options.header_row, knows };
  if (look.other !== undefined)
    throw new TransferRefused({ code: look.other, values: { file: path } });
  if (look.isPacked || (extension === '.xlsx' && !(await hasColumns(path, look)))) {
    const { sheetTable } = await import('./table/sheet.ts');
    return sheetTable(path, options.sheet, options.remedies, opened, rules);
  }
  if (options.sheet !== undefined)
    throw new TransferRefused(`${path} has no sheets: only XLSX files have.`);
  const isTabbed = extension === '.tsv' || extension === '.tab';
  const delimiter = options.delimiter ?? (isTabbed ? '\t' : undefined);
  return csvTable(path, look, delimiter, options.remedies, rules);
}

/** Whether a file that is called a workbook is a table of texts. */
async function hasColumns(path: string, look: FileLook): Promise<boolean> {
  await using source = asUtf8(path, look);
  const beginning = Buffer.from((await source.next()) ?? []).toString();
  return /^[^\r\n]*[,;\t|]/.test(beginning);
}

async function mappedTo(
  path: string,
  resource: Resource,
  table: SourceTable,
  { map = {}, ask, remedies }: ImportOptions,
): Promise<Mapped> {
  const mapped = mapColumns(resource, table, map, remedies);
  if (mapped.unknown.length === 0) return mapped;
  if (ask === undefined) throw new ColumnsUnknown(path, mapped);
  const answers = await ask(path, mapped, resource);
  return mapColumns(resource, table, { ...map, ...answers }, remedies);
}

export function resourceFor(path: string, { resources, resource }: ImportOptions): Resource {
  const writable = resources.filter(({ parent }) => parent !== undefined);
  // What comes each night has its day behind: events-2027-03-20.csv.
  const [called = ''] = /^[a-z]+(?:_[a-z]+)*/.exec(basename(path).toLowerCase()) ?? [];
  const wanted = resource ?? called;
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
    const target = targetNamed(resource, name);
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
