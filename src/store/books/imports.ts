/** The book of imports, over the tables of a store. */
import { ownColumns } from '../../core/objects/own-object.ts';
import { type ImportRun, importRun } from '../../core/objects/transfer/import-run.ts';
import { quoteName } from '../names.ts';
import { Book } from './book.ts';
import { inserted, newRow, rowReader, selected } from './rows/own-rows.ts';
import { erasing, statements } from './tables.ts';

/** How long rejected rows are stored after the last update of their import. */
export const REJECTED_MS = 7 * 86_400_000;

const PURGED_AT_ONCE = 100;
const LAST = '\u{10ffff}';

const toImport = rowReader(importRun);
const select = `SELECT ${selected(importRun)} FROM import_run`;
const renewed = ownColumns(importRun)
  .map(({ name }) => quoteName(name))
  .map((name) => `${name} = excluded.${name}`);
const REJECTED = 'SELECT unique_identifier FROM import_run WHERE rejected IS NOT NULL AND';
export const sql = statements({
  put: `${inserted(importRun)}
    ON CONFLICT (unique_identifier) DO UPDATE SET ${renewed.join(', ')}`,
  find: `${select} WHERE unique_identifier = $1`,
  list: ({ limit, as }) => `${select} WHERE unique_identifier < ${as('$2', 'text')}
    ORDER BY unique_identifier DESC LIMIT ${limit('$1')}`,
  withRejected: {
    sqlite: `${REJECTED} instr(accounts, $1)`,
    postgres: `${REJECTED} strpos(accounts, $1) > 0`,
  },
  latest: `${select} WHERE fingerprint = $1 ORDER BY unique_identifier DESC LIMIT 1`,
  undoing: `${select} WHERE status = 'undoing' ORDER BY unique_identifier`,
  keepRejected: 'UPDATE import_run SET rejected = $2 WHERE unique_identifier = $1',
  rejected: 'SELECT rejected FROM import_run WHERE unique_identifier = $1',
  cutRejected: erasing(
    'UPDATE import_run SET rejected = $3 WHERE unique_identifier = $1 AND rejected = $2',
  ),
  purge: erasing(
    ({ limit }) => `UPDATE import_run SET rejected = NULL WHERE unique_identifier IN (
      ${REJECTED} updated_at < $1 LIMIT ${limit('$2')})`,
  ),
});

export class ImportBook extends Book {
  readonly put = (run: ImportRun) => this.did(sql.put, ...newRow(importRun, run));

  readonly find = (unique_identifier: string) => this.first(toImport, sql.find, unique_identifier);

  /** The newest first, before that one. */
  readonly list = (limit: number, before = LAST) => this.all(toImport, sql.list, limit, before);

  /** The unique identifiers of all imports into an account whose rejected rows are still stored. */
  readonly withRejected = (account: string) => this.column<string>(sql.withRejected, account);

  readonly latest = (fingerprint: string) => this.first(toImport, sql.latest, fingerprint);

  readonly undoing = () => this.all(toImport, sql.undoing);

  /** Stores the rejected rows of an import for a few days. They are not in backups. */
  readonly keepRejected = (unique_identifier: string, rows: string) =>
    this.did(sql.keepRejected, unique_identifier, rows);

  readonly rejected = async (unique_identifier: string) =>
    (await this.column<string | null>(sql.rejected, unique_identifier))[0] ?? undefined;

  /** Stores what is left of these; the rest leaves the store's files, too. `false`: there are others by now. */
  readonly cutRejected = (unique_identifier: string, rows: string, rest: string) =>
    this.did(sql.cutRejected, unique_identifier, rows, rest);

  /** Removes some rejected rows that were stored long enough; returns whether there may be more. */
  readonly purge = () => this.purged(sql.purge, this.now() - REJECTED_MS, PURGED_AT_ONCE);
}
