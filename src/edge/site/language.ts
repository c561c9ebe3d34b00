/** Chooses the language of a page for a browser, with the texts that the service itself writes on it. */
import type { IncomingHttpHeaders } from 'node:http';
import { texts as es } from '../../../console/src/languages/es/page.ts';
import { words as esWords } from '../../../console/src/languages/es/records.ts';
import { texts as fr } from '../../../console/src/languages/fr/page.ts';
import { words as frWords } from '../../../console/src/languages/fr/records.ts';
import {
  isLanguage,
  LANGUAGE_COOKIE,
  LANGUAGES,
  type Language,
  type RecordWords,
  type Translated,
} from '../../../console/src/languages/languages.ts';
import { texts as en } from '../../../console/src/texts.ts';
import type { DescribedResource } from '../../core/schema/present/describe.ts';

export type { Language } from '../../../console/src/languages/languages.ts';

export interface Description {
  readonly resources: readonly DescribedResource[];
}

const ENGLISH: RecordWords = {
  resources: {},
  labels: {},
  noScript: 'The console needs JavaScript.',
};
const TEXTS: Readonly<Record<Language, Translated<typeof en>>> = { en, es, fr };
const WORDS: Readonly<Record<Language, RecordWords>> = { en: ENGLISH, es: esWords, fr: frWords };

export function eachLanguage<T>(make: (language: Language) => T): Readonly<Record<Language, T>> {
  const codes = Object.keys(LANGUAGES) as Language[];
  return Object.fromEntries(codes.map((one) => [one, make(one)])) as Record<Language, T>;
}

/** The one that was chosen in this browser; else the first that the browser accepts; else English. */
export function languageFor({
  cookie = '',
  'accept-language': accepted = '',
}: IncomingHttpHeaders): Language {
  const chosen = cookie
    .split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name, value]) => name === LANGUAGE_COOKIE && isLanguage(value))?.[1];
  if (isLanguage(chosen)) return chosen;
  const wanted = accepted.split(',').map((range) => {
    const [tag = '', weight] = range.split(';');
    const quality = Number(/^\s*q=([\d.]+)\s*$/i.exec(weight ?? '')?.[1] ?? 1);
    return { code: tag.trim().split('-')[0]?.toLowerCase(), quality };
  });
  const [first] = wanted
    .filter(({ code, quality }) => isLanguage(code) && quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return isLanguage(first?.code) ? first.code : 'en';
}

export function pageTexts(language: Language): {
  readonly texts: Translated<typeof en>;
  readonly noScript: string;
} {
  return { texts: TEXTS[language], noScript: WORDS[language].noScript };
}

/** The same description with the words of a language; what has none stays as it is declared. */
export function described({ resources }: Description, language: Language): Description {
  const { resources: names, labels } = WORDS[language];
  const called = (label: string): string => labels[label] ?? label;
  return {
    resources: resources.map((resource) => {
      const { name, singular, plural, groups, fields, filters } = resource;
      const [one, several] = names[name] ?? [singular, plural];
      return {
        ...resource,
        singular: one,
        plural: several,
        groups: groups.map((group) =>
          group.heading === undefined ? group : { ...group, heading: called(group.heading) },
        ),
        fields: fields.map((field) => ({ ...field, label: called(field.label) })),
        filters: filters.map((filter) => ({
          ...filter,
          label: names[filter.resource ?? '']?.[0] ?? called(filter.label),
        })),
      };
    }),
  };
}
