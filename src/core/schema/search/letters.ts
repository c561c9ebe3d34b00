/**
 * Letters of living languages that Unicode does not decompose, and that people write with plain ones. Each letter
 * `WITH` something is the letter of its name in Unicode 14 (`LATIN SMALL LETTER D WITH STROKE`), and so are ligatures and
 * dotless letters. No name tells it of ß, þ, ð, ŋ, ĸ, œ and ə, which are written as in passports (ICAO 9303, where it has
 * them). ς is σ at the end of a word.
 */
const LETTERS = [
  'a:əⱥ ae:æǣǽ b:ƀƃɓ c:ƈȼ d:ðđƌȡɖɗ db:ȸ e:ɇ f:ƒ g:ǥɠ h:ħⱨ i:ıɨ j:ȷɉ k:ĸƙⱪ l:łƚȴⱡ n:ŋƞȵɲ',
  'o:øǿ oe:œ ou:ȣ p:ƥ q:ɋ qp:ȹ r:ɍ s:ȿ ss:ß t:ŧƫƭȶⱦ th:þ v:ʋ y:ƴɏ z:ƶȥɀⱬ σ:ς',
];

const PLAIN: ReadonlyMap<string, string> = new Map(
  LETTERS.flatMap((line) => line.split(' ')).flatMap((group) => {
    const [plain = '', letters = ''] = group.split(':');
    return [...letters].map((letter) => [letter, plain] as const);
  }),
);

const ANY = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'gu');

/** A text in small letters, with plain letters in place of others. */
export function plainLetters(text: string): string {
  return text.replace(ANY, (letter) => PLAIN.get(letter) ?? letter);
}
