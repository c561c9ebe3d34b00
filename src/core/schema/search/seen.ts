/** Says whether there is anything to see in a text. It stands alone because the console's first script has it, and nothing of what folds texts. */

/** White space of Unicode, the blank of Braille, and characters that only change how others are shown, or nothing. */
const SEEN = /[^\s\p{DI}\p{Cf}\p{Cc}\u2800]/u;

/** Whether nobody sees anything of it. */
export function isUnseen(text: string): boolean {
  return !SEEN.test(text);
}
