/** Stores how far a follower has read the log of each account, in one commit with what follows from it. */
import type { FollowerPlace, FollowerTable } from '../../core/objects/records/follower.ts';
import { Book } from './book.ts';
import { inserted, newRow, rowReader, selected } from './rows/own-rows.ts';
import type {
  BookParts,
  BookSource,
  BookStatement,
  BookTables,
  BookText,
  BookWrite,
} from './tables.ts';

export type FollowerStatements = ReturnType<typeof followerSources>;

/** The SQL of a follower's places, for the `statements` of its feature. */
export function followerSources(places: FollowerTable) {
  const { table } = places;
  const all = `SELECT ${selected(places)} FROM ${table}`;
  const leftOut: BookText = ({ among }) =>
    `SELECT left_out FROM ${table} WHERE ${among('of_account', '$1')}`;
  return {
    readers: all,
    reader: `${all} WHERE of_account = $1`,
    leftOut,
    begin: `${inserted(places)} ON CONFLICT DO NOTHING`,
    read: `UPDATE ${table} SET change = $2, left_out = $4 WHERE of_account = $1 AND change = $3`,
  } satisfies Record<string, BookSource>;
}

/** A book of a feature that follows the log. */
export class FollowerBook extends Book {
  readonly #toPlace: (row: readonly unknown[]) => FollowerPlace;
  readonly #places: FollowerTable;
  readonly #sql: Readonly<Record<keyof FollowerStatements, BookStatement>>;

  constructor(
    tables: BookTables,
    parts: BookParts,
    places: FollowerTable,
    sql: Readonly<Record<keyof FollowerStatements, BookStatement>>,
  ) {
    super(tables, parts);
    this.#toPlace = rowReader(places);
    this.#places = places;
    this.#sql = sql;
  }

  /** The places in the logs of all accounts that it follows. */
  readonly readers = () => this.all(this.#toPlace, this.#sql.readers);

  readonly reader = (account: string) => this.first(this.#toPlace, this.#sql.reader, account);

  /** How many changes of these accounts led to nothing, by the reason. */
  readonly leftOut = (accounts: readonly string[]) =>
    this.all(
      ([text]: readonly [string]) => JSON.parse(text) as FollowerPlace['left_out'],
      this.#sql.leftOut,
      accounts,
    );

  /** Begins to follow an account, unless it does. */
  readonly begin = (account: string) =>
    this.did(this.#sql.begin, ...newRow(this.#places, { account, change: '', left_out: {} }));

  /** Notes that the log was read, with what follows from it, in one commit; `false` where another process has read it. */
  read(before: FollowerPlace, { change, left_out }: FollowerPlace, writes: readonly BookWrite[]) {
    const values = [before.account, change, before.change, JSON.stringify(left_out)] as const;
    return this.wrote([[this.#sql.read, ...values], ...writes]);
  }
}
