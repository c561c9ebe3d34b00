/** Folds names for comparison: the same order by name on every store. */

/**
 * The text after NFKD, removal of marks and lower-casing, so that `Émile`
 * sorts with `emile`. Results are compared by code point.
 */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
