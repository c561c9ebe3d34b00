/**
 * Phone numbers. A number is its E.164 form: what people write is read into it here, and it is shown from here. Nothing
 * else reads or shows one, and two numbers are the same where their E.164 forms are.
 */
import {
  type CountryCode,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** Two letters of ISO 3166, such as `US`. */
export type Country = CountryCode;

/** The country of homes of which none is known. */
export const HOME: Country = 'US';

/** The country code 1 has ten digits after it, always; of others lengths differ. */
export const E164 = /^\+(?:1\d{10}|[2-9]\d{6,14})$/;

/** Longer texts are no numbers. */
const LONGEST = 40;
/** Characters that cannot be seen come with numbers that are copied. */
const UNSEEN = /\p{Cf}/gu;
/** An apostrophe of a spreadsheet, the scheme of a link. */
const BEFORE = /^(?:'|tel:)+/i;
const WIDE = /[\uff01-\uff5e]/g;
const WIDER_BY = 0xfee0;
/** Characters that people write between digits: blanks, brackets, slashes, and every dash and dot. */
export const BETWEEN = String.raw`\s().\/\p{Pd}\u2212\u00b7\u2022\u2024\u2027\u2219\u22c5\u30fb`;
const BARE = /^\+?\d+$/;
const SEPARATORS = new RegExp(`[${BETWEEN}]`, 'gu');
/** Country codes behind which callers within the country dial something else than a zero: 8 in Russia, 06 in Hungary. */
const PREFIX_IS_NO_ZERO = new Set(['1', '7', '36', '375', '692', '993']);
const ZERO_IN_BRACKETS = /\(\s*0\s*\)/;
/** Prefixes for calls abroad: of most countries, and of those with +1. */
const ABROAD = /^00(?=[1-9])/;
const ABROAD_FROM_1 = /^011(?=[1-9]\d{6})/;

/**
 * Reads what people type and paste, and what other programs write, such as `(415) 555-0123`, `020 7946 0958` or
 * `+44 (0)20 7946 0958`. Returns the E.164 form, such as `+14155550123`; `undefined`: it is no number, or may be several.
 * Without a country code it is a number of `country`. An E.164 form is read as itself, whatever it is.
 */
export function readPhone(text: string, country: Country = HOME): string | undefined {
  const written = plainNumber(text);
  if (E164.test(written)) return written;
  const bare = written.replace(SEPARATORS, '');
  if (!BARE.test(bare)) return undefined;
  const abroad = getCountryCallingCode(country) === '1' ? ABROAD_FROM_1 : undefined;
  const prefix = /^\+/.exec(bare) ?? ABROAD.exec(bare) ?? abroad?.exec(bare);
  const number = prefix
    ? international(bare.slice(prefix[0].length), written)
    : national(bare, country);
  return number !== undefined && E164.test(number) ? number : undefined;
}

/** The reading of what people type to find a number: `whole`, its E.164 form, or no more than its last digits; `undefined`: something else. */
export function readDigits(text: string, country: Country = HOME) {
  const whole = readPhone(text, country);
  if (whole !== undefined) return { whole, digits: whole.slice(1) };
  const bare = plainNumber(text).replace(SEPARATORS, '');
  // A zero before a number is dialled within a country, and zeros abroad: no number begins with one behind its country code.
  return BARE.test(bare)
    ? { whole, digits: bare.replace('+', '').replace(/^0+(?=\d{7})/, '') }
    : undefined;
}

/** A number in the characters of a keyboard, and nothing around it; `''`: it is too long to be one. */
function plainNumber(text: string): string {
  if (text.length > LONGEST) return '';
  return text
    .replace(UNSEEN, '')
    .replace(WIDE, (one) => String.fromCharCode(one.charCodeAt(0) - WIDER_BY))
    .trim()
    .replace(BEFORE, '');
}

/** The digits behind a plus sign, without a zero for callers within the country: `+44 (0)20` is printed with it. */
function international(digits: string, written: string): string | undefined {
  const whole = `+${digits}`;
  const phone = parsePhoneNumberFromString(whole);
  if (phone === undefined) return whole;
  const { countryCallingCode: code, number } = phone;
  const rest = digits.slice(code.length);
  if (!rest.startsWith('0')) return number === whole ? whole : undefined;
  // Italy and some others have a zero that is dialled from abroad, too.
  if (number === whole && phone.isValid())
    return ZERO_IN_BRACKETS.test(written) ? undefined : whole;
  return PREFIX_IS_NO_ZERO.has(code) || rest.startsWith('00')
    ? undefined
    : `+${code}${rest.slice(1)}`;
}

/** With +1, area codes are not judged, but for their first digit: new ones come. */
function national(digits: string, country: Country): string | undefined {
  if (getCountryCallingCode(country) === '1') {
    const [, number] = /^1?([2-9]\d{9})$/.exec(digits) ?? [];
    return number && `+1${number}`;
  }
  const phone = parsePhoneNumberFromString(digits, country);
  return phone?.isValid() ? phone.number : undefined;
}

/** Numbers that were shown lately: screens show the same ones again. */
const MAX_SHOWN = 2_000;
const shown = new Map<string, string>();

/**
 * Shows a stored number to people at a home in `country`: one of the same numbering plan as it is dialled there, such as
 * `(415) 555-0123`, every other with + and its country code, such as `+47 22 12 34 56`. `readPhone` for the same country
 * reads what is shown as the number that it is. What is no E.164 form stays as it is.
 */
export function showPhone(number: string, country: Country = HOME): string {
  const key = `${country} ${number}`;
  const known = shown.get(key);
  if (known !== undefined) return known;
  if (shown.size >= MAX_SHOWN) shown.clear();
  const text = textOf(number, country);
  shown.set(key, text);
  return text;
}

function textOf(number: string, country: Country): string {
  const phone = E164.test(number) ? parsePhoneNumberFromString(number) : undefined;
  if (phone === undefined || phone.number !== number) return number;
  const isNear = phone.countryCallingCode === getCountryCallingCode(country);
  const ways = [...(isNear ? [phone.formatNational()] : []), phone.formatInternational()];
  return ways.find((text) => readPhone(text, country) === number) ?? number;
}

/** The country whose number it is, where one is known. */
export function countryOf(number: string): Country | undefined {
  return parsePhoneNumberFromString(number)?.country;
}

/** Whether it has as many digits as numbers have that begin so. */
export function isComplete(number: string | undefined): boolean {
  if (number === undefined) return false;
  return number.startsWith('+1') || parsePhoneNumberFromString(number)?.isValid() === true;
}
