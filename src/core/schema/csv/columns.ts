/** Reads the header of a table, and rows by it. */
import { ApiError, Faults } from '../../errors.ts';
import type { Resource } from '../define.ts';
import { nearestName } from '../fields/members.ts';
import { startsWithByteOrderMark } from '../json/scan.ts';
import { memberPath } from '../path.ts';
import { capitalised } from '../present/words.ts';
import type { JsonObject } from '../values.ts';
import { type CsvFault, cellsOf } from './cells.ts';
import {
  type ColumnTarget,
  cellValue,
  missingNames,
  rivalOf,
  rowMaker,
  targetNames,
  targetOf,
} from './targets.ts';

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
  if (!isCells(names)) throw new ApiError(names.code, { message: `In the header, ${names.says}.` });
  const passedOver: string[] = [];
  const taken = new Map<string, string>();
  const at = names.map((name) => {
    if (name.startsWith(PASSED_OVER)) {
      passedOver.push(name);
      return undefined;
    }
    const target = targetOf(resource, name);
    if (target === undefined || target.within !== undefined) {
      if (unknown === 'ignore') passedOver.push(name);
      else addUnknown(resource, name, faults);
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
  if (!isCells(cells)) {
    faults.add(undefined, cells.code, `${capitalised(cells.says)}.`);
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

function addUnknown(resource: Resource, name: string, faults: Faults): void {
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
    const known = targetNames(resource);
    const nearest = nearestName(name, known);
    return nearest === undefined
      ? `${at} is not a parameter here. Known ones are ${known.join(', ')}. Names that begin with _ are passed over.`
      : {
          message: `${at} is not a parameter here. Did you mean ${nearest}? Names that begin with _ are passed over.`,
          values: { nearest },
        };
  });
}

function isCells(read: readonly string[] | CsvFault): read is readonly string[] {
  return Array.isArray(read);
}
