/** The words of a text, as they are compared. */
import { foldText, withoutApostrophes } from './folding.ts';
import { firstFolding } from './spelling.ts';

/** The UTF-16 code units of a word that count: at most 96 bytes. */
const WORD_LENGTH = 32;

/** After an apostrophe; what is shorter is an ending. */
const INNER = /(?<=[\p{L}\p{N}]')[\p{L}\p{N}]{3,}/gu;
/** Where a name may begin in a script that is written without blanks; not within a syllable of Hangul. */
const UNSPACED =
  /(?![\u1160-\u11ff])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** In plain letters; an apostrophe does not split a word, so that `O’Brien` is found as `obrien` too. */
export function wordsOf(text: string): string[] {
  return split(withoutApostrophes(foldText(text)));
}

/**
 * Words that stand within others, or that others are together: `O’Brien` is found as `brien`, too, `J.R.` as `jr`, and
 * 田中太郎 as 太郎; 田中 太郎 is found as 田中太郎.
 */
export function innerWordsOf(text: string): string[] {
  const words = wordsOf(text);
  const inner = foldText(text).match(INNER)?.map(cut) ?? [];
  return [...inner, ...initialsOf(words), ...unspacedOf(words)];
}

/** The words of a text as 1.0 folded them: there are terms of them until the index is made again. */
export function firstWordsOf(text: string): string[] {
  return split(firstFolding(text).replace(/['’ʼ`]/g, ''));
}

function split(folded: string): string[] {
  return folded
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(cut);
}

/** Letters that stand alone one after the other, as one word. */
function initialsOf(words: readonly string[]): string[] {
  const runs: string[] = [''];
  for (const word of words) {
    if (isLetter(word)) runs.push(`${runs.pop()}${word}`);
    else runs.push('');
  }
  return runs.filter((run) => [...run].length > 1).map(cut);
}

export function isLetter(word: string): boolean {
  return /^\p{L}$/u.test(word);
}

function unspacedOf(words: readonly string[]): string[] {
  const unspaced = words.map((word) => UNSPACED.test(word));
  const together = words.flatMap((word, at) =>
    unspaced[at] && unspaced[at + 1] ? [cut(`${word}${words[at + 1]}`)] : [],
  );
  const within = words.flatMap((word, place) =>
    unspaced[place]
      ? [...word].flatMap((letter, at, letters) =>
          at > 0 && UNSPACED.test(letter) ? [letters.slice(at).join('')] : [],
        )
      : [],
  );
  return [...together, ...within];
}

function cut(word: string): string {
  if (word.length <= WORD_LENGTH) return word;
  // A letter of two code units stays whole.
  return word
    .slice(0, WORD_LENGTH)
    .toWellFormed()
    .replace(/\ufffd$/, '');
}
