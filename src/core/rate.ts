/** Rates of requests as people write them: `100/s`, `6000/m`. */

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60 };
export const MAX_RATE = 1_000_000;

/** The rule for a rate, to follow the name of the setting. */
export const RATE_MUST_BE =
  'must be a number of requests a second or a minute, such as 100/s or 6000/m, from 1/m to 1000000/s';

/** Requests a second; `undefined` when the text is not a rate. */
export function readRate(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,8}) *\/ *([sm])$/.exec(text.trim()) ?? [];
  const rate = Number(count) / (SECONDS[unit ?? ''] ?? Number.NaN);
  return rate <= MAX_RATE ? rate : undefined;
}
