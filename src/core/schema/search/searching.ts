/**
 * Search terms: those stored for a document, those that a query looks for among them, and the
 * fields of a record that match the query.
 */
import { BETWEEN, type Country, HOME, readDigits } from '../phones/numbers.ts';
import type { RecordShape, SearchedField } from '../shape.ts';
import { type JsonObject, valueAt } from '../values.ts';
import { foldAddress, foldText, seenText } from './folding.ts';
import { NEAR_LENGTH, spellings, startsNearly } from './spelling.ts';
import { joined, joinedIn, partedOf } from './together.ts';
import { firstWordsOf, innerWordsOf, wordsOf } from './words.ts';

/**
 * The most words that are stored of a field, and of all fields of a record, which each have an equal share: what is
 * long crowds out no words but its own. With the length of words, this keeps terms within an index entry of PostgreSQL.
 */
const FIELD_WORDS = 12;
const RECORD_WORDS = 24;
/** The words of a query that count. */
const QUERY_WORDS = 6;
/** How many of a query's words are each looked up on their own. */
const WHOLE_RANGES = 3;
/** How many of a query's words may be misspelt, and how many letters of the others must be right. */
const NEAR_WORDS = 2;
const NEAR_BESIDE = 3;
/** Fewer digits match too many records. */
const MIN_DIGITS = 4;
const MAX_DIGITS = 15;

/** To be raised when the terms of documents change: an index of another version is rebuilt. */
export const TERMS_VERSION = 4;

/** The ways to read the text of a search. */
export type SearchText = ReturnType<typeof readSearchText>;

/** Phone numbers without a country code are those of `country`. */
export function readSearchText(text: string, country: Country = HOME) {
  const identifier = text.trim();
  const folded = seenText(foldText(text));
  const address = foldAddress(text);
  const words = queryWords(wordsOf(text));
  const first = queryWords(firstWordsOf(text));
  return {
    named: namedNumber(folded, country),
    /** Each starts a word of the record; folded. */
    words,
    /** The words by the folding of 1.0 where they differ: an index that is being made again still has them. */
    first: first.join(' ') === words.join(' ') ? [] : first,
    /** A phone number, or its last digits. */
    number: typedNumber(folded, country),
    email: isEmail(address) ? address : undefined,
    /** The whole text: the caller's own identifier, or one of ours. */
    identifier,
  };
}

/** The words that count. A word that another one begins with says nothing more. */
function queryWords(all: readonly string[]): readonly string[] {
  const folded = [...new Set(all)];
  // In their order, a word stands before those that begin with it.
  const ordered = folded.toSorted((one, other) => (one < other ? -1 : 1));
  const begun = new Set(ordered.filter((word, at) => ordered[at + 1]?.startsWith(word)));
  return folded.filter((word) => !begun.has(word)).slice(0, QUERY_WORDS);
}

/** A character with which people write numbers. */
const OF_NUMBER = new RegExp(`[\\d+\\p{Cf}${BETWEEN}]`, 'u');

/** Words, and behind them a phone number or its last digits; `undefined`: it is not both. */
function namedNumber(whole: string, country: Country) {
  let end = whole.length;
  while (end > 0 && OF_NUMBER.test(whole.charAt(end - 1))) end -= 1;
  const written = whole.slice(end);
  const words = /^\s/.test(written) ? wordsOf(whole.slice(0, end)).slice(0, QUERY_WORDS) : [];
  const number = typedNumber(written, country);
  return words.length === 0 || number === undefined ? undefined : { words, number };
}

/** A phone number, or the digits at its end. */
interface TypedNumber {
  /** The very last first. */
  readonly digits: string;
  /** The E.164 form, where all of it was typed. */
  readonly whole: string | undefined;
}

function typedNumber(text: string, country: Country): TypedNumber | undefined {
  const read = readDigits(text, country);
  if (read === undefined || read.digits.length < MIN_DIGITS || read.digits.length > MAX_DIGITS)
    return undefined;
  return { whole: read.whole, digits: reverse(read.digits) };
}

function isNumber(value: string, { digits, whole }: TypedNumber): boolean {
  return whole === undefined ? reversedDigits(value).startsWith(digits) : value === whole;
}

/** Whether it is one word, with an `@` inside. */
function isEmail(text: string): boolean {
  return !/\s/.test(text) && text.slice(1, -1).includes('@');
}

/** A range of terms, and parts that matching terms must also contain. */
export interface TermRange {
  readonly from: string;
  readonly to: string;
  readonly holding: readonly string[];
}

/** Where the terms of what meets a query are. A record with a term of any of the ranges meets it. */
export interface TermRanges {
  /** Each has a term of every record that meets the query: one that is looked through to its end is enough. */
  readonly whole: readonly TermRange[];
  /** Short ones, with terms of most: looked through where all of the others are too long. */
  readonly likely: readonly TermRange[];
}

