/**
 * Search terms: those stored for a document, those that a query looks for among them, and the
 * fields of a record that match the query.
 */
import type { RecordShape, SearchedField } from '../shape.ts';
import { type JsonObject, valueAt } from '../values.ts';
import { foldText, NEAR_LENGTH, spellings, startsNearly } from './spelling.ts';

/** Limits on the words stored for a record, the characters of each, and the words of a query that count. */
const MAX_WORDS = 12;
const WORD_LENGTH = 32;
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
export const TERMS_VERSION = 2;

/** The ways to read the text of a search. */
export type SearchText = ReturnType<typeof readSearchText>;

export function readSearchText(text: string) {
  const identifier = text.trim();
  const folded = [...new Set(wordsOf(text))];
  // In their order, a word stands before those that begin with it.
  const ordered = folded.toSorted((one, other) => (one < other ? -1 : 1));
  const begun = new Set(ordered.filter((word, at) => ordered[at + 1]?.startsWith(word)));
  const words = folded.filter((word) => !begun.has(word)).slice(0, QUERY_WORDS);
  return {
    named: namedNumber(text),
    /** Each starts a word of the record; folded. */
    words,
    /** The last digits of a phone number, the very last first. */
    digits: /^[\d\s()+./-]+$/.test(identifier) ? typedDigits(identifier) : undefined,
    email: isEmail(identifier) ? identifier.toLowerCase() : undefined,
    /** The whole text: the caller's own identifier, or one of ours. */
    identifier,
  };
}

/** A character with which people write numbers. */
const OF_NUMBER = /[\d\s().-]/;

