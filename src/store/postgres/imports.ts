/** Imports: which there were, and how far each has come. */
import { IMPORT_COLUMNS, importRow, type StoredImport, toImport } from '../import-rows.ts';
import type { ImportBook, ImportRun } from '../imports.ts';
import type { Context } from './context.ts';
import { call } from './wire/session.ts';

const put = `INSERT INTO import_run (${IMPORT_COLUMNS}) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (unique_identifier) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`;

export class Imports implements ImportBook {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async put(run: ImportRun): Promise<void> {
    await this.#context.sessions.use((session) =>
      session.run(call({ text: put }, ...importRow(run))),
    );
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

  async #read(which: string, value: string | number): Promise<readonly ImportRun[]> {
    const text = `SELECT ${IMPORT_COLUMNS} FROM import_run ${which}`;
    const rows = await this.#context.sessions.use((session) =>
      session.rows<StoredImport>(call({ text }, value)),
    );
    return rows.map(toImport);
  }
}
