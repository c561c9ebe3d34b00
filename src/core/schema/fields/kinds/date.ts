/** Calendar dates (specification, ISO_8601_date_string). */
import { type Kind, refusals, refuse } from '../kind.ts';
import { ofText } from './text.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The years 0001 to 9999, as every dialect of regular expressions reads them. */
export const YEAR = String.raw`(?:000[1-9]|00[1-9]\d|0[1-9]\d\d|[1-9]\d{3})`;

interface DateRules {
  /** For events of the past: no date after tomorrow, which is today somewhere. */
  readonly past?: boolean;
}

const DAY_MS = 86_400_000;

/** A real calendar date, `YYYY-MM-DD`, years 0001 to 9999. */
export function date({ past = false }: DateRules = {}): Kind<string> {
  return {
    name: 'date',
    ordered: true,
    ...ofText((value, at, reading) => {
      const found = DATE.exec(value);
      if (found !== null && isCalendarDate(Number(found[1]), Number(found[2]), Number(found[3])))
        return past && value > tomorrow() ? refuse(reading, at, 'date_in_future') : value;
      return refuse(reading, at, found === null ? 'date_invalid' : 'date_not_real');
    }),
    schema: { type: 'string', format: 'date', pattern: `^${YEAR}-\\d{2}-\\d{2}$` },
    shown: { type: 'string', format: 'date' },
    samples: () => ({
      accepted: [
        ...[{ send: '1948-02-29' }, { send: '2000-02-29' }, { send: '0001-01-01' }],
        ...(past ? [] : [{ send: '9999-12-31' }]),
      ],
      refused: [
        ...refusals('date_not_real', ['1949-02-29', '1900-02-29', '2026-13-01', '2026-04-31']),
        ...refusals('date_not_real', ['2026-00-10', '0000-01-01']),
        ...refusals('date_invalid', ['2026-1-1', '01/02/2026', '2026-01-01T00:00:00Z']),
        ...refusals('date_invalid', ['2026-01-01\n']),
        ...refusals('type_invalid', [20260101]),
        ...(past ? refusals('date_in_future', ['9999-12-31'], 'a schema does not know today') : []),
      ],
    }),
  };
}

/** A clock before this is wrong: the rule was made later. */
const CLOCK_WRONG_BEFORE = Date.UTC(2026, 10, 22);

/** With a clock that has lost its date every date is taken: no death of today may be refused for it. */
function tomorrow(): string {
  const now = Date.now();
  if (now < CLOCK_WRONG_BEFORE) return '9999-12-31';
  const day = Math.floor(now / DAY_MS) + 1;
  if (day !== made.day) made = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return made.text;
}

/** The text of a day since 1970: making one takes as long as reading three dates. */
let made = { day: 0, text: '' };

/** Whether a year from 1 to 9999, a month and a day make a day of the Gregorian calendar. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}
