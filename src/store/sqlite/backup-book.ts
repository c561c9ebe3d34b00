/** The last checked backup, and folders that are kept up with the store. */
import {
  type BackupBook,
  type CheckedBackup,
  FOLLOWED_COLUMNS,
  FOLLOWER_MS,
  FORGOTTEN_MS,
  type FollowedFolder,
  type FollowedRow,
  KEPT_OF_FOLDER,
  SAME_FOLDER,
  toFollowed,
} from '../backup-book.ts';
import type { Context } from './context.ts';
import { prepare } from './statements/prepare.ts';

export class Backups implements BackupBook {
  readonly #connection: Context['connection'];
  readonly #now: () => number;
  readonly #find;
  readonly #note;
  readonly #follow;
  readonly #unfollow;
  readonly #forget;
  readonly #followed;

  constructor({ connection, now }: Pick<Context, 'connection' | 'now'>) {
    const { database } = connection;
    this.#connection = connection;
    this.#now = now;
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
    this.#follow = prepare(
      database,
      `INSERT INTO followed_backup AS kept (name, holder, until, folder, host, since, shows_at, whole_at)
       VALUES (?1, ?2, ?7 + ${FOLLOWER_MS}, ?3, ?4, ?7, ?5, ?6)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
           folder = excluded.folder, host = excluded.host, ${KEPT_OF_FOLDER},
           since = CASE WHEN kept.until < ?7 - ${FORGOTTEN_MS} OR NOT ${SAME_FOLDER}
             THEN excluded.since ELSE kept.since END
         WHERE kept.holder = excluded.holder OR kept.until <= ?7`,
    );
    this.#unfollow = prepare(
      database,
      'UPDATE followed_backup SET until = ?3 WHERE name = ?1 AND holder = ?2 AND until > ?3',
    );
    this.#forget = prepare(database, 'DELETE FROM followed_backup WHERE name = ? AND holder = ?');
    this.#followed = prepare<FollowedRow>(
      database,
      `SELECT ${FOLLOWED_COLUMNS} FROM followed_backup WHERE until > ? ORDER BY name`,
    );
  }

  async last(): Promise<CheckedBackup | undefined> {
    const row = this.#connection.read(() => this.#find.get());
    return row && { taken_at: row[0], checked_at: row[1] };
  }

  async note({ taken_at, checked_at }: CheckedBackup): Promise<void> {
    await this.#connection.write(() => this.#note.run(taken_at, checked_at));
  }

  async follow(holder: string, followed: FollowedFolder): Promise<boolean> {
    const { name, folder, host, shows_at, whole_at } = followed;
    const { changes } = await this.#connection.write(() =>
      this.#follow.run(name, holder, folder, host, shows_at, whole_at, this.#now()),
    );
    return Number(changes) > 0;
  }

  async unfollow(holder: string, name: string, forget: boolean): Promise<void> {
    await this.#connection.write(() =>
      forget ? this.#forget.run(name, holder) : this.#unfollow.run(name, holder, this.#now()),
    );
  }

  async followed() {
    const rows = this.#connection.read(() => this.#followed.all(this.#now() - FORGOTTEN_MS));
    return rows.map(toFollowed);
  }
}
