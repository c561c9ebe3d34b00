/** Puts what was expanded into an object. */
import { presentOne, withMembers } from '../schema/present.ts';
import type { Expansion } from './expand.ts';

/** The object, as JSON text, with a member for each expansion: the very object that a read of that record answers. */
export function shown(object: string, expansions: readonly Expansion[]): string {
  if (expansions.length === 0) return object;
  const members = expansions.map(({ resource, record }) => ({
    name: resource.name,
    value: presentOne(resource, record),
  }));
  return withMembers(object, members);
}
