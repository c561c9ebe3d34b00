/** Points in time (specification, ISO_8601_datetime_string), stored in UTC. */
import { type Kind, refusals, refuse } from '../kind.ts';
import { isCalendarDate, YEAR } from './date.ts';
import { ofText } from './text.ts';

const TIME = String.raw`(\d{4})-(\d{2})-(\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?`;
const OFFSET = String.raw`(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)`;
const DATETIME = new RegExp(`^${TIME}${OFFSET}$`);
const WITHOUT_OFFSET = new RegExp(`^${TIME}$`);
const OFFSET_LOST_ITS_PLUS = new RegExp(`^${TIME} \\d{2}(?::?\\d{2})?$`);

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/**
 * An RFC 3339 date-time with its offset (seconds and fraction optional, a space for `T`, `±HHMM` and `±HH` for
 * `±HH:MM`), stored as `YYYY-MM-DDTHH:MM:SSZ`, its fraction cut.
 */
export function datetime(): Kind<string> {
  return {
    name: 'date and time',
    ordered: true,
    ...ofText((value, at, reading) => {
      const utc = toUtc(value);
      if (utc !== undefined) return utc;
      if (OFFSET_LOST_ITS_PLUS.test(value) && reading.encoding === 'form') {
        const message = `${at} has a space where the plus sign of its offset should be: percent-encode + as %2B, such as 2026-11-20T14:30:00%2B01:00.`;
        return refuse(reading, at, 'datetime_offset_missing', message);
      }
      if (WITHOUT_OFFSET.test(value)) {
        const message = `${at} has no offset from UTC, and the service does not guess one: add Z or an offset, such as 2026-11-20T14:30:00Z or 2026-11-20T09:30:00-05:00.`;
        return refuse(reading, at, 'datetime_offset_missing', message);
      }
      return refuse(
        reading,
        at,
        'datetime_invalid',
        DATETIME.test(value)
          ? `${at} is not a real point in time from the years 0001 to 9999; check its day, and its year in UTC.`
          : `${at} is not an RFC 3339 date and time; send for example 2026-11-20T14:30:00Z or 2026-11-20T09:30:00-05:00.`,
      );
    }),
    schema: {
      type: 'string',
      pattern: `^${uncaptured(TIME).replace(String.raw`(?:\d{4})`, YEAR)}${uncaptured(OFFSET)}$`,
    },
    shown: { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$` },
    samples: () => ({
      accepted: [
        { send: '2026-11-20T14:30:00Z' },
        { send: '2026-11-20T09:30:00-05:00', stored: '2026-11-20T14:30:00Z' },
        { send: '2026-11-20 09:30-0500', stored: '2026-11-20T14:30:00Z' },
        { send: '2026-11-20T09:30:00.999-05', stored: '2026-11-20T14:30:00Z' },
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

/** The pattern with groups that capture nothing. */
function uncaptured(pattern: string): string {
  return pattern.replaceAll(/\((?!\?)/g, '(?:');
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
