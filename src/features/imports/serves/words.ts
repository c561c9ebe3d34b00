/** Texts of an import: the faults of a row, in the terms of the API or of the file, and remedies for what a file lacks. */
import { type ErrorCode, type FaultValues, isFileCode, messageOf } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { identifierOf, parentNames } from '../../../core/schema/reference.ts';
import { targetNamed } from './amounts.ts';
import { placeParams } from './places.ts';
import { labelOf } from './table/headings.ts';

/** The part of a fault that is shown. */
export interface RowFault {
  readonly param?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly message: string;
  readonly values?: FaultValues | undefined;
  /** The place of the column, where that is known without the field that it is for. */
  readonly column?: number | undefined;
}

/** A row as a person sees it in the file. */
export interface RowContext {
  readonly resource: Resource;
  readonly cells: readonly string[];
  readonly columnsFor: (param: string) => readonly number[];
  readonly header: readonly string[];
}

/** Puts the faults of a row into words. */
export type FaultFormatter = (faults: readonly RowFault[], row: RowContext | undefined) => string;

/** Every fault, one after the other, each with the field that it is about. */
export const faultSentences: FaultFormatter = (faults) =>
  faults
    .map(({ param, message }) =>
      param === undefined || message.includes(param) ? message : `${param}: ${message}`,
    )
    .join(' ');

/** The most characters of a value that is shown; the file of refused rows has it whole. */
const LONGEST = 500;

/** Sentences for people in place of those for programs. */
const IN_CELLS: { readonly [code in ErrorCode]?: ErrorCode } = {
  parameter_missing: 'cell_empty',
  phone_number_invalid: 'phone_unreadable',
  date_invalid: 'date_unreadable',
  datetime_invalid: 'moment_unreadable',
  datetime_offset_missing: 'moment_zone_unknown',
  json_invalid: 'json_unreadable',
  parameter_repeated: 'json_unreadable',
  text_too_long: 'cell_too_long',
  text_invalid: 'cell_character',
};

/** A fault as the file of refused rows of the console has it: with `label`, its column and what stands there. */
interface CellFault extends Omit<RowFault, 'param'> {
  readonly label?: string;
  /** The names of its columns; left out where it has none. */
  readonly columns?: readonly string[];
}

/** All faults, once each, as JSON: the page puts them into the words of its language. */
export const cellFaults: FaultFormatter = (faults, row) => {
  const texts = faults.map((fault) => JSON.stringify(cellFault(fault, row)));
  return `[${[...new Set(texts)].join(',')}]`;
};

function cellFault(fault: RowFault, row: RowContext | undefined): CellFault {
  const { param, column, ...rest } = fault;
  if (row === undefined) return rest;
  const { resource, header, cells } = row;
  if (column !== undefined)
    return labelled(fault, undefined, header[column] ?? '', [header[column] ?? '']);
  if (param === undefined) return rest;
  const columns = row.columnsFor(param);
  const { parent } = resource;
  const missing = fault.code === 'resource_missing' ? unknownIn(resource, param) : undefined;
  const isOfParent = parent && (param === identifierOf(parent) || param in parentNames(parent));
  if (columns.length === 0 && isOfParent) {
    const unsaid = fault.code === 'parameter_missing' ? 'row_unplaced' : missing;
    return labelled(fault, unsaid, parent.display.singular);
  }
  const names = columns.map((at) => header[at] ?? '');
  const name = names.join(' and ') || labelOf(resource, param);
  const value = columns
    .map((at) => cells[at] ?? '')
    .join(' ')
    .trim();
  const shown = value.length > LONGEST ? `${value.slice(0, LONGEST)} …` : value;
  const typed = fault.code === 'type_invalid' ? otherwise(resource, param) : undefined;
  const instead = missing ?? typed;
  return labelled(fault, instead, shown === '' ? name : `${name} "${shown}"`, names);
}

/** The code for a cell that is of another type than its field takes. */
function otherwise(resource: Resource, param: string): ErrorCode {
  const holds = targetNamed(resource, param)?.holds;
  return holds === 'number' ? 'number_unreadable' : 'json_unreadable';
}

function unknownIn(resource: Resource, param: string): ErrorCode {
  return placeParams(resource)?.external === param ? 'place_unknown' : 'identifier_unknown';
}

/** The fault, said of a column. */
function labelled(
  { param = '', code, message, values }: RowFault,
  instead: ErrorCode | undefined,
  label: string,
  columns: readonly string[] = [],
): CellFault {
  const own = instead ?? (code === undefined ? undefined : IN_CELLS[code]) ?? code;
  const said =
    own !== undefined && (own !== code || isFileCode(own) || values !== undefined)
      ? messageOf(own, { param: label, values }, 'person')
      : message.startsWith(param)
        ? label + message.slice(param.length)
        : `${label}: ${message}`;
  return { code: own, message: said, label, values, ...(columns.length > 0 && { columns }) };
}

export interface Remedies {
  readonly dates: string;
  readonly zone: string;
  readonly sheet: string;
  readonly delimiter: string;
  /** About a field that every row needs. */
  readonly field: (name: string) => string;
  /** The way to give a field the same value in every row. */
  readonly same: string;
  readonly leaveOut: string;
  /** The way to give all rows the same parent, which that parameter names. */
  readonly parent: (param: string) => string;
  readonly name: (resource: Resource, name: string) => string;
  readonly faults: FaultFormatter;
}

/** For the command line. */
export const OPTIONS: Remedies = {
  dates: 'choose with --dates mdy or --dates dmy',
  zone: 'say --time-zone, such as America/New_York',
  sheet: 'choose one with --sheet',
  delimiter: 'Name it with --delimiter ",", ";", "|" or tab',
  field: (name) => `map one, or use --set ${name}=…`,
  same: '--set',
  leaveOut: 'leave one out, with null in the mapping',
  parent: (param) => `map one, or use --set ${param}=…`,
  name: (_resource, name) => name,
  faults: faultSentences,
};

/** For programs: the members of what they send. */
export const MEMBERS: Remedies = {
  dates: 'say dates, mdy or dmy',
  zone: 'say time_zone, such as America/New_York',
  sheet: 'choose one with sheet',
  delimiter: 'Say it as delimiter',
  field: (name) => `map one, or give ${name} in set`,
  same: 'set',
  leaveOut: 'leave one out, with null in map',
  parent: (param) => `map one, or give ${param} in set`,
  name: (_resource, name) => name,
  faults: faultSentences,
};

/** For the screen. */
export const FIELDS: Remedies = {
  dates: 'choose which is meant, at "Dates such as 03/04/2026"',
  zone: 'name their time zone, at "Time zone of the times"',
  sheet: 'choose one of',
  delimiter: 'Choose it',
  field: () => 'choose a column for it, or give it a value for all rows',
  same: 'the choice for all rows',
  leaveOut: 'leave one of them out',
  parent: () => 'choose a column for it, or choose one at "All rows belong to"',
  name: (resource, name) => JSON.stringify(labelOf(resource, name)),
  faults: cellFaults,
};
