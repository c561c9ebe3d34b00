/** The faults of a row, for its `_error`: in the terms of the API, or of the file. */
import type { Resource } from '../../core/schema/define.ts';
import { identifierOf, parentNames } from '../../core/schema/reference.ts';
import { placeParams } from './places.ts';
import { labelOf } from './table/headings.ts';

/** The part of a fault that is shown. */
export interface RowFault {
  readonly param?: string | undefined;
  readonly code?: string | undefined;
  readonly message: string;
}

/** A row as a person sees it in the file. */
export interface RowContext {
  readonly resource: Resource;
  readonly cells: readonly string[];
  /** The indices of the columns for a parameter. */
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

/** Of a value that is shown; the file of refused rows has it whole. */
const LONGEST = 500;

const AS_DATE = 'write it such as 3/20/2027 or March 20, 2027';
const AS_MOMENT = `${AS_DATE}, with its time, such as 2:30 PM`;

/** Messages for people instead of those for programs. */
const WORDS: Readonly<Record<string, string>> = {
  phone_number_invalid:
    'is not a phone number: write it with its area code, such as (217) 555-0123, or begin with + and the country code',
  datetime_invalid: `is not a date and time: ${AS_MOMENT}`,
  datetime_offset_missing: `is not a time whose time zone is known: ${AS_MOMENT}`,
};

/** Each fault on a line of its own, with the column and what stands there. */
export const cellSentences: FaultFormatter = (faults, row) =>
  [...new Set(faults.map((fault) => sentence(fault, row)))].join('\n');

function sentence({ param, code = '', message }: RowFault, row: RowContext | undefined): string {
  if (param === undefined || row === undefined) return message;
  const { resource, header, cells } = row;
  const columns = row.columnsFor(param);
  const { parent } = resource;
  if (columns.length === 0 && parent !== undefined && isOfParent(resource, param))
    return code === 'parameter_missing'
      ? `${parent.display.singular}: nothing in the row says which one it belongs to.`
      : `${parent.display.singular}: ${withoutName(message, param)}`;
  const name = columns.map((at) => header[at]).join(' and ') || labelOf(resource, param);
  if (code === 'parameter_missing') return `${name} is empty, and every row needs it.`;
  const texts = columns.map((at) => cells[at] ?? '').filter((text) => text !== '');
  const value = texts.join(' ');
  const shown = value.length > LONGEST ? `${value.slice(0, LONGEST)} …` : value;
  const what = shown === '' ? name : `${name} "${shown}"`;
  if (code === 'resource_missing')
    return `${what}: there is no ${nounOf(resource, param)} with this ${isPlace(resource, param) ? 'name or identifier' : 'identifier'}.`;
  const said = WORDS[code] ?? inPlace(message, param);
  return said.startsWith(':') ? `${what}${said}` : `${what} ${said.replace(/\.?$/, '.')}`;
}

/** The message without the name of the parameter, to follow another name. */
function inPlace(message: string, param: string): string {
  const rest = withoutName(message, param);
  if (rest !== message)
    return rest.replace(
      /is not a date of the form YYYY-MM-DD; send for example [\d-]+/,
      `is not a date: ${AS_DATE}`,
    );
  return `: ${message}`;
}

function withoutName(message: string, param: string): string {
  return message.startsWith(`${param} `) || message.startsWith(`${param}: `)
    ? message.slice(param.length).replace(/^:? /, '')
    : message;
}

function isOfParent({ parent }: Resource, param: string): boolean {
  return parent !== undefined && (param === identifierOf(parent) || param in parentNames(parent));
}

function isPlace(resource: Resource, param: string): boolean {
  return placeParams(resource)?.external === param;
}

function nounOf({ parent }: Resource, param: string): string {
  for (let above = parent; above !== undefined; above = above.parent)
    if (param.startsWith(`${above.name}_`)) return above.display.singular.toLowerCase();
  return 'record';
}
