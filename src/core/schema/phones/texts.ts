/** Finds phone numbers in texts, as people write them there. */
import { BETWEEN, type Country, countryOf, HOME, isComplete, readPhone } from './numbers.ts';

/** Characters that stand between two digits of one number, and is not seen or separates them. */
const GAP = String.raw`[${BETWEEN}\p{Cf}]{0,4}`;
/** Digits that may be one number or several, and the sign before them. */
const RUN = new RegExp(String.raw`\+?[(\s]{0,2}\d(?:${GAP}\d){6,}`, 'gu');
/** Digits together, with the sign before them. */
const TOGETHER = /(?:\+[(\s]{0,2})?\d(?:\p{Cf}*\d)*/gu;
/** The fewest and the most digits of a number, with prefixes. */
const LEAST = 7;
const MOST = 20;
/** How much is read of one run. A text with more than that is named rather than passed over: somebody looks at it. */
const MOST_READ = 2_000;
/** These are compared first, since reading a number takes longer: prefixes change what stands before them alone. */
const LAST = 6;
/** The most alternatives in the expression that rules out most texts. */
const ROUGH = 4;

export interface PhoneFinder {
  readonly isIn: (text: string) => boolean;
  /** Regular expressions with the flag `u`: one of them matches each text that has one of the numbers. */
  readonly rough: readonly string[];
}

/**
 * Finds these numbers, in E.164 form, in texts. One that is written without a country code is a number of `country`;
 * where it cannot be one there, it is of the country of the number that is looked for.
 */
export function phoneFinder(numbers: readonly string[], country: Country = HOME): PhoneFinder {
  const ends = new Map<string, { readonly number: string; readonly of: Country | undefined }[]>();
  for (const number of new Set(numbers)) {
    const digits = number.replace(/\D/g, '');
    if (digits.length < LEAST) continue;
    const end = digits.slice(-LAST);
    ends.set(end, [...(ends.get(end) ?? []), { number, of: countryOf(number) }]);
  }
  const hasEnd = (run: string): boolean => {
    let digits = '';
    for (const [text] of run.matchAll(TOGETHER)) {
      digits = (digits + text.replace(/\D/g, '')).slice(-LAST);
      if (ends.has(digits)) return true;
    }
    return false;
  };
  const hasOne = (run: string): boolean => {
    const wholes: Candidate[] = [];
    const others: Candidate[] = [];
    let read = 0;
    for (const one of candidatesIn(run)) {
      if (read >= MOST_READ) return true;
      read += 1;
      const number = readPhone(one.written, country);
      if (number === undefined) others.push(one);
      else if (ends.get(number.slice(-LAST))?.some((wanted) => wanted.number === number))
        return true;
      else wholes.push(one);
    }
    // A part of a number of this country is no number of another one.
    return others.some(
      ({ first, last, written, end }) =>
        !wholes.some((whole) => whole.first <= first && last <= whole.last) &&
        ends.get(end)?.some(({ number, of }) => of && readPhone(written, of) === number),
    );
  };
  return {
    isIn: (text) => {
      if (ends.size === 0) return false;
      for (const [run] of text.matchAll(RUN)) if (hasEnd(run) && hasOne(run)) return true;
      return false;
    },
    rough: [...ends.keys()].map((end) => [...end.slice(-ROUGH)].join(GAP)),
  };
}

/** Digits of a run that may be a number: from one part to another. */
interface Candidate {
  readonly first: number;
  readonly last: number;
  readonly written: string;
  /** Its last digits. */
  readonly end: string;
}

/** Gives what may be a number in a run of digits: those that stand together, alone or with those that follow. */
function* candidatesIn(run: string): Generator<Candidate> {
  const parts = [...run.matchAll(TOGETHER)].map(({ 0: text, index: from }) => ({
    ...{ from, to: from + text.length, digits: text.replace(/\D/g, '') },
  }));
  for (let first = 0; first < parts.length; first += 1) {
    const { from = 0 } = parts[first] ?? {};
    const isAbroad = /^(?:\+|00)/.test(run.slice(from, from + 2));
    let digits = '';
    let end: number | undefined;
    for (let last = first; last < parts.length; last += 1) {
      const { digits: more = '', to = 0 } = parts[last] ?? {};
      digits += more;
      if (digits.length > MOST) break;
      if (digits.length < LEAST) continue;
      const written = run.slice(from, to);
      yield { first, last, written, end: digits.slice(-LAST) };
      if (isAbroad && end === undefined && isComplete(readPhone(written))) end = last;
    }
    // What stands behind a country code is no number of its own.
    first = end ?? first;
  }
}
