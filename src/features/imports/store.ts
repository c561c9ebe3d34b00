/** The book of imports, over the tables of a store. */
import { ownColumns } from '../../core/objects/own-object.ts';
import { Book } from '../../store/books/book.ts';
import { inserted, newRow, rowReader, selected } from '../../store/books/rows/own-rows.ts';
import {
  type BookParts,
  type BookTables,
  erasing,
  type FindsActor,
  statements,
} from '../../store/books/tables.ts';
import { quoteName } from '../../store/names.ts';
import { type ImportRun, importRun } from './declares/import-run.ts';
import { type UploadBook, uploadBook, uploadSql } from './store/uploads.ts';

/** How long rejected rows are stored after the last update of their import. */
export const REJECTED_MS = 7 * 86_400_000;

const PURGED_AT_ONCE = 100;
const LAST = '\u{10ffff}';

const toImport = rowReader(importRun);
const select = `SELECT ${selected(importRun)} FROM import_run`;
// What is remembered is put by itself, at the end.
const renewed = ownColumns(importRun)
  .filter(({ field }) => field.is !== 'secret')
  .map(({ name }) => quoteName(name))
  .map((name) => `${name} = excluded.${name}`);
const REJECTED = 'SELECT unique_identifier FROM import_run WHERE rejected IS NOT NULL AND';
const MEMORY = 'SELECT unique_identifier FROM import_run WHERE remembered IS NOT NULL AND';
const own = statements({
  put: `${inserted(importRun)}
    ON CONFLICT (unique_identifier) DO UPDATE SET ${renewed.join(', ')}`,
  find: `${select} WHERE unique_identifier = $1`,
  list: ({ limit, as }) => `${select} WHERE unique_identifier < ${as('$2', 'text')}
    ORDER BY unique_identifier DESC LIMIT ${limit('$1')}`,
  withRejected: {
    sqlite: `${REJECTED} instr(accounts, $1)`,
    postgres: `${REJECTED} strpos(accounts, $1) > 0`,
  },
  remember: 'UPDATE import_run SET headings = $2, remembered = $3 WHERE unique_identifier = $1',
  forget: erasing(
    'UPDATE import_run SET headings = NULL, remembered = NULL WHERE unique_identifier = $1',
  ),
  remembered: 'SELECT remembered FROM import_run WHERE unique_identifier = $1',
  alike: ({ limit }) => `${select} WHERE headings = $1 AND remembered IS NOT NULL
    ORDER BY unique_identifier DESC LIMIT ${limit('$2')}`,
  withMemory: {
    sqlite: `${MEMORY} instr(accounts, $1) ORDER BY unique_identifier`,
    postgres: `${MEMORY} strpos(accounts, $1) > 0 ORDER BY unique_identifier`,
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

export const sql = { ...own, ...uploadSql };

export const book = (tables: BookTables, parts: BookParts) => new ImportBook(tables, parts);

/** Imports are called as their files are. */
export const actor = (imports: ImportBook): FindsActor => ({
  prefix: 'imp_',
  async find(unique_identifier) {
    const run = await imports.find(unique_identifier);
    return run && { accounts: run.accounts, name: run.files.map(({ name }) => name).join(', ') };
  },
});

export class ImportBook extends Book {
  readonly uploads: UploadBook;

  constructor(tables: BookTables, parts: BookParts) {
    super(tables, parts);
    this.uploads = uploadBook(tables, parts);
  }

  readonly put = (run: ImportRun) => this.did(own.put, ...newRow(importRun, run));

  readonly find = (unique_identifier: string) => this.first(toImport, own.find, unique_identifier);

  /** The newest first, before that one. */
  readonly list = (limit: number, before = LAST) => this.all(toImport, own.list, limit, before);

  /** The unique identifiers of all imports into an account whose rejected rows are still stored. */
  readonly withRejected = (account: string) => this.column<string>(own.withRejected, account);

  readonly latest = (fingerprint: string) => this.first(toImport, own.latest, fingerprint);

  readonly undoing = () => this.all(toImport, own.undoing);

  /** Stores the rejected rows of an import for a few days. They are not in backups. */
  readonly keepRejected = (unique_identifier: string, rows: string) =>
    this.did(own.keepRejected, unique_identifier, rows);

  readonly rejected = async (unique_identifier: string) =>
    (await this.column<string | null>(own.rejected, unique_identifier))[0] ?? undefined;

  /** Stores what is left of these; the rest leaves the store's files, too. `false`: there are others by now. */
  readonly cutRejected = (unique_identifier: string, rows: string, rest: string) =>
    this.did(own.cutRejected, unique_identifier, rows, rest);

  /** Keeps what was chosen for the file of an import, by the names of its columns; `undefined` forgets it. */
  readonly remember = (unique_identifier: string, headings: string, choices: string | undefined) =>
    choices === undefined
      ? this.did(own.forget, unique_identifier)
      : this.did(own.remember, unique_identifier, headings, choices);

  readonly remembered = async (unique_identifier: string) =>
    (await this.column<string | null>(own.remembered, unique_identifier))[0] ?? undefined;

  /** Imports of files with the same columns, the newest first. */
  readonly alike = (headings: string, limit: number) =>
    this.all(toImport, own.alike, headings, limit);

  /** The unique identifiers of imports into an account of which choices are kept, the oldest first. */
  readonly withMemory = (account: string) => this.column<string>(own.withMemory, account);

  /** Removes some rejected rows that were stored long enough; returns whether there may be more. */
  readonly purge = () => this.purged(own.purge, this.now() - REJECTED_MS, PURGED_AT_ONCE);
}