/** Where the terms of the resource's records are that meet the query: one for each way to read it. */
export function rangesOf(
  shape: RecordShape,
  { words, first, number, named, email }: SearchText,
): TermRanges[] {
  const ranges: TermRanges[] = [];
  const range = (kind: Kind, text: string, holding: readonly string[] = []): TermRange => {
    const from = termOf(shape, kind, text);
    return { from, to: endOf(from), holding };
  };
  if (number !== undefined && searches(shape, 'digits'))
    ranges.push({ whole: [range('digits', number.digits)], likely: [] });
  if (named !== undefined && searches(shape, 'digits'))
    ranges.push({ whole: [range('digits', named.number.digits)], likely: [] });
  if (email !== undefined && searches(shape, 'email')) {
    const from = termOf(shape, 'email', email);
    ranges.push({ whole: [{ from, to: `${from}\u0001`, holding: [] }], likely: [] });
  }
  for (const some of [words, first])
    if (some.length > 0 && searches(shape, 'words')) ranges.push(...wordRanges(some, range));
  return ranges;
}

function wordRanges(
  words: readonly string[],
  range: (kind: 'words', text: string, holding: readonly string[]) => TermRange,
): TermRanges[] {
  const beside = (...some: readonly string[]) =>
    words.filter((word) => !some.includes(word)).map((word) => ` ${word}`);
  // The longest words are mostly the rarest, and their ranges the shortest.
  const longest = words.toSorted((one, other) => other.length - one.length);
  return [
    {
      whole: longest.slice(0, WHOLE_RANGES).map((word) => range('words', word, beside(word))),
      likely: neighbours(words).map(([one, next]) =>
        range('words', `${one} ${next}`, beside(one, next)),
      ),
    },
    ...joinedIn(words).map((one) => ({
      whole: [range('words', one.whole, beside(...one.parts))],
      likely: [],
    })),
  ];
}

/** After everything that has the start. */
export function endOf(start: string): string {
  return `${start}\u{10ffff}`;
}

/** Starts of terms, and parts that matching terms must also contain. */
export interface NearStarts {
  readonly starts: readonly string[];
  readonly holding: readonly string[];
}

/**
 * Where the terms of records are that nearly meet the query: a word of five and more letters in it may have one
 * letter wrong. Every other spelling of such a word is looked for by itself, and of its other words the first letters.
 */
export function nearStartsOf(
  shape: RecordShape,
  { words, email }: SearchText,
): readonly NearStarts[] {
  if (email !== undefined || !searches(shape, 'words')) return [];
  return words
    .filter((word) => [...word].length >= NEAR_LENGTH && !/\p{N}/u.test(word))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, NEAR_WORDS)
    .map((word) => {
      const others = words.filter((one) => one !== word);
      const [beside] = others;
      const spelled = [...partedOf(word), ...spellings(word)];
      // With a neighbouring word, whole names are found even among many that begin alike.
      const both = beside === undefined ? [] : spelled.map((one) => `${one} ${firstOf(beside)}`);
      return {
        starts: [...both, ...spelled].map((one) => termOf(shape, 'words', one)),
        holding: others.map((one) => ` ${firstOf(one)}`),
      };
    });
}

/** The start of a word that is looked up next to another: it may have a wrong letter further on. */
function firstOf(word: string): string {
  return [...word].length < NEAR_LENGTH ? word : [...word].slice(0, NEAR_BESIDE).join('');
}

/**
 * Words that follow each other in a name: as they were typed, or the other way
 * round. The last one and the first do, too, since terms go on from the start of the name.
 */
function neighbours(words: readonly string[]): (readonly [string, string])[] {
  const pairs = words.flatMap((one, at) => {
    const next = words[(at + 1) % words.length];
    return next === undefined || next === one ? [] : [[one, next] as const, [next, one] as const];
  });
  return words.length === 2 ? pairs.slice(0, 2) : pairs;
}

/**
 * The terms of a record. Words stand in a term for each of them that begins with it and goes on with the others, so
 * that a range of terms finds those with several words. Digits are reversed.
 */
export function termsOf(shape: RecordShape, document: JsonObject): readonly string[] {
  const { words, inner, cut } = recordWords(shape, document);
  const begun = [
    ...words.map((_, at) => [...words.slice(at), ...words.slice(0, at), ...inner]),
    ...inner.map((word) => [word, ...words, ...inner.filter((one) => one !== word)]),
  ];
  return [
    ...begun.map((some) => termOf(shape, 'words', some.join(' '))),
    ...new Set(
      valuesOf(shape, document, 'digits').map(({ value }) =>
        termOf(shape, 'digits', reversedDigits(value)),
      ),
    ),
    ...new Set(
      valuesOf(shape, document, 'email').map(({ value }) =>
        termOf(shape, 'email', foldAddress(value)),
      ),
    ),
    ...(cut ? [`${CUT}${shape.prefix}`] : []),
  ];
}

/** A field of a record that meets a query. */
export interface Match {
  readonly param: string;
  readonly value: string;
}

