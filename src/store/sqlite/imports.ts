/** Imports, and how far each has come. */
import { IMPORT_COLUMNS, importRow, type StoredImport, toImport } from '../import-rows.ts';
import { type ImportBook, type ImportRun, REJECTED_KEPT_MS } from '../imports.ts';
import type { Context } from './context.ts';
import { prepare } from './statements/prepare.ts';

/** Imports whose rows are removed in one go. */
const PURGED_AT_ONCE = 100;

export class Imports implements ImportBook {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async put(run: ImportRun): Promise<void> {
    await this.#write(
      `INSERT INTO import_run (${IMPORT_COLUMNS}) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (unique_identifier) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
      importRow(run),
    );
  }

  #write(text: string, values: readonly (string | number)[]) {
    const { connection } = this.#context;
    return connection.write(() => prepare(connection.database, text).run(...values));
  }

  async find(unique_identifier: string): Promise<ImportRun | undefined> {
    const [found] = this.#read('WHERE unique_identifier = ?', unique_identifier);
    return found;
  }

  async list(limit: number): Promise<readonly ImportRun[]> {
    return this.#read('ORDER BY unique_identifier DESC LIMIT ?', limit);
  }

  async latest(fingerprint: string): Promise<ImportRun | undefined> {
    const [found] = this.#read(
      'WHERE fingerprint = ? ORDER BY unique_identifier DESC LIMIT 1',
      fingerprint,
    );
    return found;
  }

  async keepRejected(unique_identifier: string, rows: string): Promise<void> {
    await this.#write('UPDATE import_run SET rejected = ? WHERE unique_identifier = ?', [
      rows,
      unique_identifier,
    ]);
  }

  async rejected(unique_identifier: string): Promise<string | undefined> {
    const { connection } = this.#context;
    const text = 'SELECT rejected FROM import_run WHERE unique_identifier = ?';
    return connection.read(() => {
      const row = prepare<readonly [string | null]>(connection.database, text).get(
        unique_identifier,
      );
      return row?.[0] ?? undefined;
    });
  }

  async purge(): Promise<boolean> {
    const { changes } = await this.#write(
      `UPDATE import_run SET rejected = NULL WHERE unique_identifier IN (
         SELECT unique_identifier FROM import_run
         WHERE rejected IS NOT NULL AND updated_at < ? LIMIT ?)`,
      [this.#context.now() - REJECTED_KEPT_MS, PURGED_AT_ONCE],
    );
    if (Number(changes) > 0) this.#context.connection.noteRemoved();
    return changes === PURGED_AT_ONCE;
  }

  #read(which: string, value: string | number): readonly ImportRun[] {
    const { connection } = this.#context;
    return connection.read(() =>
      prepare<StoredImport>(
        connection.database,
        `SELECT ${IMPORT_COLUMNS} FROM import_run ${which}`,
      )
        .all(value)
        .map(toImport),
    );
  }
}
