/** The book of self-tests, over the tables of a store. */
import { Book } from '../../store/books/book.ts';
import { inserted, newRow, rowReader, selected } from '../../store/books/rows/own-rows.ts';
import { type BookParts, type BookTables, statements } from '../../store/books/tables.ts';
import { named } from '../../store/images.ts';
import { type SelfTestRun, selfTest } from './declares.ts';

const KEPT_MS = 30 * 86_400_000;
const MAX_RUNS = 20;
const MAX_SIGHTINGS = 500;

const RUN = selected(selfTest);
const OLD = `SELECT unique_identifier FROM self_test WHERE account = $1 AND (inserted_at < $2
  OR unique_identifier NOT IN (SELECT unique_identifier FROM self_test WHERE account = $1
    ORDER BY unique_identifier DESC LIMIT ${MAX_RUNS}))`;

export const sql = statements({
  find: `SELECT ${RUN} FROM self_test WHERE unique_identifier = $1`,
  openOf: `SELECT ${RUN} FROM self_test WHERE key = $1 AND expires_at > $2
    ORDER BY unique_identifier DESC LIMIT 1`,
  list: ({ among, as, limit }) => `SELECT ${RUN} FROM self_test
    WHERE ${among('account', '$1')} AND (${as('$2', 'text')} IS NULL OR unique_identifier < $2)
    ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`,
  seen: `SELECT kind, at, data FROM self_test_sighting WHERE self_test = $1 ORDER BY unique_identifier`,

  open: inserted(selfTest),
  end: `UPDATE self_test SET expires_at = $3
    WHERE key = $1 AND unique_identifier <> $2 AND expires_at > $3`,
  dropSightings: `DELETE FROM self_test_sighting WHERE self_test IN (${OLD})`,
  drop: `DELETE FROM self_test WHERE unique_identifier IN (${OLD})`,
  note: `INSERT INTO self_test_sighting (unique_identifier, self_test, kind, at, data)
    SELECT $1, $2, $3, CAST($4 AS bigint), $5
    WHERE (SELECT count(*) FROM self_test_sighting WHERE self_test = $2) < ${MAX_SIGHTINGS}`,
});

export const book = (tables: BookTables, parts: BookParts) => new SelfTestBook(tables, parts);

/** An observation in a run; `data` is JSON text. */
interface Sighting {
  readonly kind: string;
  readonly at: number;
  readonly data: string;
}

const toRun = rowReader(selfTest);
const toSighting = named<Sighting>('kind', 'at', 'data');

export class SelfTestBook extends Book {
  /** Begins a run. Ends the key's open one, and deletes old runs of the account. */
  async open(run: SelfTestRun): Promise<void> {
    const { unique_identifier, account, key, inserted_at } = run;
    const old = this.now() - KEPT_MS;
    await this.tables.write([
      [sql.open, ...newRow(selfTest, run)],
      [sql.end, key, unique_identifier, inserted_at],
      [sql.dropSightings, account, old],
      [sql.drop, account, old],
    ]);
  }

  readonly openOf = (key: string) => this.first(toRun, sql.openOf, key, this.now());

  readonly find = (unique_identifier: string) => this.first(toRun, sql.find, unique_identifier);

  /** The stored ones of these accounts, newest first, after that one. */
  readonly list = (accounts: readonly string[], after: string | undefined, limit: number) =>
    this.all(toRun, sql.list, accounts, after ?? null, limit);

  /** Lists sightings in the order in which they were noted. */
  readonly seen = (unique_identifier: string) => this.all(toSighting, sql.seen, unique_identifier);

  /** Notes an observation; after 500 of a run, nothing. */
  readonly note = (unique_identifier: string, { kind, at, data }: Sighting) =>
    this.did(sql.note, this.identify('sgt_'), unique_identifier, kind, at, data);
}
