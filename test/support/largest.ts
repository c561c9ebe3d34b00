/** Entries of lists as large as callers can make them. */

/** Entries in the table of their list, how many of them, and where they are listed, if that is not the path of their object. */
export interface Listed {
  readonly table: string;
  readonly count: number;
  readonly entry: object;
  readonly path?: string;
  /** The member that says where a page ends; `unique_identifier` where it is not said. */
  readonly cursor?: string;
}

export const AT = Date.parse('2026-11-20T14:30:00Z');

/** The largest text of so many characters. */
export const wide = (count: number): string => '𝕏'.repeat(count);

export const many = <One>(count: number, one: One): readonly One[] => Array(count).fill(one);

/** An identifier with that prefix. */
export const of = (prefix: string): string => `${prefix}036Vq1rXbU9kTqPpLw3aZc`;

export const RECORD = { resource: 'event', record: of('evt_') };
