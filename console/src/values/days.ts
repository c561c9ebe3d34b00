/** Days and clocks of a time zone, as requests name them. */

const DAY_MS = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Names of zones for which this browser has no clock. */
const lacked = new Set<string>();

/** Whether this browser has the zone. The service may know more: without it, times are those of UTC, and named so. */
export function hasZone(zone: string): boolean {
  clockOf(zone);
  return !lacked.has(zone);
}

/** The zone by whose clock times are shown, for whatever else makes a format: never named without `hasZone`. */
export function knownZone(zone: string): string {
  return hasZone(zone) ? zone : 'UTC';
}

/** Equal for all names of one zone, such as `US/Eastern` and `America/New_York`, in any case. */
export function clockKey(zone: string): string {
  return hasZone(zone) ? clockOf(zone).resolvedOptions().timeZone : zone;
}

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    try {
      clock = clockIn(zone);
    } catch {
      lacked.add(zone);
      clock = clockIn('UTC');
    }
    clocks.set(zone, clock);
  }
  return clock;
}

function clockIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** What the clock of the zone shows, as if it were one of UTC: milliseconds since 1970. */
function wallOf(time: number, zone: string): number {
  const parts: Record<string, number> = {};
  let isBefore = false;
  for (const { type, value } of clockOf(zone).formatToParts(time)) {
    parts[type] = Number(value);
    if (type === 'era') isBefore = value.startsWith('B');
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const wall = new Date(0);
  wall.setUTCFullYear(isBefore ? 1 - year : year, month - 1, day);
  wall.setUTCHours(hour, minute, second, 0);
  return wall.getTime();
}

/** Milliseconds by which the clock of the zone is ahead of UTC. */
export function offsetAt(time: Date, zone: string): number {
  const whole = Math.floor(time.getTime() / 1000) * 1000;
  return wallOf(whole, zone) - whole;
}

/** When the clock of the zone shows it: the first time where it does twice; where it never does, as soon as it has passed. */
function whenShown(wall: number, zone: string): Date {
  const [before, after] = [-DAY_MS, DAY_MS].map((away) => {
    const offset = offsetAt(new Date(wall + away), zone);
    return wall - offset;
  }) as [number, number];
  const shown = [before, after].filter((time) => wallOf(time, zone) === wall);
  return new Date(shown.length > 0 ? Math.min(...shown) : Math.max(before, after));
}

/** Midnight at the beginning of the day, in the zone; `days` later. */
export function midnight(zone: string, time: Date | number, days = 0): Date {
  const wall = wallOf(Number(time), zone);
  return whenShown((Math.floor(wall / DAY_MS) + days) * DAY_MS, zone);
}

/** The moment that a field of dates and times says: `2027-03-20T14:30`, or a day alone. */
export function momentIn(zone: string, text: string): Date {
  const wall = Date.parse(`${text.length === 10 ? `${text}T00:00` : text}Z`);
  return Number.isNaN(wall) ? new Date(Number.NaN) : whenShown(wall, zone);
}

/** Days from now to the time, by the calendar of the zone. */
export function daysBetween(now: number, time: Date, zone: string): number {
  const dayOf = (one: number): number => Math.floor(wallOf(one, zone) / DAY_MS);
  return dayOf(time.getTime()) - dayOf(now);
}

/** RFC 3339 with the offset of the zone. */
export function withOffset(moment: Date | number, zone: string): string {
  const time = new Date(moment);
  const offset = Math.round(offsetAt(time, zone) / 60_000);
  const local = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const two = (number: number): string => String(Math.trunc(number)).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}

/**
 * Days counted from today, from the first until before the last: an address with such a name means other days
 * tomorrow.
 */
export const NAMED_DAYS = {
  today: [0, 1],
  tomorrow: [1, 2],
  yesterday: [-1, 0],
  'last-7-days': [-6, 1],
  'last-30-days': [-29, 1],
  'next-7-days': [0, 7],
  'from-today': [0, undefined],
} as const;

export type NamedDays = keyof typeof NAMED_DAYS;

export function isNamedDays(name: string | null): name is NamedDays {
  return name !== null && Object.hasOwn(NAMED_DAYS, name);
}

/** All of the days from one to the other, as a filter of lists. */
export function between(
  param: string,
  from: Date | undefined,
  until: Date | undefined,
  zone: string,
): Readonly<Record<string, string>> {
  return {
    ...(from === undefined ? {} : { [`${param}[gte]`]: withOffset(from, zone) }),
    ...(until === undefined ? {} : { [`${param}[lt]`]: withOffset(until, zone) }),
  };
}
