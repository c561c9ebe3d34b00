/** Characters for arbitrary texts. */
import fc from 'fast-check';

const ASCII = 0x20;
const PRINTABLE = 95;
const SURROGATES = 0xd800;
const NO_SURROGATES = 0xe000 - 0xd800;

/**
 * Any code point that stands by itself, printable ones of ASCII first, as fast-check's `binary` has them, which
 * begins with a table of all: that takes a second in each process.
 */
export const anyCharacter = fc
  .nat({ max: 0x10ffff - NO_SURROGATES })
  .map(characterAt, (character) => {
    const at = typeof character === 'string' ? indexOf(character) : undefined;
    if (at === undefined) throw new Error('This is not one character.');
    return at;
  });

function characterAt(index: number): string {
  if (index < PRINTABLE) return String.fromCodePoint(index + ASCII);
  if (index < PRINTABLE + ASCII) return String.fromCodePoint(index - PRINTABLE);
  return String.fromCodePoint(index < SURROGATES ? index : index + NO_SURROGATES);
}

function indexOf(character: string): number | undefined {
  const code = character.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== character) return undefined;
  if (code >= SURROGATES && code < SURROGATES + NO_SURROGATES) return undefined;
  if (code < ASCII) return code + PRINTABLE;
  if (code < ASCII + PRINTABLE) return code - ASCII;
  return code < SURROGATES ? code : code - NO_SURROGATES;
}
