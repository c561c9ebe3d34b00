/** Reads the header of a table, and rows by it. */
import { ApiError, Faults } from '../../errors.ts';
import { perResource, type Resource } from '../define.ts';
import { type Members, nearestName } from '../fields/members.ts';
import { parseJsonBody } from '../json/json.ts';
import { startsWithByteOrderMark } from '../json/scan.ts';
import { memberPath } from '../path.ts';
import { capitalised } from '../present/words.ts';
import { textFault } from '../text.ts';
import { type Json, type JsonObject, setMember } from '../values.ts';
import { cellsOf } from './cells.ts';

/** How the rows of a table are read. */
export interface Columns {
  readonly delimiter: string;
  /** By column; `undefined` for one that is ignored. */
  readonly at: readonly (ColumnTarget | undefined)[];
  readonly make: ReturnType<typeof rowMaker>;
  readonly passedOver: readonly string[];
}

/** Columns with this prefix are for people and programs along the way, and are ignored. */
const PASSED_OVER = '_';

/**
 * The columns that a header declares for the upserts of a resource. Throws one `ApiError` that names every column at
 * fault: one that is given twice, is not a parameter, or is missing and required.
 */
export function readColumns(
  resource: Resource,
  header: Uint8Array,
  { delimiter, unknown }: { readonly delimiter: string; readonly unknown: 'refuse' | 'ignore' },
): Columns {
  const faults = new Faults();
  const names = cellsOf(startsWithByteOrderMark(header) ? header.subarray(3) : header, delimiter);
  if ('says' in names) throw new ApiError(names.code, { message: `In the header, ${names.says}.` });
  // The separator may be a comma, and then the line is two cells.
  if (/^sep=.?$/i.test(names[0] ?? '') && names.slice(1).join('') === '')
    throw new ApiError('csv_invalid', { message: SEPARATOR_LINE });
  const passedOver: string[] = [];
  let free: ReturnType<typeof freeNames> | undefined;
  const taken = new Map<string, string>();
  const at = names.map((name) => {
    if (name.startsWith(PASSED_OVER)) {
      passedOver.push(name);
      return undefined;
    }
    const target = targetOf(resource, name);
    if (target === undefined || target.within !== undefined) {
      if (unknown === 'ignore') passedOver.push(name);
      else addUnknown(resource, name, () => (free ??= freeNames(resource, names)), faults);
      return undefined;
    }
    const rival = rivalOf(target, taken);
    if (rival !== undefined) addTwice(name, rival, faults);
    taken.set(name, name);
    return target;
  });
  for (const name of missingNames(resource, at)) {
    const said = () => `The header has no column ${name}, which every row needs.`;
    faults.add(name, 'parameter_missing', said);
  }
  faults.throwIfAny();
  return { delimiter, at, make: rowMaker(at), passedOver };
}

/**
 * Reads the bytes of a row: texts, and the JSON in cells of arrays and objects.
 * An empty cell sends nothing. `undefined` after a fault that leaves nothing to read.
 */
