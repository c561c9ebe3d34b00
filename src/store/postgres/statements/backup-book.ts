/** The SQL of backups: the last one that was checked, and folders that are kept up with the store. */
import {
  FOLLOWED_COLUMNS,
  FOLLOWER_MS,
  FORGOTTEN_MS,
  type FollowedRow,
  KEPT_OF_FOLDER,
  SAME_FOLDER,
} from '../../backup-book.ts';
import { prepared } from './prepare.ts';

export const find = prepared<readonly [taken_at: number, checked_at: number]>(
  'SELECT taken_at, checked_at FROM checked_backup',
);
export const note = prepared(
  `INSERT INTO checked_backup (single, taken_at, checked_at) VALUES (true, $1, $2)
   ON CONFLICT (single) DO UPDATE SET taken_at = excluded.taken_at, checked_at = excluded.checked_at
     WHERE excluded.taken_at >= checked_backup.taken_at`,
);

const NOW = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint';
/** Takes the name, holder, folder, host and moments. What is there is compared with the time in `since`: a cluster takes no function there. */
export const follow = prepared(
  `INSERT INTO followed_backup AS kept (name, holder, until, folder, host, since, shows_at, whole_at)
   VALUES ($1, $2, ${NOW} + ${FOLLOWER_MS}, $3, $4, ${NOW}, $5, $6)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
       folder = excluded.folder, host = excluded.host, ${KEPT_OF_FOLDER},
       since = CASE WHEN kept.until < excluded.since - ${FORGOTTEN_MS} OR NOT ${SAME_FOLDER}
         THEN excluded.since ELSE kept.since END
     WHERE kept.holder = excluded.holder OR kept.until <= excluded.since`,
);
export const unfollow = prepared(
  `UPDATE followed_backup SET until = ${NOW} WHERE name = $1 AND holder = $2 AND until > ${NOW}`,
);
export const forget = prepared('DELETE FROM followed_backup WHERE name = $1 AND holder = $2');
export const followed = prepared<FollowedRow>(
  `SELECT ${FOLLOWED_COLUMNS} FROM followed_backup
   WHERE until > ${NOW} - ${FORGOTTEN_MS} ORDER BY name`,
);
