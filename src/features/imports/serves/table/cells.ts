/** Converts the cells of spreadsheets to what an upsert accepts, where that is certain: nothing is guessed. */
import type { ErrorCode, Faults } from '../../../../core/errors.ts';
import { cellValue } from '../../../../core/schema/csv/columns.ts';
import { usPhone } from '../../../../core/schema/fields/kinds/phone.ts';
import { centsIn } from '../../../../core/schema/money.ts';
import { HOME, readPhone } from '../../../../core/schema/phones/numbers.ts';
import { countryOfZone } from '../../../../core/schema/phones/zones.ts';
import type { Json } from '../../../../core/schema/values.ts';
import { type CellValue, shownIn } from '../../../../core/tables/cell.ts';
import type { NamedTarget } from '../amounts.ts';
import { type DateRules, isNoDate, type Read, readDate, readDateTime } from './dates.ts';
import { isName, turnedRound } from './names.ts';
import { fullYear, phoneWithWords, shortPhone } from './readings.ts';

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
  if (!text.startsWith('=') && !text.startsWith("'")) return text;
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
