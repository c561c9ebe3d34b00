/** Formats of numbers, as spreadsheet programs show them. https://ecma-international.org/publications-and-standards/standards/ecma-376/ part 1, 18.8.30 */
import { format, getFormatDateInfo, getFormatFromId, getFormatInfo, tokenize } from 'numfmt';
import { BoundedMap } from '../../bounded.ts';
import type { CellMoment, CellNumber, CellValue } from '../cell.ts';

/** Characters of a code: Excel takes no more. */
const LONGEST_CODE = 255;
/** Characters of shown numbers that are kept: those of a column repeat. */
const KEPT = 1_048_576;
const DAY_SECONDS = 86_400;
/** Days from 1900 to 1904, as sheets count them. */
const TO_1904 = 1_462;
/** The day that 1900 did not have. */
const NO_DAY = 60;
/** The day after the last one that a sheet knows, 9999-12-31. */
const END = 2_958_466;
/** From here on, a number no longer has all of its digits. */
const MOST_DIGITS = 1e15;
/** Digits of a number of a sheet. */
const PRECISION = 15;
/** Characters that `General` shows in full. */
const GENERAL_LENGTH = 11;
const OPTIONS = { throws: false, dateSpanLarge: false } as const;

/** Gives what a number is by a format. */
export type NumberFormat = (number: number) => CellValue;

/** `code` is that of the workbook; without it, that of the program. */
export type NumberFormats = (id: number, code?: string | undefined) => NumberFormat;

/** The formats of a workbook. `startsIn1904` says from which day it counts. */
export function numberFormats(startsIn1904: boolean): NumberFormats {
  const texts = new BoundedMap<string, string>(KEPT, (text) => text.length + 32);
  const keeps: Keeps = (pattern, shown) => (number) =>
    texts.getOrInsertComputed(`${number} ${pattern}`, () => shown(number));
  return (id, code) => numberFormat(id, code, startsIn1904, keeps);
}

/** The function, with what it has said lately. */
type Keeps = (pattern: string, shown: (number: number) => string) => (number: number) => string;

