/** Files as rows: each an upsert, or all its faults. */
import { Faults, faultOf } from '../../core/errors.ts';
import { type ColumnTarget, rowMaker } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { BodyReading } from '../../core/schema/fields/kind.ts';
import { parseJsonBody } from '../../core/schema/json/json.ts';
import { type Line, readLines } from '../../core/schema/lines.ts';
import { readUpsert } from '../../core/schema/parse/parse.ts';
import { capitalised } from '../../core/schema/present/words.ts';
import { isObject, type Json, type JsonObject, setMember } from '../../core/schema/values.ts';
import { cellReader } from '../../core/tables/row-texts.ts';
import type { ParsedRow } from '../../records/ingest/many/row.ts';
import { TransferRefused } from '../transfer/refused.ts';
import { type Joined, joinedCell } from './mapping.ts';
import { type PlaceNames, type PlaceParams, placeParams } from './places.ts';
import { type CellRules, readCell, readConstant } from './table/cells.ts';
import { asUtf8, type FileLook, MAX_ROW_BYTES } from './table/csv.ts';
import type { SourceTable } from './table/table.ts';
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

export type Constants = readonly (readonly [target: ColumnTarget, value: string])[];

export interface TableRules extends CellRules {
  readonly targets: readonly (ColumnTarget | undefined)[];
  readonly joined: readonly Joined[];
  readonly constants: Constants;
  readonly empty: Empty;
  /** The locations that a column may name; left out, the column has their identifiers. */
  readonly places: PlaceNames | undefined;
  /** Takes cells that name no location, or several. */
  readonly unplaced: Set<string>;
}

const MAX_UNPLACED = 50;
/** Columns that a value for all rows may name: a row must not become much larger than it is. */
const MAX_FILLED = 10;

/** The rows of a table. */
export async function* tableRows(table: SourceTable, resource: Resource, rules: TableRules) {
  const { targets, joined, constants, empty, places, unplaced } = rules;
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
  for await (const rows of table.rows()) {
    yield rows.map(({ number, cells, fault }) => {
      const faults = new Faults();
      if (fault !== undefined || cells.length !== width) {
        const identifier = cells[own]?.trim() || undefined;
        const values = { has: cells.length, header: width };
        const wrong =
          fault === undefined
            ? faultOf('cells_wrong', undefined, { values })
            : { message: `${capitalised(fault)}.` };
        return { number, cells, is: [wrong], identifier };
      }
      const cellAt = (place: number): string => asItWas(joinedCell(cells, place, joined));
      const zone = rules.zone ?? places?.zoneOf(constants[located - width]?.[1] ?? cellAt(located));
      const sent = make((place) => {
        const [target, value] = filled[place - width] ?? [targets[place] as ColumnTarget, place];
        if (typeof value === 'string') return readConstant(target, value, faults);
        const cell = typeof value === 'number' ? cellAt(value) : value(cellAt);
        return readCell(target, cell, { ...rules, zone }, faults);
      }, empty === 'remove');
      if (places !== undefined && params !== undefined)
        place(sent, params, places, { faults, unplaced });
      const is = parsed(resource, sent, { encoding: 'cells', faults }, cells);
      return { number, cells, is, identifier: identifierIn(sent) };
    });
  }
}

/** A value for all rows: `{Deceased}` in it takes what stands in the column of that name. It is empty where all are. */
function valueIn([{ name }, value]: Constants[number], header: readonly string[]) {
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
  return (cellAt: (place: number) => string) =>
    columns.every((place) => cellAt(place).trim() === '')
      ? ''
      : parts.map((part) => (typeof part === 'number' ? cellAt(part).trim() : part)).join('');
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
        return { number, cells: [], is: [{ message }] };
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
