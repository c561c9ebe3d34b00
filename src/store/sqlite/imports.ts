/** Imports, and how far each has come. */
import { IMPORT_COLUMNS, importRow, type StoredImport, toImport } from '../import-rows.ts';
import type { ImportBook, ImportRun } from '../imports.ts';
import type { Context } from './context.ts';
import { prepare } from './statements/prepare.ts';

export class Imports implements ImportBook {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async put(run: ImportRun): Promise<void> {
    await this.#context.connection.write(() => {
      const { database } = this.#context.connection;
      prepare(
        database,
        `INSERT INTO import_run (${IMPORT_COLUMNS}) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (unique_identifier) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
      ).run(...importRow(run));
    });
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
