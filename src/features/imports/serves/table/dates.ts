/** Reads dates and times as people and programs write them, where that is certain: nothing is guessed. */
import type { ErrorCode, FaultValues } from '../../../../core/errors.ts';
import { shortTime } from './readings.ts';

export type DateOrder = 'mdy' | 'dmy' | 'ymd';

export interface DateRules {
  /** How `03/04/2026` is meant; `undefined`: not known. */
  readonly order: DateOrder | undefined;
  /** The time zone of times without an offset, such as `America/New_York`. */
  readonly zone: string | undefined;
  /** Whether `3:00p` is a time; left out, it is. */
  readonly shortTimes?: boolean | undefined;
  /** Whether it is a list of ours, whose days are as they are stored, however long ago. */
  readonly isOurs?: boolean;
  /** Gives the year for its last two digits; left out, these are refused. */
  readonly fullYearOf?: (digits: number) => string;
}

/** The converted cell, or why it could not be converted. */
export type Read =
  | { readonly value: string }
  | { readonly fault: ErrorCode; readonly values?: FaultValues };

const WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ].*(?:[zZ]|[+-]\d\d(?::?\d\d)?)$/;
const NUMERIC = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:(?:T|,? +)(.+))?$/;
const TIME = /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(?: *([ap])(?:\.?m)?\.?)?$/i;
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

/** The first and the last days that databases and programs know: what is stored there is no date. */
const NO_DATE =
  /^(?:(?:0000-00-00|0001-01-01|1601-01-01|1753-01-01|1899-12-3[01]|9999-12-31)|(?:0?1[/.-]0?1[/.-](?:0001|1601|1753))|(?:0?0[/.-]0?0[/.-]0000)|(?:12[/.-]3[01][/.-](?:1899|9999))|(?:3[01][/.-]12[/.-](?:1899|9999)))(?:(?:T|,? +)(?:0?0:00(?::00(?:\.0+)?)?|12:00(?::00)? *AM)(?:Z|[+-]00:?00)?)?$/i;

/** Whether a text is a day by which programs say that there is none, such as `0001-01-01`. */
export function isNoDate(text: string): boolean {
  return text.length <= LONGEST && NO_DATE.test(text.trim());
}

/** A day, and where there is a time, how far it is from UTC. */
const PLAIN = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[zZ]|[+-]\d\d:?\d\d))?$/;

/** Whether a cell is a date as it is stored, such as `2027-03-20` or `2027-03-20T10:00:00-04:00`: it leaves nothing open. */
export function isPlainDate(cell: string): boolean {
  return PLAIN.test(cell);
}

/** Whether a cell is a time of day alone, such as `2:30 PM`. */
export function isTimeOfDay(cell: string): boolean {
  return timeOf(cell) !== undefined;
}

/** Whether a cell is a date, with a time or without. */
export function isDay(cell: string): boolean {
  return WITH_OFFSET.test(cell.trim()) || NUMERIC.test(numbered(cell));
}

/** Reads a date with a month that is named as a number: `2026-12-03 2:30 PM`. */
function numbered(cell: string): string {
  const text = cell.trim().slice(0, LONGEST).replace(WEEKDAY, '').trim();
  // Most have no word for the month.
  if (!/[a-z]{3}/i.test(text)) return text;
  const [found = '', ...parts] = DAY_FIRST.exec(text) ?? MONTH_FIRST.exec(text) ?? [];
  const [first = '', second = '', year = ''] = parts;
  const [day, month] = /\d/.test(first) ? [first, second] : [second, first];
  const word = month.toLowerCase();
  // `Sept` is September.
  const at = MONTHS.findIndex((name) => (word.length <= 4 ? name.startsWith(word) : name === word));
  if (found === '' || at < 0) return text;
  const time = text.slice(found.length).replace(/^,?(?: +at)? +/i, ' ');
  return `${isoOf(year, String(at + 1), day)}${time}`;
}

