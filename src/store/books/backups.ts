/** The book of backups, over the tables of a store. */
import { named } from '../images.ts';
import { Book } from './book.ts';
import { statements } from './tables.ts';

/** Times are milliseconds since 1970. */
interface CheckedBackup {
  readonly taken_at: number;
  readonly checked_at: number;
}

/** The age at which a daily backup is too old: it is checked before the next one is due. */
export const OLD_BACKUP_MS = 2 * 86_400_000;

interface FollowedFolder {
  /** The scope of the lease: one process at a time runs the continuous backup of that name. */
  readonly name: string;
  readonly folder: string;
  readonly host: string;
  /**
   * The moment up to which the folder is complete. `null`: nothing is in it yet. `NOTHING`: it cannot be restored.
   * Negative: its content is gone, and was complete up to minus this moment.
   */
  readonly shows_at: number | null;
  /** The moment of the whole backup that it begins with. */
  readonly whole_at: number | null;
  /** Damaged changes of the log that it lacks; `null` where that is not known. */
  readonly left_out: number | null;
}

/** For `shows_at`: the whole backup that the rest follows is missing or damaged. */
export const NOTHING = 0;

/** The lease of a follower that is silent. */
const FOLLOWER_MS = 60_000;
/** The silence after which a follower counts as gone. */
const FORGOTTEN_MS = 7 * 86_400_000;

/** A folder, and when it was first noted. */
export interface RegisteredFolder extends FollowedFolder {
  readonly since: number;
}

const FOLDER = ['name', 'folder', 'host', 'since', 'shows_at', 'whole_at', 'left_out'] as const;
const toFolder = named<RegisteredFolder>(...FOLDER);
const toChecked = named<CheckedBackup>('taken_at', 'checked_at');
const toJournal = named<Pick<FollowedFolder, 'folder' | 'host'>>('folder', 'host');

/** Whether it is the one that was noted under that name: another one has nothing of that one's content. */
const SAME_FOLDER = '(known.folder = excluded.folder AND known.host = excluded.host)';
/** Columns that a process does not know yet when it begins to read a folder. */
const UNCHANGED = ['shows_at', 'whole_at', 'left_out']
  .map((at) => `${at} = coalesce(excluded.${at}, CASE WHEN ${SAME_FOLDER} THEN known.${at} END)`)
  .join(', ');

/** With the host, the name of a folder that has no backup. */
const JOURNAL = 'journal on ';

export const sql = statements({
  last: 'SELECT taken_at, checked_at FROM checked_backup',
  note: `INSERT INTO checked_backup (single, taken_at, checked_at) VALUES (true, $1, $2)
    ON CONFLICT (single) DO UPDATE SET taken_at = excluded.taken_at, checked_at = excluded.checked_at
      WHERE excluded.taken_at >= checked_backup.taken_at`,
  /** Takes the name, holder, folder, host and moments. What is there is compared with the time in `since`: a cluster takes no function there. */
  follow: ({ now }) => `INSERT INTO followed_backup AS known
      (name, holder, until, folder, host, since, shows_at, whole_at, left_out)
    VALUES ($1, $2, ${now} + ${FOLLOWER_MS}, $3, $4, ${now}, $5, $6, $7)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
        folder = excluded.folder, host = excluded.host, ${UNCHANGED},
        since = CASE WHEN known.until < excluded.since - ${FORGOTTEN_MS} OR NOT ${SAME_FOLDER}
          THEN excluded.since ELSE known.since END
      WHERE known.holder = excluded.holder OR known.until <= excluded.since`,
  unfollow: ({ now }) =>
    `UPDATE followed_backup SET until = ${now} WHERE name = $1 AND holder = $2 AND until > ${now}`,
  forget: 'DELETE FROM followed_backup WHERE name = $1 AND holder = $2',
  followed: ({ now }) => `SELECT ${FOLDER.join(', ')} FROM followed_backup
    WHERE until > ${now} - ${FORGOTTEN_MS} AND name NOT LIKE '${JOURNAL}%' ORDER BY name`,
  journals: `SELECT folder, host FROM followed_backup WHERE name LIKE '${JOURNAL}%' ORDER BY name`,
});

export class BackupBook extends Book {
  /** The checked backup with the latest content. */
  readonly last = () => this.first(toChecked, sql.last);

  /** Notes a checked backup, unless one with later content is noted. */
  readonly note = ({ taken_at, checked_at }: CheckedBackup) =>
    this.did(sql.note, taken_at, checked_at);

  /** Takes or renews the lease of that name for a minute, and notes the folder's progress; false if another holder has it. */
  async follow(holder: string, followed: FollowedFolder): Promise<boolean> {
    const { name, folder, host, shows_at, whole_at, left_out } = followed;
    const values = [name, holder, folder, host, shows_at, whole_at, left_out];
    return this.did(sql.follow, ...values);
  }

  /** Ends the lease; with `forget`, deletes the notes, too. */
  readonly unfollow = (holder: string, name: string, forget: boolean) =>
    this.did(forget ? sql.forget : sql.unfollow, name, holder);

  /** Notes the folder of a host's service that has the journal of erasures alone; `undefined`: it has none. */
  async noteJournal(host: string, folder: string | undefined): Promise<void> {
    const name = JOURNAL + host;
    const noted = { name, host, shows_at: null, whole_at: null, left_out: null };
    if (folder === undefined) await this.unfollow(host, name, true);
    else await this.follow(host, { ...noted, folder });
  }

  readonly journals = () => this.all(toJournal, sql.journals);

  /** The folders of the last days, and when each was first noted. */
  readonly followed = () => this.all(toFolder, sql.followed);
}
