/** What compiled messages call, and their types. What is imported from `messages` is a catalogue of `console/messages`, in the page's language. */

import { LANGUAGES } from './generated/languages.ts';
import type { Arguments } from './generated/messages.ts';

/** The texts of a catalogue, and a function for each message that has arguments. */
export type Messages<Catalogue, Way extends string> = {
  readonly [Name in keyof Catalogue & string]: Catalogue[Name] extends string
    ? `${Way}.${Name}` extends infer Whole extends keyof Arguments
      ? (...values: Arguments[Whole]) => string
      : string
    : Messages<Catalogue[Name], `${Way}.${Name}`> & Words<Catalogue[Name]>;
};

/** Words that are looked up by a name that the service sends. */
type Words<Group> =
  Group extends Readonly<Record<keyof Group, string>> ? Readonly<Record<string, string>> : unknown;

type Forms = Readonly<Record<string, string>> & { readonly other: string };

/** Formats of dates and numbers are those of the page's language, in the style of the browser's region. */
const { document: page } = globalThis as { document?: { documentElement: { lang: string } } };
const language = page?.documentElement.lang ?? 'en';
// As the browser resolves it: `navigator.language` may not be a language tag at all.
const { locale: theirs } = Intl.DateTimeFormat().resolvedOptions();

const known: Readonly<Record<string, { readonly region: string }>> = LANGUAGES;

export const locale = theirs.startsWith(language) ? theirs : (known[language]?.region ?? language);

const rules = new Intl.PluralRules(locale);

export function plural(count: number, forms: Forms): string {
  return forms[`=${count}`] ?? forms[rules.select(count)] ?? forms.other;
}

export function select(value: string | boolean, forms: Forms): string {
  return forms[String(value)] ?? forms.other;
}

export function number(value: number): string {
  return value.toLocaleString(locale);
}

/** "3 years", "12 kB". */
export function unitText(count: number, unit: string, how: 'long' | 'short' = 'long'): string {
  const format = { style: 'unit', unit, unitDisplay: how } as const;
  return new Intl.NumberFormat(locale, format).format(count);
}
