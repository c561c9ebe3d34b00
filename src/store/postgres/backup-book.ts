/** The last checked backup, and folders that are kept up with the store. */
import {
  type BackupBook,
  type CheckedBackup,
  type FollowedFolder,
  toFollowed,
} from '../backup-book.ts';
import * as statements from './statements/backup-book.ts';
import { call } from './wire/session.ts';
import type { Sessions } from './wire/sessions.ts';

export class Backups implements BackupBook {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async last(): Promise<CheckedBackup | undefined> {
    const [row] = await this.#sessions.rows(call(statements.find));
    return row && { taken_at: row[0], checked_at: row[1] };
  }

  async note({ taken_at, checked_at }: CheckedBackup): Promise<void> {
    await this.#sessions.run(call(statements.note, taken_at, checked_at));
  }

  async follow(holder: string, followed: FollowedFolder): Promise<boolean> {
    const { name, folder, host, shows_at, whole_at } = followed;
    const write = call(statements.follow, name, holder, folder, host, shows_at, whole_at);
    return (await this.#sessions.run(write)).count > 0;
  }

  async unfollow(holder: string, name: string, forget: boolean): Promise<void> {
    const write = call(forget ? statements.forget : statements.unfollow, name, holder);
    await this.#sessions.run(write);
  }

  async followed() {
    const rows = await this.#sessions.rows(call(statements.followed));
    return rows.map(toFollowed);
  }
}
