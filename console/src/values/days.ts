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
