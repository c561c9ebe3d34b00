/** The texts of the frame, and the names of records, in each language. */

import { texts as es } from '../src/languages/es/page.ts';
import { words as esWords } from '../src/languages/es/records.ts';
import { texts as fr } from '../src/languages/fr/page.ts';
import { words as frWords } from '../src/languages/fr/records.ts';
import type { Language, RecordWords, Translated } from '../src/languages/languages.ts';
import { texts as en } from '../src/texts.ts';
import type { DescribedResource } from './describe.ts';

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
