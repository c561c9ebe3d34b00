/** Converts the cells of spreadsheets to what an upsert accepts, where that is certain: nothing is guessed. */
import type { ErrorCode, Faults, FaultValues } from '../../../../core/errors.ts';
import { cellValue } from '../../../../core/schema/csv/columns.ts';
import { usPhone } from '../../../../core/schema/fields/kinds/phone.ts';
import { centsIn } from '../../../../core/schema/money.ts';
import { HOME, readPhone } from '../../../../core/schema/phones/numbers.ts';
import { countryOfZone } from '../../../../core/schema/phones/zones.ts';
import type { Json } from '../../../../core/schema/values.ts';
import { type CellValue, shownIn } from '../../../../core/tables/cell.ts';
import type { NamedTarget } from '../amounts.ts';
import { isName, turnedRound } from './names.ts';
import { fullYear, phoneWithWords, shortPhone, shortTime } from './readings.ts';

/** A cell of a file. */
export interface Cell {
  /** A text as a person sees it, and a number of a workbook as it is stored. */
  readonly text: string;
  /** Left out: it is from a table of texts, of which some were numbers once. */
  readonly value?: CellValue | undefined;
}

export interface CellRules extends DateRules {
  /** Whether phone numbers without a country code are read: as those of the country of `zone`, the United States where there is none. */
  readonly usPhones: boolean;
  /** Whether names have the family name first, as in `Example, Dana`, and are turned round. */
  readonly turnsNames?: boolean;
  /** Whether words beside a phone number are no part of it. */
  readonly takesWords?: boolean;
  /** The area code of phone numbers of seven digits. */
  readonly areaCode?: string | undefined;
  /** Whether years of two digits are read. */
  readonly shortYears?: boolean;
}

/** As spreadsheet programs write long numbers once they have lost their digits. */
const SHORTENED = /^\s*[+-]?\d(?:[.,]\d+)?E[+-]\d{2,3}\s*$/i;
const MONTH =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|ene|abr|ago|dic|janv|févr|mars|avr|mai|juin|juil|août|sept|déc|feb|mar|may|jun|jul|sep|oct|nov)\\.?';
/** As they write what was a number of two parts before, such as 26-1. */
const MADE_A_DATE = new RegExp(`^\\s*(?:\\d{1,2}-${MONTH}|${MONTH}-\\d{2})\\s*$`);
/** As they write the errors of formulas, in any language; and numbers for which a column is too narrow. */
const FORMULA_ERROR =
  /^\s*#(?:[¡¿]?\p{Lu}[\p{Lu}\d_/ .]*[!?]|N\/A|N\/D|N\/V|NV|GETTING_DATA|FMT|\.\.\.|#+)\s*$|^\s*Err:\d{3}\s*$/u;
const US_PHONE = usPhone().name;
/** As people and their programs write them. */
const YES = new Set(['true', 'yes', 'y', '1', 'sí', 'si', 'oui']);
const NO = new Set(['false', 'no', 'n', '0', 'non']);

/** The value that a cell sends; `undefined` for an empty one, and after a fault. */
export function readCell(target: NamedTarget, cell: Cell, rules: CellRules, faults: Faults) {
  if (cell.text === '' && (cell.value === undefined || cell.value.is === 'text')) return undefined;
  const isDay = target.kind.startsWith('date') && cell.value?.is !== 'moment';
  if (isDay && !rules.isOurs && isNoDate(shownOf(cell))) return undefined;
  const read = converted(target, cell, rules);
  if ('value' in read) return readConstant(target, read.value, faults);
  faults.add(target.name, read.fault, read.values === undefined ? {} : { values: read.values });
  return undefined;
}

