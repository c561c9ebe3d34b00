/** The description of the resources that comes with the page. Every screen of records is made from it. */
import { parseJson } from '../../../client/src/json.ts';
import type { DescribedField, DescribedResource } from '../../build/describe.ts';

export type {
  DescribedField,
  DescribedFilter,
  DescribedResource,
} from '../../build/describe.ts';

export const described = (
  parseJson(document.getElementById('description')?.textContent ?? '{"resources":[]}') as {
    readonly resources: readonly DescribedResource[];
  }
).resources;

/** All but accounts: what people work with. */
export const belowAccounts = described.filter(({ parent }) => parent !== undefined);

/** The resource that people are limited to single ones of. */
export const anchor = described.find((one) => one.anchor);

export function resourceAt(path: string): DescribedResource | undefined {
  return described.find((one) => one.path === path);
}

export function resourceNamed(name: string): DescribedResource | undefined {
  return described.find((one) => one.name === name);
}

export function resourceOf(identifier: string): DescribedResource | undefined {
  return described.find(({ prefix }) => identifier.startsWith(prefix));
}

/** What belongs to records of this resource directly. */
export function childrenOf(resource: DescribedResource): readonly DescribedResource[] {
  return described.filter(({ parent }) => parent?.resource === resource.name);
}

/** What belongs to records of this resource, at any depth. */
export function belowOf(resource: DescribedResource): readonly DescribedResource[] {
  return childrenOf(resource).flatMap((child) => [child, ...belowOf(child)]);
}

/** The names of what the record belongs to, from the nearest up; its account is left out. */
export function aboveOf(resource: DescribedResource): readonly string[] {
  const parent = resource.parent && resourceNamed(resource.parent.resource);
  if (parent === undefined || parent.parent === undefined) return [];
  return [parent.name, ...aboveOf(parent)];
}

/** What is requested with a record: what it belongs to, and what is said of it. */
export function shownWith(resource: DescribedResource): readonly string[] {
  return aboveOf(resource).concat(saidOf(resource));
}

export function saidOf({ says }: DescribedResource): readonly string[] {
  return says.map(({ name }) => name);
}

export function fieldOf(resource: DescribedResource, param: string): DescribedField | undefined {
  return resource.fields.find((field) => field.param === param);
}

/** The parameter of lists that names a record of `above`. */
export function filterBy(resource: DescribedResource, above: string): string | undefined {
  return resource.filters.find(({ by, resource: one }) => by === 'record' && one === above)?.param;
}
