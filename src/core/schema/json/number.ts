/** The one canonical spelling of a JSON number: the value is stored exactly, its spelling is not. */

import type { RawNumber } from '../values.ts';

const MAX_SIGNIFICANT_DIGITS = 1000;
const LARGEST_EXPONENT = 1000;

/** Said of a number for which `canonicalNumber` has no answer. */
export const NUMBER_RANGE =
  'at most 1,000 significant digits and a first digit with an exponent from -1,000 to 1,000';

/**
 * The number that a JSON number token stands for, exactly: a plain number where JavaScript
 * prints it in the canonical spelling, otherwise a raw number of that spelling. So two equal
 * numbers are either the same plain number or raw numbers of one spelling. `undefined` when it
 * is out of range. Takes time linear in the token, whatever its exponent.
 */
export function canonicalNumber(token: string): number | RawNumber | undefined {
  const parsed = Number(token);
  // Where JavaScript prints the token itself it is canonical, but for the exponent -7.
  if (String(parsed) === token && !token.endsWith('e-7')) return parsed;

  const negative = token.startsWith('-');
  const mark = token.search(/[eE]/);
  const mantissa = token.slice(negative ? 1 : 0, mark === -1 ? undefined : mark);
  const point = mantissa.indexOf('.');
  const wholeDigits = point === -1 ? mantissa.length : point;
  const digits =
    point === -1 ? mantissa : mantissa.slice(0, wholeDigits) + mantissa.slice(point + 1);

  const first = firstSignificant(digits);
  if (first === digits.length) return 0;
  const significant = digits.slice(first, lastSignificant(digits) + 1);
  // An exponent with enough digits to make the sum inexact or infinite is far out of range.
  const exponent = (mark === -1 ? 0 : Number(token.slice(mark + 1))) + wholeDigits - 1 - first;
  if (significant.length > MAX_SIGNIFICANT_DIGITS) return undefined;
  if (Math.abs(exponent) > LARGEST_EXPONENT) return undefined;

  const spelling = (negative ? '-' : '') + spell(significant, exponent);
  const double = Number(spelling);
  return String(double) === spelling ? double : JSON.rawJSON(spelling);
}

/** Spells the number whose first significant digit has the given exponent. */
function spell(significant: string, exponent: number): string {
  if (exponent < -7 || exponent > 20) {
    const fraction = significant.length > 1 ? `.${significant.slice(1)}` : '';
    return `${significant[0]}${fraction}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${significant}`;
  const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = significant.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const ZERO = 0x30;

function firstSignificant(digits: string): number {
  let at = 0;
  while (at < digits.length && digits.charCodeAt(at) === ZERO) at += 1;
  return at;
}

/** Not a pattern like /0+$/, which takes quadratic time on zeros that are not at the end. */
function lastSignificant(digits: string): number {
  let at = digits.length - 1;
  while (digits.charCodeAt(at) === ZERO) at -= 1;
  return at;
}
