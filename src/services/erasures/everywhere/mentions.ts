/** Finds a person's details in any text: names by word, phone numbers in any notation, other texts exactly. */
import type { Resource } from '../../../core/schema/define.ts';
import { type Country, HOME } from '../../../core/schema/phones/numbers.ts';
import { phoneFinder } from '../../../core/schema/phones/texts.ts';
import {
  foldAddress,
  foldText,
  plainText,
  withoutApostrophes,
} from '../../../core/schema/search/folding.ts';
import { type JsonObject, valueAt } from '../../../core/schema/values.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';

export interface Details {
  readonly names: readonly string[];
  readonly phones: readonly string[];
  /** Email addresses and identifiers. */
  readonly texts: readonly string[];
}

export const NO_DETAILS: Details = { names: [], phones: [], texts: [] };

/** Opens sealed details; returns `undefined` if there are none, or no key opens them. */
export function opened(
  sealer: Sealer | undefined,
  sealed: string | null,
  name: string,
): Details | undefined {
  if (sealer === undefined || sealed === null) return undefined;
  try {
    return JSON.parse(sealer.open(sealed, name));
  } catch {
    return undefined;
  }
}

const WORD = /[\p{L}\p{N}]+/gu;
/** The fewest characters to look for: shorter texts are in other people's records, too. */
const MIN_TEXT = 5;
/** The most words between those of a name, such as an initial. */
const BETWEEN = 2;
/** The most alternatives of an expression: with more, comparing word by word is faster. */
const MAX_ALTERNATIVES = 100;

export function knownOf(
  { shape, display }: Resource,
  document: JsonObject,
  external_identifier: string,
): Details {
  const { searched = [] } = shape;
  const title = searched.filter(({ name }) => name === display.title[0]).map(({ path }) => path);
  const of = (as: 'digits' | 'email') =>
    searched.filter((one) => one.as === as).map(({ path }) => path);
  const values = (paths: readonly (readonly string[])[]) =>
    paths.map((path) => valueAt(document, path)).filter((value) => typeof value === 'string');
  return {
    names: values(title),
    phones: values(of('digits')),
    texts: [external_identifier, ...values(of('email'))],
  };
}

export function joined(all: readonly Details[]): Details {
  return {
    names: all.flatMap(({ names }) => names),
    phones: all.flatMap(({ phones }) => phones),
    texts: all.flatMap(({ texts }) => texts),
  };
}

/** A test whether a text mentions any of the details. */
export interface Mentions {
  (text: string): boolean;
  /** Matches every text that mentions a detail, and few others; `undefined` if there are too many details. */
  readonly rough: RegExp | undefined;
}

/**
 * Returns a test whether a text, which may be JSON or CSV, mentions any of the details. Names of fewer words than
 * `leastWords` are ignored: names of one word are in other people's records, too. Phone numbers without a country code
 * are read as those of `country`.
 */
export function mentionsOf(
  known: Details,
  {
    leastWords = 2,
    country = HOME,
  }: { readonly leastWords?: number; readonly country?: Country } = {},
): Mentions {
  const names = new Map<string, (readonly string[])[]>();
  for (const name of known.names) {
    const words = plainName(name).match(WORD) ?? [];
    const longest = words.toSorted((one, other) => other.length - one.length)[0];
    if (longest !== undefined && words.length >= leastWords)
      names.getOrInsertComputed(longest, () => []).push(words);
  }
  const texts = new Map<string, string[]>();
  for (const text of known.texts.map(plainDetail)) {
    const [first] = text.match(WORD) ?? [];
    if (first === undefined || text.length < MIN_TEXT) continue;
    texts.getOrInsertComputed(first, () => []).push(text.slice(text.indexOf(first)));
  }
  const phones = phoneFinder(known.phones, country);
  const rough = roughly([...names.keys()], [...texts.values()].flat(), phones.rough);
  const hasWords = (text: string): boolean => {
    if (names.size + texts.size === 0) return false;
    const found = [...text.matchAll(WORD)];
    return found.some(({ 0: word, index }, at) => {
      const starts = texts.get(word)?.some((one) => isWhole(text, one, index));
      if (starts) return true;
      return names.get(word)?.some((words) => {
        const reach = words.length - 1 + BETWEEN;
        const near = found.slice(Math.max(0, at - reach), at + reach + 1).map(([one]) => one);
        return words.every((one) => near.includes(one));
      });
    });
  };
  const mentions = (text: string): boolean => {
    const plain = plainText(text);
    if (rough !== undefined && !rough.test(plain)) return false;
    return phones.isIn(plain) || hasWords(plain);
  };
  return Object.assign(mentions, { rough });
}

function roughly(words: readonly string[], texts: readonly string[], phones: readonly string[]) {
  const all = [...words, ...texts.map(RegExp.escape), ...phones];
  if (all.length > MAX_ALTERNATIVES) return undefined;
  return new RegExp(all.length === 0 ? '(?!)' : all.join('|'), 'u');
}

/** As `plainText` has it in texts. */
const plainName = (name: string): string => withoutApostrophes(foldText(name));

/** An email address without what stands around it, or an identifier. */
function plainDetail(text: string): string {
  return plainName(text.includes('@') ? foldAddress(text) : text).trim();
}

/** Returns whether `text` has `one` at this index, not followed by more of a word. */
function isWhole(text: string, one: string, at: number): boolean {
  return (
    text.startsWith(one, at) &&
    !/^[\p{L}\p{N}]/u.test(text.slice(at + one.length, at + one.length + 2))
  );
}