/** Words, and behind them the last digits of a phone number; `undefined`: it is not both. */
function namedNumber(text: string) {
  const whole = text.trim();
  let end = whole.length;
  while (end > 0 && OF_NUMBER.test(whole.charAt(end - 1))) end -= 1;
  const number = whole.slice(end);
  const words = /^\s/.test(number) ? wordsOf(whole.slice(0, end)).slice(0, QUERY_WORDS) : [];
  const digits = typedDigits(number);
  return words.length === 0 || digits === undefined ? undefined : { words, digits };
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
export function rangesOf(shape: RecordShape, { words, digits, named }: SearchText): TermRanges[] {
  const ranges: TermRanges[] = [];
  const range = (kind: Kind, text: string, holding: readonly string[] = []): TermRange => {
    const from = termOf(shape, kind, text);
    return { from, to: endOf(from), holding };
  };
  if (digits !== undefined && searches(shape, 'digits'))
    ranges.push({ whole: [range('digits', digits)], likely: [] });
  if (named !== undefined && searches(shape, 'digits'))
    ranges.push({ whole: [range('digits', named.digits)], likely: [] });
  if (words.length > 0 && searches(shape, 'words')) {
    const beside = (...some: readonly string[]) =>
      words.filter((word) => !some.includes(word)).map((word) => ` ${word}`);
    // The longest words are mostly the rarest, and their ranges the shortest.
    const longest = words.toSorted((one, other) => other.length - one.length);
    ranges.push({
      whole: longest.slice(0, WHOLE_RANGES).map((word) => range('words', word, beside(word))),
      likely: neighbours(words).map(([one, next]) =>
        range('words', `${one} ${next}`, beside(one, next)),
      ),
    });
    for (const one of joinedIn(words))
      ranges.push({
        whole: [range('words', one.whole, beside(...one.parts))],
        likely: [],
      });
  }
  return ranges;
}

/** How long a word is that may be written with the next one as one, such as the particle of a name. */
const PARTICLE = 3;

/** Neighbours that may be one word in a record: `st clair` in `StClair`. */
function joinedIn(words: readonly string[]) {
  return words.flatMap((one, at) => {
    const next = words[at + 1];
    return next === undefined || [...one].length > PARTICLE || !isWord(one) || !isWord(next)
      ? []
      : [{ whole: one + next, parts: [one, next] }];
  });
}

/** Ways in which a word may be several in a record: `stclair` is `st clair`, and `delacruz` is `de la cruz`. */
function partedOf(word: string): readonly string[] {
  const letters = [...word];
  const cuts = letters.flatMap((_, at) => (at >= 2 && at <= letters.length - 2 ? [at] : []));
  const part = (...at: readonly number[]): string =>
    [0, ...at].map((from, index) => letters.slice(from, at[index]).join('')).join(' ');
  return cuts.flatMap((one) => [
    part(one),
    ...cuts.flatMap((other) =>
      one <= PARTICLE && other - one >= 2 && other - one <= PARTICLE ? [part(one, other)] : [],
    ),
  ]);
}

function isWord(text: string): boolean {
  return !/\p{N}/u.test(text);
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
  const { words, inner } = recordWords(shape, document);
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
  { words, digits, email, identifier, named }: SearchText,
): readonly Match[] {
  const matches: Match[] = [];
  for (const param of ['unique_identifier', 'external_identifier'] as const) {
    if (identifiers[param] === identifier) matches.push({ param, value: identifier });
  }
  for (const { param, value } of valuesOf(shape, document, 'email')) {
    if (value.toLowerCase() === email) matches.push({ param, value });
  }
  for (const { param, value } of valuesOf(shape, document, 'digits')) {
    if (digits !== undefined && reversedDigits(value).startsWith(digits))
      matches.push({ param, value });
  }
  const startsWith = (one: string, word: string): boolean => one.startsWith(word);
  if (named !== undefined) {
    const numbers = valuesOf(shape, document, 'digits').filter(({ value }) =>
      reversedDigits(value).startsWith(named.digits),
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
  const all = Object.values(recordWords(shape, document)).flat();
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

/** Neighbouring words of a value, as if they were one. */
function joined(words: readonly string[]): readonly string[] {
  return words.slice(0, -1).map((_, at) => words.slice(at, at + 3).join(''));
}

/** Kinds of stored terms, so that they do not mix. */
const KINDS = { words: 'w', digits: 'd' } as const;
type Kind = keyof typeof KINDS;

function termOf({ prefix }: RecordShape, kind: Kind, text: string): string {
  return `${prefix}${KINDS[kind]}:${text}`;
}

function searches({ searched }: RecordShape, as: SearchedField['as']): boolean {
  return searched?.some((field) => field.as === as) ?? false;
}

/** The words of all fields that are searched by words, each once; and those that stand in them after an apostrophe. */
function recordWords(
  shape: RecordShape,
  document: JsonObject,
): { readonly words: readonly string[]; readonly inner: readonly string[] } {
  const values = valuesOf(shape, document, 'words');
  const words = [...new Set(values.flatMap(({ value }) => wordsOf(value)))].slice(0, MAX_WORDS);
  const inner = new Set(values.flatMap(({ value }) => innerWordsOf(value)));
  return {
    words,
    inner: [...inner].filter((word) => !words.includes(word)).slice(0, MAX_WORDS - words.length),
  };
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

const APOSTROPHES = /['’ʼ`]/g;
/** After an apostrophe; what is shorter is an ending. */
const INNER = /(?<=[\p{L}\p{N}]['’ʼ`])[\p{L}\p{N}]{3,}/gu;

/** `O’Brien` is found as `brien`, too. */
function innerWordsOf(text: string): string[] {
  return foldText(text).match(INNER)?.map(cut) ?? [];
}

/** Without marks and in lower case; an apostrophe does not split a word, so that `O’Brien` is found as `obrien` too. */
function wordsOf(text: string): string[] {
  return foldText(text)
    .replace(APOSTROPHES, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(cut);
}

function cut(word: string): string {
  return [...word].slice(0, WORD_LENGTH).join('');
}

/** Leading zeros are a prefix for calls abroad, and not part of the number. */
function typedDigits(text: string): string | undefined {
  const digits = text.replace(/\D/g, '').replace(/^0+(?=\d{7})/, '');
  return digits.length < MIN_DIGITS || digits.length > MAX_DIGITS ? undefined : reverse(digits);
}

function reversedDigits(value: string): string {
  return reverse(value.replace(/\D/g, ''));
}

function reverse(text: string): string {
  return [...text].reverse().join('');
}
