/** Puts what was expanded into an object. */
import { withMembers } from '../schema/present.ts';
import type { Expansion } from './expand.ts';

/** The object, as JSON text, with a member for each expansion. */
export function shown(object: string, expansions: readonly Expansion[]): string {
  if (expansions.length === 0) return object;
  return withMembers(
    object,
    expansions.map(({ name, text }) => ({ name, value: text() })),
  );
}
