/** Files as rows: each an upsert, or all its faults. */
import { Faults, faultOf, messageOf } from '../../../core/errors.ts';
import { rowMaker, targetOf } from '../../../core/schema/csv/columns.ts';
import { cellReader } from '../../../core/schema/csv/write.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { BodyReading } from '../../../core/schema/fields/kind.ts';
import { parseJsonBody } from '../../../core/schema/json/json.ts';
import { type Line, readLines } from '../../../core/schema/lines.ts';
import { readUpsert } from '../../../core/schema/parse/parse.ts';
import { capitalised } from '../../../core/schema/present/words.ts';
import { isObject, type Json, type JsonObject, setMember } from '../../../core/schema/values.ts';
import { TEXT } from '../../../core/tables/cell.ts';
import type { ParsedRow } from '../../../records/ingest/many/row.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import type { Above, FoundAbove } from './above.ts';
import type { NamedTarget } from './amounts.ts';
import { cellOf, type Joined } from './mapping.ts';
import { type PlaceNames, type PlaceParams, placeParams } from './places.ts';
import {
  type Cell,
  type CellRules,
  isWrong,
  partText,
  readCell,
  readConstant,
  shownOf,
  textAgain,
} from './table/cells.ts';
import { MAX_ROW_BYTES } from './table/csv.ts';
import { asUtf8, type FileLook } from './table/encoding.ts';
import { detailCalled } from './table/headings.ts';
import { isName, turnedRound } from './table/names.ts';
import { phoneWithWords } from './table/readings.ts';
import type { SourceRow, SourceTable } from './table/table.ts';
import type { RowFault } from './words.ts';

/** The meaning of an empty cell. */
export type Empty = 'keep' | 'remove';

/** A row of a file. */
export interface ImportRow {
  readonly number: number;
  /** The row as it was read, to be written again where it is rejected. */
  readonly cells: readonly string[];
  readonly is: ParsedRow | readonly RowFault[];
  /** The external_identifier that it names, where that can be read. */
  readonly identifier?: string | undefined;
}

export type Constants = readonly (readonly [target: NamedTarget, value: string])[];

export interface TableRules extends CellRules {
  readonly targets: readonly (NamedTarget | undefined)[];
  readonly joined: readonly Joined[];
  readonly constants: Constants;
  readonly empty: Empty;
  /** The locations that a column may name; left out, the column has their identifiers. */
  readonly places: PlaceNames | undefined;
  /** Whether words beside a phone number become a detail with the name of its column. */
  readonly keepsWords?: boolean;
  /** Whether no area code of a location counts. */
  readonly hasNoArea?: boolean;
  /** Takes cells that name no location, or several. */
  readonly unplaced: Set<string>;
  /** Finds what a row belongs to by its identifier alone, where the file does not say at which location that is. */
  readonly above?: Above | undefined;
  /** Takes identifiers that several have, at different locations. */
  readonly undecided: Set<string>;
}

const MAX_UNPLACED = 50;
/** Columns that a value for all rows may name: a row must not become much larger than it is. */
const MAX_FILLED = 10;

/** The rows of a table. */
export async function* tableRows(table: SourceTable, resource: Resource, rules: TableRules) {
  const { targets, joined, constants, empty, places, unplaced, above } = rules;
  const filled = constants.map((one) => [one[0], valueIn(one, table.header)] as const);
  const width = targets.length;
  const params = placeParams(resource);
  const all = [...targets, ...constants.map(([target]) => target)];
  const located = all.findIndex(
    (one) => one?.name === params?.external || one?.name === params?.unique,
  );
  const make = rowMaker(all);
  const asItWas = cellReader(table.header);
  const own = targets.findIndex((target) => target?.name === 'external_identifier');
  const byAbove = targets.findIndex((target) => target?.name === above?.external);
  for await (const rows of table.rows()) {
    const found = new Map<string, FoundAbove>();
    if (above !== undefined) {
      const same = constants.find(([{ name }]) => name === above.external)?.[1];
      const named = rows.map((row) => same ?? shownOf(cellOf(row, byAbove, joined)));
      for (const name of new Set(named)) found.set(name, await above.find(name));
    }
    yield rows.map((row) => {
      const { number, cells, fault } = row;
      const faults = new Faults();
      if (fault !== undefined || cells.length !== width) {
        // Where a row has more or fewer cells, they may have slipped into other columns.
        const identifier = (cells.length === width && cells[own]?.trim()) || undefined;
        return { number, cells, is: [unread(row, table, targets)], identifier };
      }
      const cellAt = (place: number): Cell => {
        const cell = cellOf(row, place, joined);
        return row.values === undefined ? { text: asItWas(cell.text) } : cell;
      };
      /** A name is turned round in other texts, too. */
      const partAt = (place: number): Cell => {
        const cell = cellAt(place);
        const turns = rules.turnsNames && isName(targets[place]);
        const turned = turns ? turnedRound(shownOf(cell)) : undefined;
        return turned === undefined ? cell : { ...cell, text: turned };
      };
      const where = constants[located - width]?.[1] ?? shownOf(cellAt(located));
      const zone = rules.zone ?? places?.zoneOf(where);
      const areaCode = rules.areaCode ?? (rules.hasNoArea ? undefined : places?.areaCodeOf(where));
      const isSame = zone === rules.zone && areaCode === rules.areaCode;
      const cellRules = isSame ? rules : { ...rules, zone, areaCode };
      const sent = make((place) => {
        const [target, value] = filled[place - width] ?? [targets[place] as NamedTarget, place];
        if (typeof value === 'string') {
          // One value for all rows is typed by somebody, who means no year of antiquity.
          const isOld = target.kind.startsWith('date') && /^\s*0\d{3}-/.test(value);
          if (!isOld) return readConstant(target, value, faults);
          faults.add(target.name, 'no_such_day');
          return undefined;
        }
        const cell = typeof value === 'number' ? cellAt(value) : value(partAt);
        return readCell(target, cell, cellRules, faults);
      }, empty === 'remove');
      if (rules.keepsWords) keepWords(sent, row, resource, table.header, targets);
      if (places !== undefined && params !== undefined)
        place(sent, params, places, { faults, unplaced });
      if (above !== undefined) putAbove(sent, above, found, { ...rules, faults });
      const is = parsed(resource, sent, { encoding: 'cells', faults }, cells);
      const written = 'request' in is ? cells : cellsAgain(row, rules);
      return { number, cells: written, is, identifier: identifierIn(sent) };
    });
  }
}

