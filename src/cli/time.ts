/** Times as people write and read them on the command line. */
import { LONGEST_MS, parseDuration, readTime } from '../core/config/readers.ts';
import { presentTime } from '../core/schema/present/present.ts';
import { Mistake } from './mistake.ts';

/** The beginning of the year 1, before which no time is written. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');

/** The day in UTC. */
export function isoDate(time: number): string {
  return presentTime(time).slice(0, -'T00:00:00Z'.length);
}

/** Milliseconds of `90d`, `24h`, `30m`, `45s`, `2w` or `0`, or of one between those two. */
export function readDuration(
  text: string,
  option: string,
  within?: readonly [least: string, most: string],
): number {
  const read = within && readTime(text, ...within);
  if (read !== undefined && 'complaint' in read) throw new Mistake(`${option} ${read.complaint}.`);
  const duration = parseDuration(text);
  if (duration !== undefined) return duration;
  throw new Mistake(
    `${option} must be a duration such as 90d, 24h or 30m, not ${JSON.stringify(text)}.`,
  );
}

/** The moment that `--expires` means: a time with its offset, a date (its start in UTC), or a duration from now. */
export function readMoment(text: string, option: string, now: number): number {
  const moment = parseMoment(text.trim(), now, 1);
  if (moment === undefined || moment > LONGEST_MS)
    throw new Mistake(
      `${option} must be a time such as 2027-01-31T18:00:00Z, a date such as 2027-01-31, or a duration such as 90d, 24h or 30m, not ${JSON.stringify(text)}.`,
    );
  if (moment <= now)
    throw new Mistake(`${option} must be in the future, and ${presentTime(moment)} is not.`);
  return moment;
}

/** The moment that `--since` means: a time with its offset, a date (its start in UTC), or a duration before now. */
export function readEarlier(text: string, option: string, now: number): number {
  const moment = parseMoment(text.trim(), now, -1);
  if (moment !== undefined && moment <= now && moment >= EARLIEST_MS) return moment;
  throw new Mistake(
    `${option} must be a duration such as 1h or 7d, or a time or a date in the past, such as 2027-01-31T18:00:00Z or 2027-01-31, not ${JSON.stringify(text)}.`,
  );
}

/** A duration is one after now, or before it. */
function parseMoment(text: string, now: number, direction: 1 | -1): number | undefined {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text))
      return Temporal.PlainDate.from(text).toZonedDateTime('UTC').epochMilliseconds;
    if (/^\d{4}-\d{2}-\d{2}[Tt ]/.test(text)) return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
  const duration = parseDuration(text);
  return duration === undefined ? undefined : now + direction * duration;
}