/** The order of day and month that a cell proves. */
export function orderIn(cell: string, shortYears = false): 'mdy' | 'dmy' | 'either' | undefined {
  const text = cell.trim().slice(0, LONGEST).replace(WEEKDAY, '');
  const [, first = '', , second = '', last = ''] = NUMERIC.exec(text) ?? [];
  const isShort = shortYears && last.length === 2 && first.length <= 2;
  if (last.length !== 4 && !isShort) return undefined;
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

/** Nobody was born a thousand years ago: a program has made that day of something else. */
function isTooEarly(day: string, { isOurs }: DateRules): boolean {
  return !isOurs && day.startsWith('0');
}

/** `2027-03-20`. */
export function readDate(cell: string, rules: DateRules): Read {
  if (/^\d{4}-\d\d-\d\d$/.test(cell))
    return isTooEarly(cell, rules) ? { fault: 'no_such_day' } : { value: cell };
  const parts = NUMERIC.exec(numbered(cell));
  if (parts === null) return { value: cell };
  const day = dayOf(cell, parts, rules);
  if ('fault' in day) return day;
  const time = parts[5];
  if (time !== undefined && !/^0?0:00(?::00(?:\.0+)?)?Z?$/.test(time))
    return { fault: 'time_unexpected' };
  return day;
}

/** `2027-03-20T10:00:00-04:00`. */
export function readDateTime(cell: string, rules: DateRules): Read {
  const text = cell.trim();
  if (hasOwnOffset(text))
    return isTooEarly(text, rules) ? { fault: 'no_such_day' } : { value: text };
  const parts = NUMERIC.exec(numbered(cell));
  if (parts === null) return { value: cell };
  const day = dayOf(cell, parts, rules);
  if ('fault' in day) return day;
  if (parts[5] === undefined) return { fault: 'time_missing' };
  const time = timeOf(parts[5]);
  const isShort = rules.shortTimes === false && shortTime(parts[5]) !== undefined;
  if (time === undefined || isShort) return { fault: 'time_unreadable' };
  if (rules.zone === undefined) return { fault: 'zone_missing' };
  return zoned(`${day.value}T${time}`, rules.zone);
}

function zoned(local: string, zone: string): Read {
  let plain: Temporal.PlainDateTime;
  try {
    plain = Temporal.PlainDateTime.from(local, { overflow: 'reject' });
  } catch {
    return { fault: 'time_unreadable' };
  }
  try {
    const { offset } = plain.toZonedDateTime(zone, { disambiguation: 'reject' });
    return { value: `${local}${offset}` };
  } catch {
    return { fault: 'time_ambiguous', values: { zone, example: `${local}-05:00` } };
  }
}

/** A day that there is, and whose day of the week is the one that the cell says. */
function dayOf(cell: string, parts: RegExpExecArray, rules: DateRules): Read {
  const day = dayIn(parts, rules);
  if ('fault' in day) return day;
  if (isTooEarly(day.value, rules)) return { fault: 'no_such_day' };
  try {
    const { dayOfWeek } = Temporal.PlainDate.from(day.value, { overflow: 'reject' });
    const said = WEEKDAY.exec(cell.trim())?.[0].slice(0, 3).toLowerCase();
    return said === undefined || DAYS.indexOf(said) + 1 === dayOfWeek
      ? day
      : { fault: 'weekday_wrong' };
  } catch {
    return { fault: 'no_such_day' };
  }
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function dayIn(parts: RegExpExecArray, { order, fullYearOf }: DateRules): Read {
  const [, first = '', , second = '', last = ''] = parts;
  if (first.length === 4) return { value: isoOf(first, second, last) };
  const isShort = last.length === 2 && order !== 'ymd' && fullYearOf !== undefined;
  const year = isShort ? fullYearOf(Number(last)) : last;
  if (year.length !== 4) return { fault: order === 'ymd' ? 'year_missing' : 'year_short' };
  if (order === 'mdy') return { value: isoOf(year, first, second) };
  if (order === 'dmy') return { value: isoOf(year, second, first) };
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