/** The value that the same text for every row sends. */
export function readConstant(target: NamedTarget, text: string, faults: Faults): Json | undefined {
  const { name, holds } = target;
  if (holds === 'boolean') return truthOf(text) ?? text;
  if (target.amount !== undefined) {
    const cents = centsIn(text);
    if (cents === undefined) faults.add(name, 'amount_unreadable');
    return cents;
  }
  // A number beyond a double is out of range, too.
  if (holds === 'number' && /^\d{1,40}$/.test(text)) return Number(text);
  if (holds !== 'list' || /^\s*\[/.test(text)) return cellValue(target, text, faults);
  const words = cellValue({ name, holds: 'text' }, text.trim(), faults);
  // Addresses may stand with a sign between them, too.
  return typeof words === 'string'
    ? words.split(/[\s,;|]+(?=https?:)|\s+/).map((word) => word.replace(/[,;|]$/, ''))
    : undefined;
}

/** Only the field decides what of a cell it takes: the text that a person sees, the day, or the number. */
function converted(target: NamedTarget, cell: Cell, rules: CellRules): Read {
  const { kind, name, holds, amount } = target;
  const { value } = cell;
  if (isWrong(cell))
    return value?.is === 'unsaved'
      ? { fault: 'formula_unsaved' }
      : { fault: 'formula_error', values: { error: cell.text } };
  if (kind.startsWith('date')) {
    if (!rules.shortYears) return readDay(kind, cell, rules);
    const today = new Date().getFullYear();
    const fullYearOf = (digits: number) => String(fullYear(target, digits, today));
    return readDay(kind, cell, { ...rules, fullYearOf });
  }
  if (holds === 'number' || amount !== undefined) return readNumber(target, cell);
  const text = shownOf(cell);
  if (holds === 'boolean')
    return truthOf(text) === undefined ? { fault: 'yes_or_no' } : { value: text };
  const isPhone = kind.endsWith('phone number');
  const isExact = isPhone || name.endsWith('identifier') || name.endsWith('postal_code');
  const doubt = doubtOf(cell, isExact);
  if (doubt !== undefined) return { fault: doubt };
  // An apostrophe before digits keeps a spreadsheet program from taking them for a number.
  const own = isExact && value === undefined ? withoutMark(text) : text;
  if (isPhone) return { value: phoneIn(own, kind, rules) };
  const turned = rules.turnsNames && isName(target) ? turnedRound(own) : undefined;
  return { value: turned ?? own };
}

/** Whether a formula has no value there: no field takes that. */
export function isWrong({ text, value }: Cell): boolean {
  // Few cells have one of these at all.
  if (value === undefined)
    return (text.includes('#') || text.includes('Err:')) && FORMULA_ERROR.test(text);
  return value.is === 'error' || value.is === 'unsaved';
}

function phoneIn(
  text: string,
  kind: string,
  { usPhones, takesWords, areaCode, zone }: CellRules,
): string {
  const country = kind === US_PHONE ? HOME : countryOfZone(zone);
  const bare = (takesWords ? phoneWithWords(text, country)?.phone : undefined) ?? text;
  const seven = areaCode === undefined ? undefined : shortPhone(bare);
  const read = seven === undefined ? readPhone(bare, country) : readPhone(`${areaCode}${seven}`);
  const isWhole = usPhones || seven !== undefined || bare.includes('+');
  return (isWhole ? read : undefined) ?? bare;
}

/** Finds what a spreadsheet program has done to a text, if it has. A cell that is a text is never doubted. */
function doubtOf({ text, value }: Cell, isExact: boolean): ErrorCode | undefined {
  if (value === undefined) {
    if (!isExact) return undefined;
    if (/E[+-]/i.test(text) && SHORTENED.test(text)) return 'digits_lost';
    return text.includes('-') && MADE_A_DATE.test(text) ? 'made_a_date' : undefined;
  }
  if (value.is === 'moment') return isExact ? 'made_a_date' : undefined;
  if (value.is !== 'number' || value.lacks === undefined) return undefined;
  return isExact || value.lacks === 'digits' ? 'digits_lost' : undefined;
}

function withoutMark(text: string): string {
  return text.replace(/^="([^"]*)"$/, '$1').replace(/^'(?=[+\d])/, '');
}

