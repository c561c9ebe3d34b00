/** What the header of a table says of its rows, and what a row sends by it. */
import { ApiError, Faults } from '../../errors.ts';
import type { Resource } from '../define.ts';
import type { Field } from '../fields/kind.ts';
import { type Members, nearestName } from '../fields/members.ts';
import { parseJsonBody } from '../json/json.ts';
import { memberPath } from '../path.ts';
import { isObject, type JsonObject, setMember } from '../values.ts';
import { type CsvFault, cellsOf } from './cells.ts';

/** How the rows of a table are read. */
export interface Columns {
  readonly delimiter: string;
  /** By their places; `undefined` for one that is passed over. */
  readonly at: readonly (Column | undefined)[];
  /** The names of those that are passed over. */
  readonly passedOver: readonly string[];
}

interface Column {
  /** As in the header: the name of a parameter, dotted where it is within another. */
  readonly name: string;
  readonly steps: readonly string[];
  /** Whether its cells hold JSON: those of arrays, and of objects. */
  readonly json: boolean;
}

/** Columns that begin so are for people and programs along the way, and are passed over. */
const PASSED_OVER = '_';

/**
 * The columns that a header declares for the upserts of a resource. Throws one
 * `ApiError` that names every column at fault: one that is given twice, is no
 * parameter, or is missing and required.
 */
export function readColumns(
  resource: Resource,
  header: Uint8Array,
  { delimiter, unknown }: { readonly delimiter: string; readonly unknown: 'refuse' | 'ignore' },
): Columns {
  const faults = new Faults();
  const names = cellsOf(withoutMark(header), delimiter);
  if (!isCells(names)) throw new ApiError(names.code, { message: `In the header, ${names.says}.` });
  const declared = columnsOf(resource.upsert, []);
  const passedOver: string[] = [];
  const taken = new Set<string>();
  const at = names.map((name) => {
    if (name.startsWith(PASSED_OVER)) {
      passedOver.push(name);
      return undefined;
    }
    const column = declared.get(name);
    if (column === undefined) {
      if (unknown === 'ignore') passedOver.push(name);
      else addUnknown(name, declared, faults);
      return undefined;
    }
    const rival = rivalOf(column, taken);
    if (rival !== undefined) addTwice(name, rival, faults);
    taken.add(name);
    return column;
  });
  for (const [name, field] of Object.entries(resource.upsert)) {
    if (!field.required || field.omittable === true || at.some((each) => each?.steps[0] === name)) {
      continue;
    }
    faults.add(
      name,
      'parameter_missing',
      () => `The header has no column ${name}, which every row needs.`,
    );
  }
  faults.throwIfAny();
  return { delimiter, at, passedOver };
}

/**
 * What the bytes of a row send: texts, and what JSON says in the cells of
 * arrays and objects. An empty cell sends nothing. `undefined` after a fault that leaves nothing to read.
 */
export function readRow(
  columns: Columns,
  bytes: Uint8Array,
  faults: Faults,
): JsonObject | undefined {
  const cells = cellsOf(bytes, columns.delimiter);
  if (!isCells(cells)) {
    faults.add(
      undefined,
      cells.code,
      `${cells.says.charAt(0).toUpperCase()}${cells.says.slice(1)}.`,
    );
    return undefined;
  }
  if (cells.length !== columns.at.length) {
    const counts = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the header ${columns.at.length}`;
    faults.add(
      undefined,
      'csv_invalid',
      `The row has ${counts}: send as many, and enclose in quotes what holds the delimiter.`,
    );
    return undefined;
  }
  const sent: JsonObject = {};
  for (const [place, cell] of cells.entries()) {
    const column = columns.at[place];
    if (column !== undefined && cell !== '') send(column, cell, sent, faults);
  }
  return sent;
}

function send({ name, steps, json }: Column, cell: string, sent: JsonObject, faults: Faults): void {
  if (cell.includes('\0')) {
    faults.add(
      name,
      'text_invalid',
      `${name} has a NUL character, which cannot be stored; send it without.`,
    );
    return;
  }
  let within = sent;
  for (const step of steps.slice(0, -1)) {
    const inside = within[step];
    const next = isObject(inside) ? inside : {};
    if (next !== inside) setMember(within, step, next);
    within = next;
  }
  const read = new Faults();
  const value = json ? parseJsonBody(Buffer.from(cell), read) : cell;
  for (const { param, code, message } of read.named) {
    const at = param === undefined ? name : `${name}.${param}`;
    faults.add(at, code, `${name} must hold JSON in its cell. ${message}`);
  }
  if (value !== undefined) setMember(within, steps.at(-1) as string, value);
}

function columnsOf(members: Members, above: readonly string[]): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const [member, field] of Object.entries(members)) {
    const steps = [...above, member];
    const name = steps.join('.');
    columns.set(name, { name, steps, json: holdsJson(field) });
    const { members: inside } = field.kind;
    if (inside === undefined) continue;
    for (const [below, column] of columnsOf(inside, steps)) columns.set(below, column);
  }
  return columns;
}

function holdsJson({ kind }: Field): boolean {
  return !kind.scalar;
}

/** A column that says the same, or says it of the whole. */
function rivalOf({ name, steps }: Column, taken: ReadonlySet<string>): string | undefined {
  for (let depth = 1; depth <= steps.length; depth++) {
    const above = steps.slice(0, depth).join('.');
    if (taken.has(above)) return above;
  }
  return [...taken].find((other) => other.startsWith(`${name}.`));
}

function addTwice(name: string, rival: string, faults: Faults): void {
  const message =
    name === rival
      ? `The header has the column ${name} more than once; send it once.`
      : `The header has both ${rival} and ${name}, and one is part of the other; send one of them.`;
  faults.add(name, 'parameter_repeated', message);
}

function addUnknown(name: string, declared: ReadonlyMap<string, Column>, faults: Faults): void {
  const at = memberPath(undefined, name);
  faults.add(at, 'parameter_unknown', () => {
    if (name === '') return 'A column of the header has no name; name it, or remove it.';
    if (name.includes(';') || name.includes('\t')) {
      const by = name.includes(';') ? 'semicolons' : 'tabs';
      const send = by === 'tabs' ? ', or send text/tab-separated-values' : '';
      return `The header seems to be separated by ${by}, and text/csv is separated by commas: save it with commas${send}.`;
    }
    const [first = ''] = name.split('.');
    if (first !== name && declared.get(first)?.json === true) {
      return `${at} is not a column here: send ${first} as one column, its cells as JSON.`;
    }
    const known = [...declared.keys()];
    const nearest = nearestName(name, known);
    return nearest === undefined
      ? `${at} is not a parameter here. Known ones are ${known.join(', ')}. Names that begin with _ are passed over.`
      : `${at} is not a parameter here. Did you mean ${nearest}? Names that begin with _ are passed over.`;
  });
}

function isCells(read: readonly string[] | CsvFault): read is readonly string[] {
  return Array.isArray(read);
}

/** The mark with which some programs begin a file says that it is UTF-8. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