/** Which fields of the record meet the query; none: the record does not. */
export function matchesOf(
  shape: RecordShape,
  document: JsonObject,
  identifiers: { readonly unique_identifier: string; readonly external_identifier: string | null },
  { words, number, email, identifier, named }: SearchText,
): readonly Match[] {
  const matches: Match[] = [];
  for (const param of ['unique_identifier', 'external_identifier'] as const) {
    if (identifiers[param] === identifier) matches.push({ param, value: identifier });
  }
  for (const { param, value } of valuesOf(shape, document, 'email')) {
    if (foldAddress(value) === email) matches.push({ param, value });
  }
  for (const { param, value } of valuesOf(shape, document, 'digits')) {
    if (number !== undefined && isNumber(value, number)) matches.push({ param, value });
  }
  const startsWith = (one: string, word: string): boolean => one.startsWith(word);
  if (named !== undefined) {
    const numbers = valuesOf(shape, document, 'digits').filter(({ value }) =>
      isNumber(value, named.number),
    );
    const names = wordMatches(shape, document, named.words, startsWith);
    if (numbers.length > 0 && names.length > 0) return [...names, ...numbers];
  }
  return [...matches, ...wordMatches(shape, document, words, startsWith)];
}

/** Which fields of the record meet the query if one letter of its longer words may be another, too many or too few. */
export function nearMatchesOf(
  shape: RecordShape,
  document: JsonObject,
  { words }: SearchText,
): readonly Match[] {
  return wordMatches(shape, document, words, (one, word) =>
    [...word].length < NEAR_LENGTH ? one.startsWith(word) : startsNearly(one, word),
  );
}

function wordMatches(
  shape: RecordShape,
  document: JsonObject,
  words: readonly string[],
  meets: (one: string, word: string) => boolean,
): readonly Match[] {
  if (words.length === 0) return [];
  const stored = recordWords(shape, document);
  const all = [...stored.words, ...stored.inner];
  const values = valuesOf(shape, document, 'words');
  // Several words that may be written as one, in the record or in what was typed.
  const runs = values.flatMap(({ value }) => joined(wordsOf(value)));
  const pairs = joinedIn(words);
  const isMet = (word: string): boolean =>
    all.some((one) => meets(one, word)) ||
    ([...word].length >= NEAR_LENGTH && runs.some((run) => run.startsWith(word))) ||
    pairs.some(
      ({ whole, parts }) => parts.includes(word) && all.some((one) => one.startsWith(whole)),
    );
  if (!words.every(isMet)) return [];
  return values.filter(({ value }) => {
    const own = [...wordsOf(value), ...innerWordsOf(value)];
    const run = joined(wordsOf(value));
    return (
      words.some((word) => [...own, ...run].some((one) => meets(one, word))) ||
      pairs.some(({ whole }) => own.some((one) => one.startsWith(whole)))
    );
  });
}

/** Begins the term of a record that is found by the first words of a long text only, so that they can be counted. */
export const CUT = 'cut:';

/** Kinds of stored terms, so that they do not mix. */
const KINDS = { words: 'w', digits: 'd', email: 'e' } as const;
type Kind = keyof typeof KINDS;

function termOf({ prefix }: RecordShape, kind: Kind, text: string): string {
  return `${prefix}${KINDS[kind]}:${text}`;
}

function searches({ searched }: RecordShape, as: SearchedField['as']): boolean {
  return searched?.some((field) => field.as === as) ?? false;
}

/** How many words of each field are stored. */
function shareOf({ searched = [] }: RecordShape): number {
  const fields = searched.filter(({ as }) => as === 'words').length;
  return Math.min(FIELD_WORDS, Math.floor(RECORD_WORDS / Math.max(1, fields)));
}

interface RecordWords {
  readonly words: readonly string[];
  /** Words that stand after an apostrophe. */
  readonly inner: readonly string[];
  /** Whether a field has more than are stored. */
  readonly cut: boolean;
}

/** The first words of each field that is searched by words, each word once. */
function recordWords(shape: RecordShape, document: JsonObject): RecordWords {
  const words = new Set<string>();
  const inner = new Set<string>();
  const share = shareOf(shape);
  let cut = false;
  for (const { value } of valuesOf(shape, document, 'words')) {
    const own = new Set(wordsOf(value));
    const within = new Set(innerWordsOf(value)).difference(own);
    for (const word of [...own].slice(0, share)) words.add(word);
    for (const word of [...within].slice(0, Math.max(0, share - own.size))) inner.add(word);
    cut ||= own.size + within.size > share;
  }
  return { words: [...words], inner: [...inner.difference(words)], cut };
}

function valuesOf(
  { searched = [] }: RecordShape,
  document: JsonObject,
  as: SearchedField['as'],
): readonly Match[] {
  return searched
    .filter((field) => field.as === as)
    .flatMap(({ name, path }) => {
      const value = valueAt(document, path);
      return typeof value === 'string' ? [{ param: name, value }] : [];
    });
}

function reversedDigits(value: string): string {
  return reverse(value.replace(/\D/g, ''));
}

function reverse(text: string): string {
  return [...text].reverse().join('');
}
