/** Imports: which there were, and how far each has come. */
import { IMPORT_COLUMNS, importRow, type StoredImport, toImport } from '../import-rows.ts';
import { type ImportBook, type ImportRun, REJECTED_KEPT_MS } from '../imports.ts';
import type { Context } from './context.ts';
import { call } from './wire/session.ts';

const put = `INSERT INTO import_run (${IMPORT_COLUMNS}) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (unique_identifier) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`;

const keep = 'UPDATE import_run SET rejected = $2 WHERE unique_identifier = $1';
const kept = 'SELECT rejected FROM import_run WHERE unique_identifier = $1';
const purge = `UPDATE import_run SET rejected = NULL WHERE unique_identifier IN (
    SELECT unique_identifier FROM import_run
    WHERE rejected IS NOT NULL AND updated_at < $1 LIMIT $2)`;
/** Imports whose rows are removed in one go. */
const PURGED_AT_ONCE = 100;

export class Imports implements ImportBook {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async put(run: ImportRun): Promise<void> {
    await this.#context.sessions.run(call({ text: put }, ...importRow(run)));
  }

  async find(unique_identifier: string): Promise<ImportRun | undefined> {
    const [found] = await this.#read('WHERE unique_identifier = $1', unique_identifier);
    return found;
  }

  list(limit: number): Promise<readonly ImportRun[]> {
    return this.#read('ORDER BY unique_identifier DESC LIMIT $1', limit);
  }

  async latest(fingerprint: string): Promise<ImportRun | undefined> {
    const which = 'WHERE fingerprint = $1 ORDER BY unique_identifier DESC LIMIT 1';
    const [found] = await this.#read(which, fingerprint);
    return found;
  }

  async keepRejected(unique_identifier: string, rows: string): Promise<void> {
    await this.#context.sessions.run(call({ text: keep }, unique_identifier, rows));
  }

  async rejected(unique_identifier: string): Promise<string | undefined> {
    const [row] = await this.#context.sessions.rows<readonly [string | null]>(
      call({ text: kept }, unique_identifier),
    );
    return row?.[0] ?? undefined;
  }

  async purge(): Promise<boolean> {
    const before = this.#context.now() - REJECTED_KEPT_MS;
    const { count } = await this.#context.sessions.run(
      call({ text: purge }, before, PURGED_AT_ONCE),
    );
    return count === PURGED_AT_ONCE;
  }

  async #read(which: string, value: string | number): Promise<readonly ImportRun[]> {
    const text = `SELECT ${IMPORT_COLUMNS} FROM import_run ${which}`;
    const rows = await this.#context.sessions.rows<StoredImport>(call({ text }, value));
    return rows.map(toImport);
  }
}
