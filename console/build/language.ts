/** The names of records and of their fields in each language. */
import type { DescribedResource } from './describe.ts';
import { readMessages } from './messages.ts';

export interface Description {
  readonly resources: readonly DescribedResource[];
}

/** What records are called: what the declarations say in English. */
export interface RecordWords {
  /** By the name of the resource. */
  readonly resources: Readonly<Record<string, { readonly one: string; readonly several: string }>>;
  /** By the English label of a field, of a group of fields or of a filter. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Puts the words of a language into a description; what has none stays as it is declared. */
export function described(english: Description, language: string): Description {
  if (language === 'en') return english;
  const { resources: names, labels } = readMessages<RecordWords>(language, 'records');
  const called = (label: string): string => labels[label] ?? label;
  return {
    resources: english.resources.map((resource) => {
      const { name, singular, plural, groups, fields, filters } = resource;
      const { one = singular, several = plural } = names[name] ?? {};
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
          label: names[filter.resource ?? '']?.one ?? called(filter.label),
        })),
      };
    }),
  };
}
