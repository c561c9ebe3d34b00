/** Points in time (specification, ISO_8601_datetime_string), stored in UTC. */
import { type BodyReading, type Kind, refusals, refuse } from '../kind.ts';
import { ofText } from './text.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The years 0001 to 9999, as every dialect of regular expressions reads them. */
const YEAR = String.raw`(?:000[1-9]|00[1-9]\d|0[1-9]\d\d|[1-9]\d{3})`;

const DAY_MS = 86_400_000;

/** A real calendar date, `YYYY-MM-DD`, years 0001 to 9999; with `past`, none after tomorrow, which is today somewhere. */
export function date({ past = false } = {}): Kind<string> {
  return {
    name: 'date',
    ordered: true,
    ...ofText((value, at, reading) => {
      const found = DATE.exec(value);
      if (found !== null && isCalendarDate(Number(found[1]), Number(found[2]), Number(found[3])))
        return past && value > tomorrow() ? refuse(reading, at, 'date_in_future') : value;
      return refuse(reading, at, found === null ? 'date_invalid' : 'date_not_real');
    }, '1948-02-29'),
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
function isCalendarDate(year: number, month: number, day: number): boolean {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

const TIME = String.raw`(\d{4})-(\d{2})-(\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?`;
const OFFSET = String.raw`(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)`;
const DATETIME = new RegExp(`^${TIME}${OFFSET}$`);
/** As much, of a time whose numbers are too large. */
const ANY_CLOCK =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
const WITHOUT_OFFSET = new RegExp(`^${TIME}$`);
const OFFSET_LOST_ITS_PLUS = new RegExp(`^${TIME} \\d{2}(?::?\\d{2})?$`);

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/**
 * An RFC 3339 date-time with its offset (seconds and fraction optional, a space for `T`, `±HHMM` and `±HH` for
 * `±HH:MM`), stored as `YYYY-MM-DDTHH:MM:SSZ`, its fraction cut; with `precise`, with the milliseconds that
 * were sent.
 */
export function datetime({ precise = false } = {}): Kind<string> {
  return {
    name: 'date and time',
    ordered: true,
    ...ofText((value, at, reading) => {
      const utc = toUtc(value);
      if (utc !== undefined) return precise ? withFraction(utc, value) : utc;
      if (OFFSET_LOST_ITS_PLUS.test(value) && reading.encoding === 'form') {
        const message = `${at} has a space where the plus sign of its offset should be: percent-encode + as %2B, such as 2026-11-20T14:30:00%2B01:00.`;
        return refuse(reading, at, 'datetime_offset_missing', message);
      }
      if (WITHOUT_OFFSET.test(value)) {
        const message = `${at} has no offset from UTC, and the service does not guess one: add Z or an offset, such as 2026-11-20T14:30:00Z or 2026-11-20T09:30:00-05:00.`;
        return refuse(reading, at, 'datetime_offset_missing', message);
      }
      return refuse(reading, at, 'datetime_invalid', `${at} ${complain(value, reading)}`);
    }, '2026-11-20T14:30:00Z'),
    schema: {
      type: 'string',
      pattern: `^${uncaptured(TIME).replace(String.raw`(?:\d{4})`, YEAR)}${uncaptured(OFFSET)}$`,
    },
    shown: {
      type: 'string',
      pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}${precise ? String.raw`(?:\.\d{3})?` : ''}Z$`,
    },
    samples: () => ({
      accepted: [
        { send: '2026-11-20T14:30:00Z' },
        { send: '2026-11-20T09:30:00-05:00', stored: '2026-11-20T14:30:00Z' },
        { send: '2026-11-20 09:30-0500', stored: '2026-11-20T14:30:00Z' },
        {
          send: '2026-11-20T09:30:00.999-05',
          stored: `2026-11-20T14:30:00${precise ? '.999' : ''}Z`,
        },
        { send: '2026-11-20t14:30:00z', stored: '2026-11-20T14:30:00Z' },
        { send: '2024-02-29T23:59:59+23:59', stored: '2024-02-29T00:00:59Z' },
        { send: '0001-01-01T00:00:00Z' },
        { send: '9999-12-31T23:59:59Z' },
        { send: '0099-03-01T12:00:00+00:30', stored: '0099-03-01T11:30:00Z' },
      ],
      refused: [
        ...refusals('datetime_offset_missing', ['2026-11-20T14:30:00', '2026-11-20 14:30']),
        ...refusals('datetime_invalid', ['2026-11-20', '2026-11-20T24:00:00Z', 'tomorrow at noon']),
        ...refusals('datetime_invalid', ['2026-11-20T14:30:60Z', '2026-11-20T14:30:00+24:00']),
        ...refusals('datetime_invalid', ['2026-11-20T14:30:00 05:00', '0000-06-01T00:00:00Z']),
        ...refusals('datetime_invalid', ['2025-02-29T00:00:00Z'], 'a pattern knows no leap years'),
        ...refusals(
          'datetime_invalid',
          ['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'],
          'a pattern converts nothing to UTC',
        ),
        ...refusals('type_invalid', [1795185000]),
      ],
    }),
  };
}

function complain(value: string, reading: BodyReading): string {
  if (DATETIME.test(value))
    return 'is not a real point in time from the years 0001 to 9999; check its day, and its year in UTC.';
  if (ANY_CLOCK.test(value))
    return 'has a time that no clock shows; hours are from 00 to 23, minutes and seconds from 00 to 59, in the offset, too.';
  const likely = likelyDatetime(value);
  if (likely === undefined)
    return 'is not an RFC 3339 date and time; send for example 2026-11-20T14:30:00Z or 2026-11-20T09:30:00-05:00.';
  const isForm = reading.encoding === 'form' && likely.includes('+');
  const encoded = isForm ? ', its + percent-encoded as %2B,' : '';
  return `is not an RFC 3339 date and time; send ${likely}${encoded} if that is the time.`;
}

/** Replacements that make RFC 3339 of how the libraries of languages write a time and its offset by default. */
const WRITTEN: readonly (readonly [RegExp, string])[] = [
  [/^\s+|\s+$/g, ''],
  [/[\u2010-\u2015\u2212]/g, '-'],
  // Java says the zone behind the offset, and Go its abbreviation.
  [/(Z|[+-]\d{2}(?::?\d{2})?)(?:\[[^[\]]+\]| [A-Z]{3,5})$/, '$1'],
  [/ (?:UTC|GMT)$/, 'Z'],
  // Ruby has a blank before it.
  [/ (?=[+-]\d{2}(?::?\d{2})?$)/, ''],
  [/(:\d{2}),(?=\d)/, '$1.'],
  [/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(?=Z|[+-])/, '$1-$2-$3T$4:$5:$6'],
];

/** The time in RFC 3339, where it is written so that it can be one moment only. */
function likelyDatetime(value: string): string | undefined {
  if (value.length > 60) return undefined;
  const plain = WRITTEN.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
  const found = DATETIME.exec(plain);
  if (found === null || toUtc(plain) === undefined) return undefined;
  const [, year, month, day, hour, minute, second = '00', sign, hours, minutes = '00'] = found;
  const offset = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}

/** The pattern with groups that capture nothing. */
function uncaptured(pattern: string): string {
  return pattern.replaceAll(/\((?!\?)/g, '(?:');
}

/** The moment in UTC with its milliseconds. */
function withFraction(utc: string, sent: string): string {
  const [, digits = ''] = /:\d{2}\.(\d+)/.exec(sent) ?? [];
  const fraction = digits.slice(0, 3).padEnd(3, '0');
  return fraction === '000' ? utc : `${utc.slice(0, -1)}.${fraction}Z`;
}

/** The moment in UTC, whole seconds, or `undefined` when the text names no moment. */
function toUtc(value: string): string | undefined {
  const found = DATETIME.exec(value);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second = '00', sign, hours = '0', minutes = '0'] = found;
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return undefined;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  // A concatenated text stays in pieces, and JSON.stringify takes twice as long over the whole record then.
  if (offsetMs === 0) return local === value ? value : local;
  const utcMs = Date.parse(local) + (sign === '-' ? offsetMs : -offsetMs);
  if (utcMs < EARLIEST || utcMs > LATEST) return undefined;
  return `${new Date(utcMs).toISOString().slice(0, 19)}Z`;
}
