/** The last backup that was proved to be whole. */
import type { BackupBook, CheckedBackup } from '../backup-book.ts';
import { prepared } from './statements/prepare.ts';
import { call } from './wire/session.ts';
import type { Sessions } from './wire/sessions.ts';

const find = prepared<readonly [taken_at: number, checked_at: number]>(
  'SELECT taken_at, checked_at FROM checked_backup',
);
const note = prepared(
  `INSERT INTO checked_backup (single, taken_at, checked_at) VALUES (true, $1, $2)
   ON CONFLICT (single) DO UPDATE SET taken_at = excluded.taken_at, checked_at = excluded.checked_at
     WHERE excluded.taken_at >= checked_backup.taken_at`,
);

export class Backups implements BackupBook {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async last(): Promise<CheckedBackup | undefined> {
    const [row] = await this.#sessions.use((session) => session.rows(call(find)));
    return row && { taken_at: row[0], checked_at: row[1] };
  }

  async note({ taken_at, checked_at }: CheckedBackup): Promise<void> {
    await this.#sessions.use((session) => session.run(call(note, taken_at, checked_at)));
  }
}