/** Puts words beside phone numbers among the details of a record, where it has any. */
function keepWords(
  sent: JsonObject,
  { cells }: SourceRow,
  resource: Resource,
  header: readonly string[],
  targets: TableRules['targets'],
): void {
  for (const [at, target] of targets.entries()) {
    if (!target?.kind.endsWith('phone number')) continue;
    const words = phoneWithWords(cells[at] ?? '')?.words;
    const detail = words && targetOf(resource, detailCalled(resource, header[at] ?? '') ?? '');
    if (!detail) continue;
    const [within = '', name = ''] = detail.steps;
    const before = sent[within];
    sent[within] = isObject(before) ? { ...before, [name]: words } : { [name]: words };
  }
}

/** The fault of a row that cannot be read as the header says. */
function unread(
  { cells, fault }: SourceRow,
  { header, places }: SourceTable,
  targets: TableRules['targets'],
): RowFault {
  const values = { has: cells.length, header: header.length };
  if (fault === undefined) return faultOf('cells_wrong', undefined, { values });
  const column = fault.cell === undefined ? -1 : places.indexOf(fault.cell);
  const { code, values: of } = fault;
  if (column < 0) return { code, message: `${capitalised(fault.message)}.`, values: of };
  const param = targets[column]?.name ?? header[column];
  return { code, column, param, message: messageOf(code, { param }) };
}

/** The cells of a row of a workbook, as a table of texts has them. */
function cellsAgain(row: SourceRow, { targets, joined }: TableRules): readonly string[] {
  if (row.values === undefined) return row.cells;
  return row.cells.map((text, at) => {
    const into = joined.find(([first]) => first === at)?.[1] ?? at;
    const value = row.values?.[at];
    return value === undefined ? text : textAgain({ text, value }, targets[into]);
  });
}

/** A value for all rows: `{Deceased}` in it takes what stands in the column of that name. It is empty where all are. */
function valueIn([{ name, kind }, value]: Constants[number], header: readonly string[]) {
  const isDay = kind.startsWith('date');
  const parts = value.split(/(\{[^{}]+\})/).map((text) => {
    const place = header.indexOf(text.slice(1, -1));
    return text.startsWith('{') && place >= 0 ? place : text;
  });
  const columns = parts.filter((part) => typeof part === 'number');
  if (columns.length === 0) return value;
  if (columns.length > MAX_FILLED)
    throw new TransferRefused({
      code: 'columns_filled_too_many',
      values: { field: name, has: columns.length, most: MAX_FILLED },
    });
  return (cellAt: (place: number) => Cell): Cell => {
    let text = '';
    let isEmpty = true;
    let worst: Cell['value'];
    for (const part of parts) {
      if (typeof part === 'string') {
        text += text === '' ? part.trimStart() : part;
        continue;
      }
      const cell = cellAt(part);
      if (isWrong(cell)) return cell;
      const own = (isDay ? partText(cell) : shownOf(cell)).trim();
      if (own !== '') isEmpty = false;
      // Where a column is empty, the blank before it goes, too.
      text = own === '' ? text.trimEnd() : text + own;
      if (worst === undefined || worst === TEXT) worst = cell.value;
    }
    const value = isDay && worst !== undefined ? TEXT : worst;
    return { text: isEmpty ? '' : text.trimEnd(), value };
  };
}

