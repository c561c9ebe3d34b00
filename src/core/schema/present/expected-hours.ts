/**
 * The notation of the hours in which something is expected, such as `mon-fri 8-18, sat 9-12`, and of closed days,
 * such as `12-25, 2026-11-27`.
 */

/** Whole hours of a day, the last one excluded. */
export interface HourSpan {
  readonly from: number;
  readonly until: number;
}

/** From Monday to Sunday; `undefined`: nothing is expected on that day. */
export type WeekHours = readonly (HourSpan | undefined)[];

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const PART = /^([a-z]{3})(?:-([a-z]{3}))? +(\d{1,2})-(\d{1,2})$/;
const DAY_OF_YEAR = /^(?:(\d{4})-)?(\d\d)-(\d\d)$/;
const LEAP_YEAR = '2024';
const MAX_CLOSED = 100;

export const HOURS_EXAMPLE = 'mon-fri 8-18, sat 9-12';

/** `undefined` where the text is not in that notation, or names a day twice. */
export function readHours(text: string): WeekHours | undefined {
  const week: (HourSpan | undefined)[] = DAYS.map(() => undefined);
  for (const part of text.toLowerCase().split(',')) {
    const [found, first = '', last = first, from, until] = PART.exec(part.trim()) ?? [];
    const [begin, end] = [DAYS.indexOf(first), DAYS.indexOf(last)];
    const span = { from: Number(from), until: Number(until) };
    const isRange = found !== undefined && begin >= 0 && end >= begin;
    if (!isRange || span.from >= span.until || span.until > 24) return undefined;
    for (let day = begin; day <= end; day += 1) {
      if (week[day] !== undefined) return undefined;
      week[day] = span;
    }
  }
  return week;
}

/** Days that follow each other and have the same hours stand together. */
export function hoursText(week: WeekHours): string {
  const parts: string[] = [];
  for (let day = 0; day < DAYS.length; ) {
    const span = week[day];
    let end = day;
    while (span !== undefined && isSame(week[end + 1], span)) end += 1;
    const days = end === day ? DAYS[day] : `${DAYS[day]}-${DAYS[end]}`;
    if (span !== undefined) parts.push(`${days} ${span.from}-${span.until}`);
    day = end + 1;
  }
  return parts.join(', ');
}

function isSame(one: HourSpan | undefined, other: HourSpan): boolean {
  return one?.from === other.from && one.until === other.until;
}

/** Days of each year as `12-25`, of one year as `2026-12-25`, sorted; `undefined` where one is not a day. */
export function readClosedDays(text: string): readonly string[] | undefined {
  const days = text.split(/[\s,]+/).filter((day) => day !== '');
  const isEach = days.every((day) => {
    const [found, year = LEAP_YEAR, month, date] = DAY_OF_YEAR.exec(day) ?? [];
    return found !== undefined && isDay(`${year}-${month}-${date}`);
  });
  return isEach && days.length <= MAX_CLOSED ? [...new Set(days)].sort() : undefined;
}

function isDay(text: string): boolean {
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}
