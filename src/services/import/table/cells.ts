/** Converts the cells of spreadsheets to what an upsert accepts, where that is certain: nothing is guessed. */
import type { ErrorCode, Faults, FaultValues } from '../../../core/errors.ts';
import { type ColumnTarget, cellValue } from '../../../core/schema/csv/columns.ts';
import type { Json } from '../../../core/schema/values.ts';

export interface CellRules extends DateRules {
  /** Whether phone numbers without a country are those of the United States. */
  readonly usPhones: boolean;
}

/** As spreadsheet programs write long numbers once they have lost their digits. */
const SHORTENED = /^\s*[+-]?\d(?:[.,]\d+)?E[+]?\d+\s*$/i;
const FORMULA_ERROR = /^#(?:DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!)$/;
const US_PHONE = /^\s*(?:\+?1[\s.-]*)?\(?(\d{3})\)?[\s.-]*(\d{3})[\s.-]*(\d{4})\s*$/;
/** As people and their programs write them. */
const YES = new Set(['true', 'yes', 'y', '1']);
const NO = new Set(['false', 'no', 'n', '0']);

/** The value that a cell sends; `undefined` for an empty one, and after a fault. */
export function readCell(target: ColumnTarget, cell: string, rules: CellRules, faults: Faults) {
  if (cell === '') return undefined;
  const read = converted(target, cell, rules);
  if ('value' in read) return readConstant(target, read.value, faults);
  faults.add(target.name, read.fault, read.values === undefined ? {} : { values: read.values });
  return undefined;
}

/** The value that the same text for every row sends. */
export function readConstant(target: ColumnTarget, text: string, faults: Faults): Json | undefined {
  const { name, holds } = target;
  if (holds === 'boolean') return truthOf(text) ?? text;
  // A number beyond a double is out of range, too.
  if (holds === 'number' && /^\d{1,40}$/.test(text)) return Number(text);
  if (holds !== 'list' || /^\s*\[/.test(text)) return cellValue(target, text, faults);
  const words = cellValue({ name, holds: 'text' }, text.trim(), faults);
  return typeof words === 'string' ? words.split(/\s+/) : undefined;
}

function converted({ kind, name, holds }: ColumnTarget, cell: string, rules: CellRules): Read {
  if (FORMULA_ERROR.test(cell)) return { fault: 'formula_error', values: { error: cell } };
  const isPhone = kind.endsWith('phone number');
  if (
    (isPhone || name.endsWith('identifier') || name.endsWith('postal_code')) &&
    SHORTENED.test(cell)
  ) {
    return { fault: 'digits_lost' };
  }
  if (holds === 'boolean' && truthOf(cell) === undefined) return { fault: 'yes_or_no' };
  if (kind.startsWith('date') && /^\d{5}(?:\.\d+)?$/.test(cell)) return { fault: 'date_as_number' };
  if (kind === 'date') return readDate(cell, rules);
  if (kind === 'date and time') return readDateTime(cell, rules);
  if (isPhone && rules.usPhones) {
    const [, area, exchange, line] = US_PHONE.exec(cell) ?? [];
    if (area !== undefined) return { value: `+1${area}${exchange}${line}` };
  }
  return { value: cell };
}

function truthOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

export type DateOrder = 'mdy' | 'dmy' | 'ymd';

export interface DateRules {
  /** How `03/04/2026` is meant; `undefined`: not known. */
  readonly order: DateOrder | undefined;
  /** The time zone of times without an offset, such as `America/New_York`. */
  readonly zone: string | undefined;
}

/** The converted cell, or why it could not be converted. */
export type Read =
  | { readonly value: string }
  | { readonly fault: ErrorCode; readonly values?: FaultValues };

const WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ].*(?:[zZ]|[+-]\d\d(?::?\d\d)?)$/;
const NUMERIC = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:(?:T|,? +)(.+))?$/;
const TIME = /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(?: *([ap])\.?m\.?)?$/i;
/** `3 Dec 2026`, `3rd of December, 2026`, `3-Dec-2026`; and `Thu, Dec 3, 2026`. Behind it a time may stand. */
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? +/i;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)?[ -]*([a-z]{3,9})\.?,?[ -]+(\d{4})\b/i;
const MONTH_FIRST = /^([a-z]{3,9})\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})\b/i;
const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
/** Longer ones are not dates. */
const LONGEST = 100;

