/** Formats of dates and numbers: in the language of the page, and the style of the browser's region. */

/** The regions of most people who use a language that their browser is not set to. */
const REGIONS: Readonly<Record<string, string>> = { es: 'es-US', fr: 'fr-CA' };

const { document: page } = globalThis as { document?: { documentElement: { lang: string } } };
const language = page?.documentElement.lang ?? 'en';
// As the browser resolves it: `navigator.language` may not be a language tag at all.
const { locale: theirs } = Intl.DateTimeFormat().resolvedOptions();

export const locale = theirs.startsWith(language) ? theirs : (REGIONS[language] ?? 'en-US');
