/** What the records of a resource are below, and which of that an answer can hold. */
import type { Resource } from './define.ts';
import { perResource } from './per-resource.ts';

/** From the parent up to the root. */
export function ancestorsOf({ parent }: Resource): Resource[] {
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
}

/** What every record knows of itself, and so can be put into answers with it: its parent, its anchor and the root. */
export const expandableOf = perResource<readonly Resource[]>((resource) =>
  ancestorsOf(resource).filter(
    (one) => one === resource.parent || one.anchor || one.parent === undefined,
  ),
);
