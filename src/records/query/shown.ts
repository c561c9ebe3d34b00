/** Adds expansions to an object. */
import { withMembers } from '../../core/schema/present/present.ts';

/** An expansion in the response of one record. */
export interface Expansion {
  /** The name of the member. */
  readonly name: string;
  /** Distinguishes the value from every other of this member. */
  readonly tag: string;
  /** About the length of the value. */
  readonly bytes: number;
  /** The value as JSON. */
  readonly text: () => string;
}

/** The object as JSON text, with a member for each expansion. */
export function shown(object: string, expansions: readonly Expansion[]): string {
  if (expansions.length === 0) return object;
  return withMembers(
    object,
    expansions.map(({ name, text }) => ({ name, value: text() })),
  );
}
