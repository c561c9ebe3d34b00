/** Words that may be written as one, and one that may be written as several. */
import { isLetter } from './words.ts';

/** How long a word is that may be written with the next one as one, such as the particle of a name. */
const PARTICLE = 3;
/** How many words may be one, unless all are letters. */
const MOST_JOINED = 3;

/** Neighbours that may be one word in a record: `st clair` in `StClair`, `van den berg` in `vandenBerg`, `j r r` in `JRR`. */
export function joinedIn(words: readonly string[]) {
  return words.flatMap((_, from) =>
    words.slice(from + 1).flatMap((_, more) => {
      const parts = words.slice(from, from + more + 2);
      const isName =
        parts.length <= MOST_JOINED &&
        parts.every(isWord) &&
        parts.slice(0, -1).every((one) => [...one].length <= PARTICLE);
      return isName || parts.every(isLetter) ? [{ whole: parts.join(''), parts }] : [];
    }),
  );
}

/** Ways in which a word may be several in a record: `stclair` is `st clair`, and `delacruz` is `de la cruz`. */
export function partedOf(word: string): readonly string[] {
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

/** Neighbouring words of a value, as if they were one. */
export function joined(words: readonly string[]): readonly string[] {
  return words.slice(0, -1).map((_, at) => words.slice(at, at + 3).join(''));
}
