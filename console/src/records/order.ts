/** The order in which people see the resources, and the fields of one. */
import type { DescribedField, DescribedResource } from '../../build/describe.ts';

/** Families first: what belongs to something, in the order of the declarations; then what everything belongs to. */
export function inOrder(resources: readonly DescribedResource[]): readonly DescribedResource[] {
  return [
    ...resources.filter(({ parent, anchor }) => parent !== undefined && anchor === undefined),
    ...resources.filter(({ anchor }) => anchor),
    ...resources.filter(({ parent }) => parent === undefined),
  ];
}

type Group = DescribedResource['groups'][number];

/** Its groups in the order of work: what it is called by first, free-form details and images last. */
export function groupsOf(resource: DescribedResource): readonly Group[] {
  const kinds = new Map(resource.fields.map(({ param, kind }) => [param, kind]));
  const rank = (param: string): number => {
    if (resource.title.includes(param)) return 0;
    if (param === resource.images) return 3;
    return isFree(kinds.get(param)) ? 2 : 1;
  };
  const first = (group: Group): number =>
    group.fields.includes(resource.title[0] ?? '') ? 0 : Math.min(3, ...group.fields.map(rank)) + 1;
  return resource.groups
    .map((group) => ({ ...group, fields: group.fields.toSorted((a, b) => rank(a) - rank(b)) }))
    .toSorted((a, b) => first(a) - first(b));
}

export function isFree(kind: DescribedField['kind'] | undefined): boolean {
  return kind === 'free-form object' || kind === 'object of texts';
}
