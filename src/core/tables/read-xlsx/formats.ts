/** Interprets the number format of a cell: a date, leading zeros, or a plain number. */

const DAY_MS = 86_400_000;
/** The day after the last one that a sheet knows, 9999-12-31. */
const END = 2_958_466;
/** Formats of dates that need no code: those of Excel, and of its East Asian editions. */
const DATES = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const;

/** The text that people see, where that says more than the number does. */
export type NumberFormat = (value: number) => string | undefined;

/** `code` is that of the workbook. `startsIn1904` says from which day it counts. */
export function numberFormat(
  id: number,
  code: string | undefined,
  startsIn1904: boolean,
): NumberFormat | undefined {
  const plain = code === undefined ? '' : withoutLiterals(code);
  // `[h]:mm` is a length of time, which may be longer than a day.
  const isDate =
    code === undefined
      ? DATES.some(([first, last]) => id >= first && id <= last)
      : /[ymdhs]/i.test(plain) && !/\[[hms]+\]/i.test(code);
  if (isDate) return (value) => dateText(value, startsIn1904);
  return /^00[0\s().-]*$/.test(plain) && !plain.includes('.') ? zerosIn(plain) : undefined;
}

/** The first section of a code, without words, colours and conditions. */
function withoutLiterals(code: string): string {
  const sections = code.replace(/"([^"]*)"/g, (_, text: string) =>
    /^[\s().-]*$/.test(text) ? text : '',
  );
  const [first = ''] = sections.split(';');
  return first.replace(/\\([\s().-])/g, '$1').replace(/\\.|_.|\*.|\[[^[\]]*\]/g, '');
}

/** A date has no offset: it is what a clock on the wall shows. */
function dateText(value: number, startsIn1904: boolean): string | undefined {
  if (!(value >= 0 && value < END)) return undefined;
  const isTimeAlone = value < 1 && !startsIn1904;
  // Sheets take 1900 for a leap year: until its 29th of February they are a day ahead.
  const epoch = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
  const text = new Date(epoch + Math.round(value * DAY_MS)).toISOString().replace(/\.000Z$|Z$/, '');
  return isTimeAlone ? text.slice(11) : text.replace(/T00:00:00$/, '');
}

/** Such as `00000` for a postal code. */
function zerosIn(pattern: string): NumberFormat {
  const width = pattern.replaceAll(/[^0]/g, '').length;
  return (value) => {
    if (!Number.isSafeInteger(value) || value < 0) return undefined;
    const digits = String(value).padStart(width, '0');
    if (digits.length > width) return pattern.length === width ? digits : undefined;
    let at = 0;
    return pattern.replaceAll('0', () => digits.charAt(at++));
  };
}