/** Puts the identifier of the location that a row names in place of its name. */
function place(
  sent: JsonObject,
  { external, unique, root }: PlaceParams,
  places: PlaceNames,
  { faults, unplaced }: { readonly faults: Faults; readonly unplaced: Set<string> },
): void {
  const cell = sent[external];
  if (typeof cell !== 'string') return;
  const found = places.named(cell);
  if (places.isUnknown(cell) && unplaced.size < MAX_UNPLACED) unplaced.add(cell);
  if (found === 'several') {
    faults.add(external, 'place_ambiguous');
  } else if (found !== undefined) {
    delete sent[external];
    // It is never sent together with a location.
    delete sent[root];
    sent[unique] = found.unique_identifier;
  }
}

/** Puts the unique identifier of what a row belongs to in place of the caller's own. */
function putAbove(
  sent: JsonObject,
  { external, unique, others }: Above,
  found: ReadonlyMap<string, FoundAbove>,
  { faults, undecided }: Pick<TableRules, 'undecided'> & { readonly faults: Faults },
): void {
  const name = sent[external];
  if (typeof name !== 'string') return;
  const one = found.get(name) ?? 'none';
  if (one === 'several') {
    if (undecided.size < MAX_UNPLACED) undecided.add(name);
    faults.add(external, 'identifier_ambiguous');
  } else if (one === 'none') {
    faults.add(external, 'identifier_unknown');
  } else {
    delete sent[external];
    for (const other of others) delete sent[other];
    sent[unique] = one.unique_identifier;
  }
}

/** The upsert of a row. Faults of cells are added to `faults`. */
function parsed(
  resource: Resource,
  sent: JsonObject,
  { encoding, faults }: Pick<BodyReading, 'encoding' | 'faults'>,
  cells: readonly string[],
): ImportRow['is'] {
  const unread = faults.named.map(({ param = '' }) => param);
  const request = readUpsert(resource, sent, { encoding, faults, unknown: 'refuse' });
  if (faults.count === 0) return { request, bytes: sizeOf(cells) };
  return faults.named.filter(
    ({ param = '' }) =>
      unread.includes(param) || !unread.some((one) => param !== '' && isWithin(one, param)),
  );
}

function identifierIn({ external_identifier: sent }: JsonObject): string | undefined {
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

/** Bytes of memory that a cell takes without its text. */
const POINTER = 8;

/** About as many bytes as the cells take. */
export function sizeOf(cells: readonly string[]): number {
  let size = 0;
  for (const cell of cells) size += cell.length + POINTER;
  return size;
}

/** Whether one is the other, or a member of it. */
export function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The lines of a file with an object of JSON in each. */
export async function* linesOf(path: string, look: FileLook): AsyncGenerator<readonly Line[]> {
  await using source = asUtf8(path, look);
  yield* readLines(source, { longest: MAX_ROW_BYTES, together: 256 });
}

/** The rows of such lines. */
export async function* lineRows(
  file: AsyncIterable<readonly Line[]>,
  resource: Resource,
  constants: Constants,
): AsyncGenerator<ImportRow[]> {
  for await (const lines of file) {
    yield lines.map(({ number, bytes }) => {
      if (bytes === undefined) {
        const message = `The line is larger than ${MAX_ROW_BYTES} bytes.`;
        return { number, cells: [], is: [{ code: 'row_too_large', message }] };
      }
      const cells = [Buffer.from(bytes).toString().trimEnd()];
      const faults = new Faults();
      const value = parseJsonBody(bytes, faults);
      if (faults.count > 0) return { number, cells, is: faults.named };
      if (!isObject(value))
        return { number, cells, is: [{ message: 'The line is not a JSON object.' }] };
      const sent = withoutGiven(value, resource, constants);
      const is = parsed(resource, sent, { encoding: 'json', faults }, cells);
      return { number, cells, is, identifier: identifierIn(sent) };
    });
  }
}

/** Without what the service gave the record, and with the values for all rows. */
function withoutGiven(sent: JsonObject, resource: Resource, constants: Constants): JsonObject {
  const own: JsonObject = {};
  for (const name of Object.keys(sent)) {
    if (!name.startsWith('_')) setMember(own, name, sent[name] as Json);
  }
  const namesParent = Object.keys(own).some(
    (name) => name.endsWith('_unique_identifier') && Object.hasOwn(resource.upsert, name),
  );
  for (const [{ name }, value] of constants) {
    if (Object.hasOwn(own, name) || (name.endsWith('_unique_identifier') && namesParent)) continue;
    own[name] = value;
  }
  return own;
}
