/** The last backup that was proved to be whole, and folders that are kept up with the store. */
import {
  type BackupBook,
  type CheckedBackup,
  FOLLOWER_MS,
  FORGOTTEN_MS,
  type FollowedFolder,
} from '../backup-book.ts';
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

const NOW = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint';
const follow = prepared(
  `INSERT INTO followed_backup AS kept (name, holder, until, folder, host, since, shows_at)
   VALUES ($1, $2, ${NOW} + ${FOLLOWER_MS}, $3, $4, ${NOW}, $5)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
       folder = excluded.folder, host = excluded.host, shows_at = coalesce(excluded.shows_at, kept.shows_at),
       since = CASE WHEN kept.until < ${NOW} - ${FORGOTTEN_MS} THEN excluded.since ELSE kept.since END
     WHERE kept.holder = excluded.holder OR kept.until <= ${NOW}`,
);
const unfollow = prepared(
  `UPDATE followed_backup SET until = ${NOW} WHERE name = $1 AND holder = $2 AND until > ${NOW}`,
);
const forgetFollowed = prepared('DELETE FROM followed_backup WHERE name = $1 AND holder = $2');
const followed = prepared<
  readonly [name: string, folder: string, host: string, since: number, shows_at: number | null]
>(
  `SELECT name, folder, host, since, shows_at FROM followed_backup
   WHERE until > ${NOW} - ${FORGOTTEN_MS} ORDER BY name`,
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

  async follow(holder: string, { name, folder, host, shows_at }: FollowedFolder): Promise<boolean> {
    const write = call(follow, name, holder, folder, host, shows_at);
    return (await this.#sessions.use((session) => session.run(write))).count > 0;
  }

  async unfollow(holder: string, name: string, forget: boolean): Promise<void> {
    const write = call(forget ? forgetFollowed : unfollow, name, holder);
    await this.#sessions.use((session) => session.run(write));
  }

  async followed() {
    const rows = await this.#sessions.use((session) => session.rows(call(followed)));
    return rows.map(([name, folder, host, since, shows_at]) => ({
      ...{ name, folder, host, since, shows_at },
    }));
  }
}
