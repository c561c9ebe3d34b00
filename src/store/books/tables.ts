/**
 * The store's ports for its books: the tables of keys, people, webhooks, requests, imports and backups, whose SQL is
 * written once. A book reads on the port of the serving thread, and writes on the port of the writer.
 */
import type { StateNotifications } from '../../core/objects/own-object.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { StoredRecord } from '../promises/stored.ts';
import { DIALECTS, type Dialect } from './dialects.ts';

/** A list is a JSON array on SQLite, an array on PostgreSQL; a flag is 0 or 1 on SQLite. */
export type BookValue = string | number | boolean | null | Uint8Array | readonly string[];

export interface BookStatement {
  /** Its own among all statements; `undefined`: it is made for one use, and not prepared. */
  readonly name: string | undefined;
  readonly sqlite: string;
  readonly postgres: string;
  /** The type of each column of the rows that it takes; `undefined`: it takes values. */
  readonly columns: readonly ColumnType[] | undefined;
  /** Whether it removes content, which is to leave the store's files, too. */
  readonly erases: boolean;
  /** Whether it gives rows. */
  readonly gives: boolean;
}

export type ColumnType = 'text' | 'bigint';

export type BookText = string | ((dialect: Dialect) => string);

/**
 * A text for both stores, or one for each. With `columns` it takes rows: SQLite runs its text for
 * each row, PostgreSQL once for all, with an array for each column.
 */
export type BookSource =
  | BookText
  | {
      readonly sqlite: BookText;
      readonly postgres: BookText;
      readonly columns?: readonly ColumnType[];
      readonly erases?: true;
    };

export type BookCall = readonly [statement: BookStatement, ...values: BookValue[]];

/** A statement, and its values or its rows. */
export type BookWrite =
  | BookCall
  | { readonly statement: BookStatement; readonly rows: readonly (readonly BookValue[])[] };

export interface Changed<Row> {
  /** How many rows it has changed or found. */
  readonly count: number;
  readonly rows: readonly Row[];
}

export interface BookTables {
  rows<Row extends readonly unknown[]>(
    statement: BookStatement,
    ...values: readonly BookValue[]
  ): Promise<readonly Row[]>;
  /** One statement that writes. It may be done twice where a connection is lost. */
  change<Row extends readonly unknown[]>(
    statement: BookStatement,
    ...values: readonly BookValue[]
  ): Promise<Changed<Row>>;
  /**
   * One commit; gives how many rows each statement has changed or found. The first `leading` are done one after the other.
   * Where one of these has fewer than `needs`, it is the last that is done: they are to change nothing then.
   */
  write(writes: readonly BookWrite[], needs?: number, leading?: number): Promise<readonly number[]>;
}

/** Finds of which of some records of a resource something is true: their unique identifiers. */
export type FindSaid = (
  shape: RecordShape,
  records: readonly Pick<StoredRecord, 'account' | 'unique_identifier' | 'document'>[],
) => Promise<ReadonlySet<string>>;

/** Finds in which accounts something writes records, and what it is called: by an identifier that begins so. */
export interface FindsActor {
  readonly prefix: string;
  find(
    unique_identifier: string,
  ): Promise<{ readonly accounts: readonly string[]; readonly name: string | null } | undefined>;
}

/** Makes the writes of notifications of a state that an object enters, for one commit with the state. */
export type Announce = (
  notifications: StateNotifications,
  of: Readonly<Record<'unique_identifier' | 'account' | 'location', string>>,
  state: string,
) => Promise<readonly BookWrite[]>;

/** Dependencies of books besides their tables. */
export interface BookParts {
  /** The time that is believed. */
  readonly now: () => number;
  /** The clock of the machine. */
  readonly machine: () => number;
  /** A new unique identifier with a prefix. */
  readonly identify: (prefix: string) => string;
  /** Keys to mark what is secret with; the newest first. */
  readonly keys: readonly Uint8Array[];
}

let count = 0;

/** Statements that each connection prepares when it first needs them. */
export function statements<Name extends string>(
  sources: Readonly<Record<Name, BookSource>>,
): Readonly<Record<Name, BookStatement>> {
  return Object.fromEntries(
    Object.entries<BookSource>(sources).map(([name, source]) => {
      count += 1;
      return [name, { ...unnamed(source), name: `ledgerstone_book_${count}` }];
    }),
  ) as Record<Name, BookStatement>;
}

/** Whether the content that it removes or overwrites leaves the store's files, too. */
export function erasing(text: BookText): BookSource {
  return { sqlite: text, postgres: text, erases: true };
}

/** A statement for one use. Its parameters are `$1`, `$2`, … */
export function unnamed(source: BookSource): BookStatement {
  const { sqlite, postgres, columns, erases } =
    typeof source === 'object'
      ? source
      : { sqlite: source, postgres: source, columns: undefined, erases: undefined };
  const text = (of: BookText, dialect: Dialect) => (typeof of === 'string' ? of : of(dialect));
  const one = text(postgres, DIALECTS.postgres);
  return {
    name: undefined,
    sqlite: text(sqlite, DIALECTS.sqlite).replace(/\$(\d+)/g, '?$1'),
    postgres: one,
    columns,
    erases: erases === true,
    gives: /^\s*SELECT\b|\bRETURNING\b/.test(one),
  };
}
