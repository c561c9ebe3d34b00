/** Durations, as people write them. */

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
/** From 1970 to the end of the year 9999. */
export const LONGEST_MS = 253_402_300_799_000;

/** Milliseconds of `90d`, `24h`, `30m`, `45s`, `2w` or `0`; `undefined` where it is none. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const [, count, unit] = /^(\d+) *([smhdw])$/.exec(trimmed) ?? [];
  const duration = trimmed === '0' ? 0 : Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  return duration <= LONGEST_MS ? duration : undefined;
}
