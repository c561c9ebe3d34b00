/** The languages of the console: each a folder of `console/messages`. */
import { LANGUAGES } from './generated/languages.ts';

export type Language = keyof typeof LANGUAGES;

export function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(LANGUAGES, text);
}

/** The cookie that stores the choice, sent with each request for the page. */
export const LANGUAGE_COOKIE = 'ledgerstone_language';
