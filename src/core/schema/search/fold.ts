/** Folds names for comparison: the same order by name on every store. */

/**
 * The text after NFKD, removal of marks and lower-casing, so that `Émile`
 * sorts with `emile`. Results are compared by code point.
 */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

const ESCAPE = /\\[bfnrt]/g;

/** JSON or CSV for reading: folded, without the escapes that would join two words. */
export function plainText(text: string): string {
  return foldText(text.includes('\\') ? text.replace(ESCAPE, ' ') : text);
}
