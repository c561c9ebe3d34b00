/** The order in which people see the resources. */
import type { DescribedResource } from '../../src/schema/describe.ts';

/** Families first: what belongs to something, in the order of the declarations; then what everything belongs to. */
export function inOrder(resources: readonly DescribedResource[]): readonly DescribedResource[] {
  return [
    ...resources.filter(({ parent, anchor }) => parent !== undefined && anchor === undefined),
    ...resources.filter(({ anchor }) => anchor),
    ...resources.filter(({ parent }) => parent === undefined),
  ];
}
