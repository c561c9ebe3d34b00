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

/** When the entries were made: what is kept for a time is still kept. */
export const AT = Date.now();

/** The largest text of so many characters. */
export const wide = (count: number): string => '𝕏'.repeat(count);

export const many = <One>(count: number, one: One): readonly One[] => Array(count).fill(one);

/** An identifier with that prefix. */
export const of = (prefix: string): string => `${prefix}036Vq1rXbU9kTqPpLw3aZc`;

export const RECORD = { resource: 'event', record: of('evt_') };
