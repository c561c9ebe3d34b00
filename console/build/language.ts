/** The names of records and of their fields in each language. */
import type { DescribedResource } from './describe.ts';
import { readMessages } from './messages.ts';

export interface Description {
  readonly resources: readonly DescribedResource[];
}

/** What records are called: what the declarations say in English. */
export interface RecordWords {
  /** One record, and several, by the name of the resource. */
  readonly singular: Readonly<Record<string, string>>;
  readonly plural: Readonly<Record<string, string>>;
  /** By the English label of a field, of a group of fields or of a filter. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Puts the words of a language into a description; what has none stays as it is declared. */
export function described(english: Description, language: string): Description {
  if (language === 'en') return english;
  const { singular, plural, labels } = readMessages<RecordWords>(language, 'records');
  const called = (label: string): string => labels[label] ?? label;
  return {
    resources: english.resources.map((resource) => {
      const { name, groups, fields, filters, says } = resource;
      return {
        ...resource,
        singular: singular[name] ?? resource.singular,
        plural: plural[name] ?? resource.plural,
        ...(resource.identifier !== undefined && { identifier: called(resource.identifier) }),
        groups: groups.map((group) =>
          group.heading === undefined ? group : { ...group, heading: called(group.heading) },
        ),
        says: says.map((one) => ({ ...one, label: called(one.label) })),
        fields: fields.map((field) => ({ ...field, label: called(field.label) })),
        filters: filters.map((filter) => ({
          ...filter,
          label: singular[filter.resource ?? ''] ?? called(filter.label),
        })),
      };
    }),
  };
}
