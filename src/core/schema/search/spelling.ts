/** Words that differ by one typing error: a letter replaced, added, missing, or two swapped. */

/** In shorter words, another letter makes another name. */
export const NEAR_LENGTH = 5;
/** How many letters of a word are varied; what follows is compared afterwards. */
const VARIED = 8;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** How the first letters of a word may be spelt, itself among them: at most about a thousand ways. */
export function spellings(word: string): readonly string[] {
  const found = new Set<string>();
  for (const one of [word, undoubled(word)]) {
    const letters = [...one].slice(0, VARIED);
    const put = (at: number, without: number, ...between: readonly string[]): unknown =>
      found.add([...letters.slice(0, at), ...between, ...letters.slice(at + without)].join(''));
    put(0, 0);
    for (const [at, letter] of letters.entries()) {
      const next = letters[at + 1];
      put(at, 1);
      if (next !== undefined) put(at, 2, next, letter);
      // Letters of other alphabets are taken away and put the other way round, but not made up.
      if (!/[a-z]/.test(letter)) continue;
      for (const other of LETTERS) {
        put(at, 1, other);
        put(at, 0, other);
      }
    }
  }
  return [...found];
}

/** Whether the text begins with a word that has at most one wrong letter. A double letter counts as one. */
export function startsNearly(text: string, word: string): boolean {
  const single = undoubled(word);
  // Of a word that is mostly one letter, nothing would be left.
  return [...single].length < NEAR_LENGTH
    ? goesWrongOnce([...text], [...word])
    : goesWrongOnce([...undoubled(text)], [...single]);
}

function goesWrongOnce(is: readonly string[], typed: readonly string[]): boolean {
  const at = typed.findIndex((letter, index) => letter !== is[index]);
  if (at < 0) return true;
  const goesOn = (from: number, after: number): boolean =>
    typed.slice(from).every((letter, index) => letter === is[after + index]);
  const isSwapped = typed[at] === is[at + 1] && typed[at + 1] === is[at];
  return (
    goesOn(at + 1, at + 1) ||
    goesOn(at + 1, at) ||
    goesOn(at, at + 1) ||
    (isSwapped && goesOn(at + 2, at + 2))
  );
}

function undoubled(word: string): string {
  return word.replace(/(.)\1/gu, '$1');
}

/**
 * The least number of letters to insert, delete, replace or swap with their
 * neighbour; where it is more than `most`, some number above that.
 */
export function distance(one: string, other: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (beforeLast[j - 2] as number) + 1);
      row.push(least);
    }
    // A swap reaches back by two rows, and costs one.
    if (Math.min(...row) > most && Math.min(...last) >= most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return last[other.length] as number;
}

const ASCII = /^[\x20-\x7e]*$/;

/**
 * The folding of 1.0.0: NFKD without marks, in small letters. The keys of stored records that lists are ordered by have
 * it, and so have search terms that were made by 1.0 and are not made again yet.
 */
export function firstFolding(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const plain = text.replace(/\p{M}/gu, '').normalize('NFKD');
  return plain.replace(/\p{M}/gu, '').toLowerCase();
}

/** More marks together than any writing has. */
const MANY_MARKS = /\p{M}{32}/u;
/** Letters, and at most so many marks behind them. */
const PIECES = /\P{M}*\p{M}{0,32}/gu;

/** The text in one of the forms of Unicode, in linear time: of many marks together, 32 at a time are put in order. */
export function normalized(text: string, form: 'NFC' | 'NFKC'): string {
  if (!MANY_MARKS.test(text)) return text.normalize(form);
  return text.replace(PIECES, (piece) => piece.normalize(form));
}
