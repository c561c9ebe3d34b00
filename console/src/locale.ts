/** Formats of dates and numbers: in the language of the page, and the style of the browser's region. */
import { LANGUAGES } from './generated/languages.ts';

const { document: page } = globalThis as { document?: { documentElement: { lang: string } } };
const language = page?.documentElement.lang ?? 'en';
// As the browser resolves it: `navigator.language` may not be a language tag at all.
const { locale: theirs } = Intl.DateTimeFormat().resolvedOptions();

const known: Readonly<Record<string, { readonly region: string }>> = LANGUAGES;

export const locale = theirs.startsWith(language) ? theirs : (known[language]?.region ?? language);