function numberFormat(
  id: number,
  code: string | undefined,
  startsIn1904: boolean,
  keeps: Keeps,
): NumberFormat {
  const own = code !== undefined && code.length <= LONGEST_CODE ? code : undefined;
  const pattern = own ?? (code === undefined ? getFormatFromId(id) : 'General');
  // Its type is that of its first part.
  const { isDate, type, scale } = getFormatInfo(pattern);
  if (isDate) return momentFormat(pattern, startsIn1904, keeps);
  const maxDecimals = Math.max(...partsOf(pattern).map((part) => getFormatInfo(part).maxDecimals));
  const startsGeneral = ['general', 'text', 'error'].includes(type);
  const isGeneral = startsGeneral && !/["\\;]/.test(pattern);
  const shows = {
    shown: isGeneral ? generalText : keeps(pattern, (number) => shownBy(pattern, number)),
    isRounded: isGeneral || type === 'scientific',
    isAmount: type === 'currency' || type === 'percent' || (!startsGeneral && maxDecimals > 0),
    decimals: type === 'fraction' ? 0 : Math.min(maxDecimals, PRECISION),
    scale,
  };
  return (number) => new ShownNumber(number, shows);
}

/** The parts for numbers above, below and at zero, and for texts, or for what their conditions say. */
function partsOf(pattern: string): readonly string[] {
  const parts = [''];
  for (const { type, raw } of tokenize(pattern)) {
    if (type === 'BREAK') parts.push('');
    else parts.push(`${parts.pop()}${raw}`);
  }
  return parts;
}

interface NumberShows {
  readonly shown: (number: number) => string;
  /** Whether it is shown with so many digits, and not with so many decimals. */
  readonly isRounded: boolean;
  readonly isAmount: boolean;
  readonly decimals: number;
  readonly scale: number;
}

class ShownNumber implements CellNumber {
  readonly is = 'number';
  readonly number: number;
  readonly #shows: NumberShows;

  constructor(number: number, shows: NumberShows) {
    this.number = number;
    this.#shows = shows;
  }

  get shown(): string {
    return this.#shows.shown(this.number);
  }

  get isAmount(): boolean {
    return this.#shows.isAmount;
  }

  get lacks(): CellNumber['lacks'] {
    const { number } = this;
    const { isRounded, scale, decimals } = this.#shows;
    if (Math.abs(number) >= MOST_DIGITS) return 'digits';
    if (isRounded) {
      if (Number(this.shown) === Number(number.toPrecision(PRECISION))) return undefined;
      return /E/i.test(this.shown) ? 'digits' : 'decimals';
    }
    const scaled = Number((number * scale).toPrecision(PRECISION));
    return Number(scaled.toFixed(decimals)) === scaled ? undefined : 'decimals';
  }
}

/** Whole numbers have all their digits, however narrow a column is. */
export function generalText(number: number): string {
  const text = String(number);
  const isWhole = Number.isInteger(number) && Math.abs(number) < MOST_DIGITS;
  if (isWhole || (text.length <= GENERAL_LENGTH && !text.includes('e'))) return text;
  return format('General', number, OPTIONS);
}

/** A number that a format hides is shown in any case: it is in the file. */
function shownBy(pattern: string, number: number): string {
  const shown = format(pattern, number, OPTIONS).trim();
  return shown === '' && number !== 0 ? generalText(number) : shown;
}

function momentFormat(pattern: string, startsIn1904: boolean, keeps: Keeps): NumberFormat {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
  const isLength = tokenize(pattern).some(({ type }) => type === 'DURATION');
  const shows = {
    // In `mm:ss`, months are minutes.
    showsDay: year || day || (month && !seconds && !hours),
    showsTime: hours || minutes || seconds,
    shown: keeps(pattern, (number) =>
      shownBy(pattern, startsIn1904 && !isLength ? number + TO_1904 : number),
    ),
    offset: OFFSET.exec(shownBy(pattern, SOME_TIME))?.[1] ?? '',
    startsIn1904,
    // A length of time, as `[h]:mm` shows it, may be longer than a day.
    isLength,
  };
  return (number) => new ShownMoment(number, shows);
}

/** The number of a day with a time, and what stands behind it where that is not UTC everywhere. */
const SOME_TIME = 46_000.5;
const OFFSET = /\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(Z|[+-]\d\d:\d\d)$/;

interface MomentShows extends Pick<CellMoment, 'showsDay' | 'showsTime' | 'offset'> {
  readonly shown: (number: number) => string;
  readonly startsIn1904: boolean;
  readonly isLength: boolean;
}

/** As a clock on the wall shows it, to the second. */
class ShownMoment implements CellMoment {
  readonly is = 'moment';
  readonly #number: number;
  readonly #shows: MomentShows;

  constructor(number: number, shows: MomentShows) {
    this.#number = number;
    this.#shows = shows;
  }

  get shown(): string {
    return this.#shows.shown(this.#number);
  }

  get offset(): string {
    return this.#shows.offset;
  }

  get showsDay(): boolean {
    return this.#shows.showsDay;
  }

  get showsTime(): boolean {
    return this.#shows.showsTime;
  }

  /** Days since the one before 1900; `undefined`: it is a time of day alone. */
  get #days(): number | undefined {
    const { startsIn1904, showsDay } = this.#shows;
    const days = Math.floor(this.#all / DAY_SECONDS);
    // Databases write a time of day alone as one of the day before all days.
    const isTimeAlone =
      days === 0 && (startsIn1904 ? !showsDay : !showsDay || this.#all % DAY_SECONDS > 0);
    if (isTimeAlone) return undefined;
    return startsIn1904 ? days + TO_1904 : days;
  }

  get #all(): number {
    return Math.round(this.#number * DAY_SECONDS);
  }

  get isNoDay(): boolean {
    const days = this.#days;
    if (days === undefined) return false;
    return this.#shows.isLength || !(days > 0 && days < END && days !== NO_DAY);
  }

  get day(): string | undefined {
    const days = this.#days;
    return days === undefined || this.isNoDay
      ? undefined
      : dayTexts.getOrInsertComputed(days, dayText);
  }

  get time(): string {
    const all = this.#all;
    return timeText(all - Math.floor(all / DAY_SECONDS) * DAY_SECONDS);
  }
}

/** Days of a column repeat. */
const dayTexts = new BoundedMap<number, string>(10_000);

/** Sheets take 1900 for a leap year: until its 29th of February they are a day ahead. */
function dayText(days: number): string {
  const epoch = Date.UTC(1899, 11, days < NO_DAY ? 31 : 30);
  return new Date(epoch + days * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
}

function timeText(seconds: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

const EPOCH_1900 = Date.UTC(1899, 11, 30);
const ISO = /^(?:(\d{4}-\d\d-\d\d))?T?(?:(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?)?$/;

/** The number that a date in words of ISO 8601 is in a sheet; `undefined`: it is none. */
export function numberOfIso(text: string, startsIn1904: boolean): number | undefined {
  const [, day, time = '00:00'] = ISO.exec(text.trim()) ?? [];
  const at = Date.parse(`${day ?? '1899-12-30'}T${time}Z`);
  if (Number.isNaN(at) || text.trim() === '') return undefined;
  const days = (at - EPOCH_1900) / (DAY_SECONDS * 1_000);
  if (day === undefined) return days;
  // Before the day that 1900 did not have, sheets count one less.
  return startsIn1904 ? days - TO_1904 : days < NO_DAY + 1 ? days - 1 : days;
}