/** Cents are whole; amounts are read as they are shown, or by their number. */
function readNumber({ kind, amount }: NamedTarget, { text, value }: Cell): Read {
  if (value?.is === 'moment') return { fault: 'made_a_date' };
  if (value?.is !== 'number') return { value: text };
  if (kind === 'money in cents' && amount === undefined && value.isAmount)
    return { fault: 'amount_not_cents' };
  const cents = value.number * 100;
  const isMoney = amount !== undefined && Math.abs(cents - Math.round(cents)) < 1e-6;
  return { value: isMoney ? value.number.toFixed(2) : String(value.number) };
}

function readDay(kind: string, cell: Cell, rules: CellRules): Read {
  const { text, value } = cell;
  if (value?.is === 'number' || (value === undefined && /^\d{5}(?:\.\d+)?$/.test(text)))
    return { fault: 'date_as_number' };
  if (value?.is === 'moment' && value.isNoDay)
    return { fault: value.showsDay ? 'no_such_day' : 'time_unreadable' };
  if (kind === 'date and time') return readDateTime(dateText(cell), rules);
  if (value?.is !== 'moment') return kind === 'date' ? readDate(text, rules) : { value: text };
  const hasTime = !value.showsDay || (value.showsTime && value.time !== MIDNIGHT);
  if (hasTime || value.day === undefined) return { fault: 'time_unexpected' };
  return readDate(value.day, rules);
}

/** The first and the last days that databases and programs know: what is stored there is no date. */
const NO_DATE =
  /^(?:(?:0000-00-00|0001-01-01|1601-01-01|1753-01-01|1899-12-3[01]|9999-12-31)|(?:0?1[/.-]0?1[/.-](?:0001|1601|1753))|(?:0?0[/.-]0?0[/.-]0000)|(?:12[/.-]3[01][/.-](?:1899|9999))|(?:3[01][/.-]12[/.-](?:1899|9999)))(?:(?:T|,? +)(?:0?0:00(?::00(?:\.0+)?)?|12:00(?::00)? *AM)(?:Z|[+-]00:?00)?)?$/i;

/** Whether a text is a day by which programs say that there is none, such as `0001-01-01`. */
export function isNoDate(text: string): boolean {
  return text.length <= LONGEST && NO_DATE.test(text.trim());
}

const MIDNIGHT = '00:00:00';
/** The days by which databases and spreadsheet programs mean none. */
const NO_DAYS = /^(?:12\/30\/1899|30\/12\/1899|30\.12\.1899|1899-12-30|0?1\/0?0\/1900)[T ]+(?=\d)/;

/** A cell of a date or a time as text: a day of a workbook such as `2027-03-20T14:30:00`. */
export function dateText(cell: Cell): string {
  const { value } = cell;
  if (value?.is !== 'moment' || value.isNoDay) return shownOf(cell).replace(NO_DAYS, '');
  const { day, time, showsTime, offset } = value;
  if (day === undefined) return time;
  // The times of our own workbooks say how far they are from UTC.
  return showsTime || time !== MIDNIGHT ? `${day}T${time}${offset}` : day;
}

/** A cell of a date or a time that has its other part in another cell: what is shown of it alone. */
export function partText(cell: Cell): string {
  const { value } = cell;
  if (value?.is === 'moment' && value.day !== undefined && !value.isNoDay) {
    if (!value.showsDay) return value.time;
    if (!value.showsTime) return value.day;
  }
  // Some programs write a date alone as midnight.
  return dateText(cell)
    .trim()
    .replace(/(?<=\d)[T ]0?0:00(?::00)?$/, '');
}

/** The text by which a cell is the same when it is imported once more, from a table of texts. */
export function textAgain(cell: Cell, target: NamedTarget | undefined): string {
  const { text, value } = cell;
  if (value?.is === 'moment' && target?.kind.startsWith('date')) return dateText(cell);
  const isNumber = target?.holds === 'number' || target?.amount !== undefined;
  return value?.is === 'number' && isNumber ? text : shownOf(cell);
}

/** The text that a person sees. */
export function shownOf({ text, value }: Cell): string {
  return shownIn(text, value);
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
