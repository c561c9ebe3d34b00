/** The last backup that was proved to be whole. */
import type { BackupBook, CheckedBackup } from '../backup-book.ts';
import type { Connection } from './file/connection.ts';
import { prepare } from './statements/prepare.ts';

export class Backups implements BackupBook {
  readonly #connection: Connection;
  readonly #find;
  readonly #note;

  constructor(connection: Connection) {
    const { database } = connection;
    this.#connection = connection;
    this.#find = prepare<readonly [taken_at: number, checked_at: number]>(
      database,
      'SELECT taken_at, checked_at FROM checked_backup',
    );
    this.#note = prepare(
      database,
      `INSERT INTO checked_backup (only, taken_at, checked_at) VALUES (1, ?, ?)
       ON CONFLICT (only) DO UPDATE SET taken_at = excluded.taken_at, checked_at = excluded.checked_at
         WHERE excluded.taken_at >= checked_backup.taken_at`,
    );
  }

  async last(): Promise<CheckedBackup | undefined> {
    const row = this.#connection.read(() => this.#find.get());
    return row && { taken_at: row[0], checked_at: row[1] };
  }

  async note({ taken_at, checked_at }: CheckedBackup): Promise<void> {
    await this.#connection.write(() => this.#note.run(taken_at, checked_at));
  }
}
