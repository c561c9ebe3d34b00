/**
 * How texts are compared: what reads the same is the same, however it was typed, pasted or scanned. Search, quick
 * looks, privacy requests, files and marks all compare by `foldText`; stored keys that lists are ordered by have
 * `firstFolding`. Unicode's own properties say what is a dash, a blank and unseen.
 */
import { plainLetters } from './letters.ts';
import { normalized } from './spelling.ts';

/** Characters that nobody sees: joiners, soft hyphens, marks of direction, variation selectors, byte order marks, controls. */
const UNSEEN = /(?!\p{White_Space})[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
/** Unicode has no property for what stands for an apostrophe: single quotation marks, modifier letters, primes, accents alone. */
const APOSTROPHES =
  /['`\u00b4\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u1fbd\u1fef\u1ffd\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07]/g;
/** Accents alone, which are a blank with marks, too (NFKD). */
const ACCENTS =
  /[\u00a8\u00af\u00b8\u02d8-\u02dd\u037a\u0384\u0385\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed\u1fee\u1ffe\u2017\u203e\u309b\u309c\ufc5e-\ufc63\ufe49-\ufe4c\ufe70-\ufe7e\uffe3]/g;
/** An apostrophe so: a blank with an acute accent or a smooth breathing, whatever other marks it has. */
const BLANK_ACCENTS = / [\p{M}\uff9e\uff9f]*?[\u0301\u0313\u0341\u0343\u0344]/gu;
const QUOTES = /(?!')\p{Quotation_Mark}/gu;
const DASHES = /[\p{Dash}\u2043\u02d7]/gu;
/** White space of Unicode, and the blank of Braille. */
const BLANKS = /[\p{White_Space}\u2800]/gu;
const DIGIT = /(?![0-9])\p{Nd}/gu;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * The text in small plain letters: without marks and what is unseen (NFKD), with one kind of dash, blank, apostrophe,
 * quotation mark and digit. `Đặng` is `dang`, `Nuʻu` is `nu'u`, and a non-breaking hyphen is `-`. Folding it again
 * changes nothing.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll('`', "'");
  // Marks go before they are put in order, too: that takes time by the square of how many stand together.
  const plain = signs(text).replace(/\p{M}/gu, '').normalize('NFKD');
  return plainLetters(signs(plain).replace(/\p{M}/gu, '').toLowerCase()).replace(DIGIT, digit);
}

/** The signs of a text, each kind as one; without what is unseen. An accent alone is a sign, and not a mark. */
function signs(text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(DASHES, '-')
    .replace(BLANKS, ' ')
    .replace(ACCENTS, (one) => one.normalize('NFKD'))
    .replace(BLANK_ACCENTS, "'");
}

/** Digits of a script stand together in Unicode, from zero to nine. */
function digit(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** The text as it is seen: without what is unseen, and without blanks around it; blanks within are single. */
export function seenText(text: string): string {
  return text.replace(UNSEEN, '').replace(BLANKS, ' ').replace(/ +/g, ' ').trim();
}

/** Names and words as they are compared: folded, without blanks around them and with single ones within. */
export function sameText(text: string): string {
  return seenText(foldText(text));
}

/** The marks that mail programs and address books put around an address. */
const WRAPPED = /<([^<>]*)>[\s,;.]*$/;
const AROUND = new Set(' "\'<>()[]{},;:');

/** An email address in one form, without blanks and marks around it: `"Jane" <Jane@Example.com>` is `jane@example.com`. */
export function foldAddress(text: string): string {
  if (PLAIN_ADDRESS.test(text)) return text;
  const seen = seenText(normalized(text, 'NFKC'));
  const wrapped = WRAPPED.exec(seen)?.[1] ?? '';
  const within = bare(wrapped.includes('@') ? wrapped : seen).replace(/^mailto:/i, '');
  return bare(normalized(within.toLowerCase(), 'NFKC'));
}

/** Character by character, since an expression for the end of a text takes time by the square of its length. */
function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && AROUND.has(text.charAt(from))) from += 1;
  while (from < to && (AROUND.has(text.charAt(to - 1)) || text.charAt(to - 1) === '.')) to -= 1;
  return text.slice(from, to);
}

const PLAIN_ADDRESS = /^[a-z0-9][a-z0-9._%+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

const ESCAPE = /\\(?:[bfnrt]|u([0-9a-f]{4}))/gi;

/** JSON or CSV for reading: folded and without apostrophes, with what JSON escapes. */
export function plainText(text: string): string {
  const read = text.includes('\\')
    ? text.replace(ESCAPE, (_, code?: string) =>
        code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
  return withoutApostrophes(foldText(read));
}

/** A folded text in which `o'brien` is `obrien`. */
export function withoutApostrophes(folded: string): string {
  return folded.replaceAll("'", '');
}
