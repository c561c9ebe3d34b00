/** The languages of the console. A translation has every English text once more, in the same place. */

/** Each by its own name. A translation is a folder next to this file, with the same four files as the others. */
export const LANGUAGES = { en: 'English', es: 'Español', fr: 'Français' } as const;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(LANGUAGES, text);
}

/** The cookie that stores the choice, sent with each request for the page. */
export const LANGUAGE_COOKIE = 'ledgerstone_language';

/** The same texts in any language: other words, the same arguments. */
export type Translated<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : T extends object
      ? { readonly [K in keyof T]: Translated<T[K]> }
      : T;

/** What records are called: what the declarations say in English. */
export interface RecordWords {
  /** By the name of the resource: one of its records, and several. */
  readonly resources: { readonly [name: string]: readonly [one: string, several: string] };
  /** By the English label of a field, of a group of fields or of a filter. */
  readonly labels: { readonly [english: string]: string };
  readonly noScript: string;
}
