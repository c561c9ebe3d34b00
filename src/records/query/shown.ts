/** Puts what was expanded into an object. */
import { withMembers } from '../../core/schema/present/present.ts';

/** An expansion in the response of one record. */
export interface Expansion {
  /** Of the member that shows it. */
  readonly name: string;
  /** Distinguishes it from every other that the member ever shows. */
  readonly tag: string;
  /** About how long it is. */
  readonly bytes: number;
  /** As JSON. */
  readonly text: () => string;
}

/** The object, as JSON text, with a member for each expansion. */
export function shown(object: string, expansions: readonly Expansion[]): string {
  if (expansions.length === 0) return object;
  return withMembers(
    object,
    expansions.map(({ name, text }) => ({ name, value: text() })),
  );
}
