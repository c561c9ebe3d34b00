/**
 * How rows are stored: from this the tables of both stores, their part of a backup, the emptying of an account and the
 * page on personal data are derived.
 */

export interface TableDeclaration {
  readonly table: string;
  /** The columns of the primary key: rows of a backup come in their order. */
  readonly key: readonly string[];
  /** The content, for the page on personal data. */
  readonly holds: string;
  /** When that goes; left out where nothing of it leads to a person. */
  readonly goes?: string;
  /** Whether rows end by themselves as time passes, so that a store has fewer of them on a later day. */
  readonly ends?: true;
  /** Columns with what was said of a person, or may be; with spaces between. Those of `personal` fields are, too. */
  readonly content?: string;
  /** Columns that lead to a person only with the rest of the store. Those of identifiers with a prefix are, too. */
  readonly identifiers?: string;
  /** Columns of texts that hold nothing of people. Numbers and choices never do. */
  readonly nothing?: string;
  /** Indexes, by the ends of their names: the columns, and a condition, as SQL. */
  readonly indexes?: Readonly<Record<string, string>>;
  readonly unique?: Readonly<Record<string, string>>;
  /** Whether the rows of an account are removed with its content, or with the account itself. */
  readonly goesWith?: 'content' | 'account';
  /** The column that names what a row belongs to, and the table of that, which has the account. */
  readonly below?: readonly [column: string, table: string];
  /**
   * The column with the record that a row is about: rows go in the commit that erases their record or removes it for its age,
   * certificates count what is left of them, and a person's copy has them.
   */
  readonly about?: string;
  /** The change that an erasure makes in such a row in place of removing it, as SQL: it outlives its record, and less of it the person. */
  readonly leaves?: string;
  /**
   * The column that is cleared with the content of one of the accounts that the column `accounts` lists; the row goes
   * with the last of them.
   */
  readonly ofSeveral?: string;
  /** The name of its part of a backup; left out: it is in none. */
  readonly backup?: string;
  /** The SQL condition for rows that have changed since that time: an increment has these. Left out: it has all. */
  readonly since?: (time: string) => string;
}

export const STAFF_GOES = 'When the person is removed (`staff delete`)';
export const ACCOUNT_GOES = 'When the account is removed (`accounts delete`)';