export function readRow(
  { delimiter, at, make }: Columns,
  bytes: Uint8Array,
  faults: Faults,
): JsonObject | undefined {
  const cells = cellsOf(bytes, delimiter);
  if ('says' in cells) {
    const column = cells.code === 'encoding_invalid' ? at[cells.cell]?.name : undefined;
    faults.add(column, cells.code, `${capitalised(cells.says)}.`);
    return undefined;
  }
  if (cells.length !== at.length) {
    const counts = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the header ${at.length}`;
    const message = `The row has ${counts}: send as many, and enclose in quotes what holds the delimiter.`;
    faults.add(undefined, 'csv_invalid', message);
    return undefined;
  }
  return make((place) => {
    const cell = cells[place] ?? '';
    return cell === '' ? undefined : cellValue(at[place] as ColumnTarget, cell, faults);
  });
}

function addTwice(name: string, rival: string, faults: Faults): void {
  const message =
    name === rival
      ? `The header has the column ${name} more than once; send it once.`
      : `The header has both ${rival} and ${name}, and one is part of the other; send one of them.`;
  faults.add(name, 'parameter_repeated', message);
}

function addUnknown(
  resource: Resource,
  name: string,
  free: () => ReturnType<typeof freeNames>,
  faults: Faults,
): void {
  const at = memberPath(undefined, name);
  faults.add(at, 'parameter_unknown', () => {
    if (name === '') return 'A column of the header has no name; name it, or remove it.';
    if (name.includes(';') || name.includes('\t')) {
      const by = name.includes(';') ? 'semicolons' : 'tabs';
      const send = by === 'tabs' ? ', or send text/tab-separated-values' : '';
      return `The header seems to be separated by ${by}, and text/csv is separated by commas: save it with commas${send}.`;
    }
    const [first = ''] = name.split('.');
    const { holds } = targetOf(resource, first) ?? {};
    if (first !== name && (holds === 'list' || holds === 'json'))
      return `${at} is not a column here: send ${first} as one column, its cells as JSON.`;
    const all = targetNames(resource);
    const nearest = nearestName(name, [...free().names, ...all]);
    const no = `${at} is not a parameter here`;
    if (nearest === undefined) return `${no}. Known ones are ${all.join(', ')}. ${PASSING}`;
    const rival = free().rivalOf(nearest);
    if (rival !== undefined) return `${no}, and ${rival} is a column as well. ${PASSING}`;
    return { message: `${no}. Did you mean ${nearest}? ${PASSING}`, values: { nearest } };
  });
}

/** The names that a header has not said yet, in part or whole; and, of the others, the column that says it. */
function freeNames(resource: Resource, header: readonly string[]) {
  const taken = new Map(header.map((one) => [one, one]));
  const rivals = new Map(
    targetNames(resource).map((name) => [
      name,
      rivalOf(targetOf(resource, name) as ColumnTarget, taken),
    ]),
  );
  const names = [...rivals.keys()].filter((name) => rivals.get(name) === undefined);
  return { names, rivalOf: (name: string) => rivals.get(name) };
}

const SEPARATOR_LINE =
  'The table begins with the line "sep=", which tells Excel what separates the cells: leave it out, so that the header comes first, and separate text/csv by commas.';

const PASSING = 'Names that begin with _ are passed over.';

/** The kind of a column's cells, by the type that a JSON body has there. */
type Holds = 'text' | 'boolean' | 'number' | 'list' | 'json';

/** A parameter, such as `person.full_name`, `image_urls.0` or `additional_data.plot`. */
export interface ColumnTarget {
  readonly name: string;
  readonly steps: readonly string[];
  readonly holds: Holds;
  /** The name of the parameter's kind. */
  readonly kind: string;
  /** Whether it is part of a value that declares no members: an element of an array, or a member of free-form content. */
  readonly within: 'array' | 'content' | undefined;
}

/** The parameter of that name; `undefined`: there is none. */
export function targetOf(resource: Resource, name: string): ColumnTarget | undefined {
  const steps = name.split('.');
  if (steps.includes('') || steps.includes('__proto__')) return undefined;
  let members: Members = resource.upsert;
  for (const [depth, step] of steps.entries()) {
    if (!Object.hasOwn(members, step)) return undefined;
    const { kind } = members[step] as Members[string];
    const { type } = kind.schema;
    const rest = steps.slice(depth + 1);
    if (rest.length === 0)
      return { name, steps, holds: holding(type), kind: kind.name, within: undefined };
    if (kind.members === undefined) {
      const isElement = type === 'array' && rest.length === 1 && /^\d$/.test(rest[0] ?? '');
      if (!isElement && type !== 'object') return undefined;
      const within = isElement ? 'array' : 'content';
      return { name, steps, holds: 'text', kind: 'text', within };
    }
    members = kind.members;
  }
  return undefined;
}

function holding(type: unknown): Holds {
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'list';
  return type === 'object' ? 'json' : 'text';
}

/** Every declared name, each object before its members. */
export const targetNames = perResource((resource): readonly string[] =>
  namesOf(resource.upsert, ''),
);

function namesOf(members: Members, above: string): string[] {
  return Object.entries(members).flatMap(([name, { kind }]) => [
    above + name,
    ...namesOf(kind.members ?? {}, `${above}${name}.`),
  ]);
}

/** The earlier column for the same parameter, or for a part or the whole of it; `taken` has columns by the names of their parameters. */
export function rivalOf<Column>(
  { name, steps }: ColumnTarget,
  taken: ReadonlyMap<string, Column>,
): Column | undefined {
  for (let depth = 1; depth <= steps.length; depth += 1) {
    const above = taken.get(steps.slice(0, depth).join('.'));
    if (above !== undefined) return above;
  }
  for (const [other, column] of taken) if (other.startsWith(`${name}.`)) return column;
  return undefined;
}

/** Required parameters without a column. */
export function missingNames(
  resource: Resource,
  targets: readonly (ColumnTarget | undefined)[],
): readonly string[] {
  const first = new Set(targets.map((target) => target?.steps[0]));
  return Object.entries(resource.upsert)
    .filter(([name, field]) => field.required && field.omittable !== true && !first.has(name))
    .map(([name]) => name);
}

/** An object or array: each member is a node, too, or the index of its cell. */
interface Branch {
  isArray: boolean;
  readonly members: [name: string, Branch | number][];
}

/** Gives the value of the cell in that place; `undefined`: it sends nothing. */
type ValueAt = (place: number) => Json | undefined;

/**
 * Returns a function that makes the object of a row. `targets` are those of its cells, in their order; `undefined` for a
 * cell that is ignored. With `nulls`, members without a cell are `null`, and so removed.
 */
export function rowMaker(
  targets: readonly (ColumnTarget | undefined)[],
): (valueAt: ValueAt, nulls?: boolean) => JsonObject {
  const root: Branch = { isArray: false, members: [] };
  for (const [place, target] of targets.entries()) {
    if (target !== undefined) put(root, target, place);
  }
  return (valueAt, nulls = false) => {
    const sent: JsonObject = {};
    fill(root, sent, valueAt, nulls);
    return sent;
  };
}

function put(root: Branch, { steps, within }: ColumnTarget, place: number): void {
  let at = root;
  for (const step of steps.slice(0, -1)) {
    let next = at.members.find(([name]) => name === step)?.[1];
    if (typeof next !== 'object') {
      next = { isArray: false, members: [] };
      at.members.push([step, next]);
    }
    at = next;
  }
  at.isArray = within === 'array';
  at.members.push([steps.at(-1) as string, place]);
}

function fill(
  { members }: Branch,
  into: JsonObject | Json[],
  valueAt: ValueAt,
  nulls: boolean,
): boolean {
  let filled = false;
  for (const [name, member] of members) {
    let value: Json | undefined;
    if (typeof member === 'number') value = valueAt(member);
    else {
      const inside = member.isArray ? [] : {};
      if (fill(member, inside, valueAt, nulls)) value = inside;
    }
    filled ||= value !== undefined;
    if (Array.isArray(into)) {
      if (value !== undefined) into.push(value);
    } else if (value !== undefined || nulls) setMember(into, name, value ?? null);
  }
  return filled;
}

/** The value of a cell: its text, or the JSON in it if the parameter is an array or an object. `undefined` after a fault. */
export function cellValue(
  { name, holds }: Pick<ColumnTarget, 'name' | 'holds'>,
  cell: string,
  faults: Faults,
): Json | undefined {
  const fault = textFault(cell);
  if (fault !== undefined) {
    const message = `${name} has ${fault}, which cannot be stored; send it without.`;
    faults.add(name, 'text_invalid', message);
    return undefined;
  }
  if (holds !== 'list' && holds !== 'json') return cell;
  const read = new Faults();
  const value = parseJsonBody(Buffer.from(cell), read);
  for (const { param, code, message } of read.named) {
    const at = param === undefined ? name : `${name}.${param}`;
    faults.add(at, code, `${name} must hold JSON in its cell. ${message}`);
  }
  return value;
}
