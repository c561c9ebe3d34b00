/** Days of this zone, as requests name them. */

/** Midnight at the beginning of the day, in this zone; `days` later. */
export function midnight(time: Date = new Date(), days = 0): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days);
}

/** RFC 3339 with the offset of this zone. */
export function withOffset(time: Date): string {
  const offset = -time.getTimezoneOffset();
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
): Readonly<Record<string, string>> {
  return {
    ...(from === undefined ? {} : { [`${param}[gte]`]: withOffset(from) }),
    ...(until === undefined ? {} : { [`${param}[lt]`]: withOffset(until) }),
  };
}