/** Whether a cell is a time of day alone, such as `2:30 PM`. */
export function isTimeOfDay(cell: string): boolean {
  return timeOf(cell) !== undefined;
}

/** Reads a date with a month that is named as a number: `2026-12-03 2:30 PM`. */
function numbered(cell: string): string {
  const text = cell.trim().slice(0, LONGEST).replace(WEEKDAY, '');
  const [found = '', ...parts] = DAY_FIRST.exec(text) ?? MONTH_FIRST.exec(text) ?? [];
  const [first = '', second = '', year = ''] = parts;
  const [day, month] = /\d/.test(first) ? [first, second] : [second, first];
  const word = month.toLowerCase();
  // `Sept` is September.
  const at = MONTHS.findIndex((name) => (word.length <= 4 ? name.startsWith(word) : name === word));
  if (found === '' || at < 0) return cell.trim();
  const time = text.slice(found.length).replace(/^,?(?: +at)? +/i, ' ');
  return `${isoOf(year, String(at + 1), day)}${time}`;
}

/** The order of day and month that a cell proves. */
export function orderIn(cell: string): 'mdy' | 'dmy' | 'either' | undefined {
  const [, first = '', , second = '', last = ''] = NUMERIC.exec(cell.trim()) ?? [];
  if (last.length !== 4) return undefined;
  if (Number(first) > 12) return 'dmy';
  return Number(second) > 12 ? 'mdy' : 'either';
}

/** Whether a time says how far it is from UTC. */
export function hasOwnOffset(cell: string): boolean {
  return WITH_OFFSET.test(cell.trim());
}

/** Whether a cell is a time that is another moment elsewhere. */
export function isLocalTime(cell: string): boolean {
  return !hasOwnOffset(cell) && NUMERIC.exec(numbered(cell))?.[5] !== undefined;
}

/** `2027-03-20`. */
export function readDate(cell: string, rules: DateRules): Read {
  if (/^\d{4}-\d\d-\d\d$/.test(cell)) return { value: cell };
  const parts = NUMERIC.exec(numbered(cell));
  if (parts === null) return { value: cell };
  const day = dayOf(parts, rules);
  if ('fault' in day) return day;
  const time = parts[5];
  if (time !== undefined && !/^0?0:00(?::00(?:\.0+)?)?Z?$/.test(time))
    return { fault: 'time_unexpected' };
  return day;
}

/** `2027-03-20T10:00:00-04:00`. */
export function readDateTime(cell: string, rules: DateRules): Read {
  const text = cell.trim();
  if (hasOwnOffset(text)) return { value: text };
  const parts = NUMERIC.exec(numbered(cell));
  if (parts === null) return { value: cell };
  const day = dayOf(parts, rules);
  if ('fault' in day) return day;
  if (parts[5] === undefined) return { fault: 'time_missing' };
  const time = timeOf(parts[5]);
  if (time === undefined) return { fault: 'time_unreadable' };
  if (rules.zone === undefined) return { fault: 'zone_missing' };
  return zoned(`${day.value}T${time}`, rules.zone);
}

function zoned(local: string, zone: string): Read {
  let plain: Temporal.PlainDateTime;
  try {
    plain = Temporal.PlainDateTime.from(local, { overflow: 'reject' });
  } catch {
    return { value: local };
  }
  try {
    const { offset } = plain.toZonedDateTime(zone, { disambiguation: 'reject' });
    return { value: `${local}${offset}` };
  } catch {
    return { fault: 'time_ambiguous', values: { zone, example: `${local}-05:00` } };
  }
}

function dayOf(parts: RegExpExecArray, { order }: DateRules): Read {
  const [, first = '', , second = '', last = ''] = parts;
  if (first.length === 4) return { value: isoOf(first, second, last) };
  if (last.length !== 4) return { fault: order === 'ymd' ? 'year_missing' : 'year_short' };
  if (order === 'mdy') return { value: isoOf(last, first, second) };
  if (order === 'dmy') return { value: isoOf(last, second, first) };
  return { fault: 'date_order_missing' };
}

function isoOf(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function timeOf(text: string): string | undefined {
  if (/^(?:12(?::00)? *)?noon$/i.test(text.trim())) return '12:00:00';
  const [, hours = '', minutes = '00', seconds = '00', half] = TIME.exec(text.trim()) ?? [];
  // An hour alone may be anything.
  if (hours === '' || (half === undefined && !text.includes(':'))) return undefined;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
}
