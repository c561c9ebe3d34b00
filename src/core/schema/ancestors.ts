/** The ancestors of a resource, and which of them `expand[]` can name. */
import { perResource, type Resource } from './define.ts';
import { externalOf, identifierOf } from './reference.ts';

/** From the parent up to the root. */
export function ancestorsOf({ parent }: Resource): Resource[] {
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
}

/** The anchor of a resource: itself, or the ancestor that keys can be limited to. */
export function anchorOf(resource: Resource): Resource | undefined {
  return [resource, ...ancestorsOf(resource)].find(({ anchor }) => anchor);
}

/** Resources for `expand[]`: the parent, the anchor and the root, whose identifiers every record stores. */
export const expandableOf = perResource<readonly Resource[]>((resource) =>
  ancestorsOf(resource).filter(
    (one) => one === resource.parent || one.anchor || one.parent === undefined,
  ),
);

/** The names in `expand[]` that stand for all identifiers of a record and of its parents. */
export const IDENTIFIERS = 'identifiers';
/** The one that stands for who made a record and who changed it last; lists take it as a parameter. */
export const SOURCE = 'source';

/** All expansions, by the names that request them; none for the root. */
export const expandNames = perResource<readonly string[]>((resource) =>
  resource.parent === undefined
    ? []
    : [...expandableOf(resource).map(({ name }) => name), IDENTIFIERS, SOURCE],
);

/** The identifiers of a record and of its parents, by the names of request parameters. */
export const identifierNames = perResource<readonly string[]>((resource) => [
  'unique_identifier',
  'external_identifier',
  ...ancestorsOf(resource).flatMap((one) =>
    one.parent === undefined ? [identifierOf(one)] : [identifierOf(one), externalOf(one)],
  ),
]);
