/** Readings of values that are not written in full: each changes what stands in the file, so a person asks for them. */
import { BETWEEN, type Country, HOME, readPhone } from '../../../../core/schema/phones/numbers.ts';
import type { NamedTarget } from '../amounts.ts';

const PHONE = String.raw`\+?[(\s]?\d[\d${BETWEEN}\p{Cf}]{5,30}\d`;
const WORDS = String.raw`[\p{L}\s().,;:/'’-]*\p{L}[\p{L}\s().,;:/'’-]*`;
const PHONE_WITH_WORDS = new RegExp(`^\\s*(?:(${PHONE})(${WORDS})|(${WORDS})(${PHONE}))\\s*$`, 'u');
const SHORT_PHONE = new RegExp(`^\\s*(\\d{3})[${BETWEEN}\\p{Cf}]{0,4}(\\d{4})\\s*$`, 'u');
const SHORT_YEAR = /^\D*\d{1,2}([/.-])\d{1,2}\1(\d{2})(?!\d)/;
/** Longer ones are no phone numbers. */
const LONGEST = 100;

/** `507 555 0111 (cell)`: the number, and the words beside it; `undefined` for all else, such as one with an extension. */
export function phoneWithWords(
  text: string,
  country: Country = HOME,
): { readonly phone: string; readonly words: string } | undefined {
  if (text.length > LONGEST) return undefined;
  const [, before, after, first, second] = PHONE_WITH_WORDS.exec(text) ?? [];
  const phone = before ?? second;
  const words = (after ?? first ?? '').replaceAll(/^[\s().,;:/-]+|[\s().,;:/-]+$/g, '');
  return phone === undefined || readPhone(phone, country) === undefined
    ? undefined
    : { phone, words };
}

/** The seven digits of a number without its area code. */
export function shortPhone(text: string): string | undefined {
  const [, exchange, line] = SHORT_PHONE.exec(text) ?? [];
  return exchange === undefined ? undefined : `${exchange}${line}`;
}

const SHORT_TIME = /(?:^|[\sT])(\d{1,2})(?::(\d\d))?(?::\d\d)?\s*([ap])\.?$/i;

/** `3:00 PM` of a text that ends in `3:00p`; `undefined`: it is written in full, or no time. */
export function shortTime(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const [, hour, minutes = '00', half = ''] = SHORT_TIME.exec(text.trim()) ?? [];
  return hour === undefined ? undefined : `${Number(hour)}:${minutes} ${half.toUpperCase()}M`;
}

/** Whether a date has a year of two digits. */
export function hasShortYear(text: string): boolean {
  return text.length <= LONGEST && SHORT_YEAR.test(text);
}

/** Whoever was older has not been seen. */
const OLDEST = 110;

/** The year that is meant by its last two digits: a birth and a death lie in the past, a service near today. */
export function fullYear({ name, kind }: NamedTarget, digits: number, today: number): number {
  const century = today - (today % 100);
  const candidates = [century - 100, century, century + 100].map((one) => one + digits);
  if (kind === 'date and time') {
    const [nearest = today] = candidates.sort(
      (one, other) => Math.abs(one - today) - Math.abs(other - today),
    );
    return nearest;
  }
  const past = candidates.filter((year) => year <= today);
  const alive = past.filter((year) => today - year <= OLDEST);
  const isBirth = /birth/.test(name);
  return (isBirth ? alive[0] : undefined) ?? past.at(-1) ?? today;
}
