/** The book of backups, over the tables of a store. */
import type { Origin } from '../../core/objects/transfer/backup.ts';
import { isFree } from '../believed-time.ts';
import { named } from '../images.ts';
import { Book } from './book.ts';
import { statements } from './tables.ts';

/** Times are milliseconds since 1970. */
interface CheckedBackup {
  readonly taken_at: number;
  readonly checked_at: number;
  /** Among the backups of the store; 0: it has none, or is of the store that this one was restored from. */
  readonly number: number;
}

/** Which store it is, as its backups name it, and the number of the last one that it has made. */
export interface StoreIdentity {
  readonly store: string;
  readonly made: number;
  /** The stores that it was restored from, the last one first. */
  readonly origins: readonly Origin[];
  /** Where it has put its last backup. */
  readonly folder: string | null;
  readonly host: string | null;
}

/** A folder on a machine. */
type FolderOfHost = Pick<FollowedFolder, 'folder' | 'host'>;

/** How far a moment may be ahead of a clock before it counts as one to come: clocks of machines differ. */
const CLOCKS_DIFFER_MS = 60_000;

/** Whether the clock that gave the moment is ahead of the one that says `now`, or this one is behind. */
export function isAhead(moment: number, now: number): boolean {
  return moment - now > CLOCKS_DIFFER_MS;
}

/** The age at which a daily backup is too old: it is checked before the next one is due. */
export const OLD_BACKUP_MS = 2 * 86_400_000;

type Origins = Pick<StoreIdentity, 'store' | 'made' | 'origins'>;

/** The content of a followed folder, as far as its follower knows. */
export interface FolderContent {
  /** `empty`: nothing is in it yet. `unusable`: the whole backup that the rest follows is missing or damaged. */
  readonly state: 'empty' | 'complete' | 'unusable';
  /** The moment up to which it is complete, or was before it became unusable. */
  readonly until: number | undefined;
}

export const EMPTY: FolderContent = { state: 'empty', until: undefined };

interface FollowedFolder {
  /** The scope of the lease: one process at a time runs the continuous backup of that name. */
  readonly name: string;
  readonly folder: string;
  readonly host: string;
  readonly holds: FolderContent;
  /** The moment of the whole backup that it begins with. */
  readonly whole_at: number | null;
  /** Damaged changes of the log that it lacks; `null` where that is not known. */
  readonly left_out: number | null;
}

/** The lease of a follower that is silent. */
const FOLLOWER_MS = 60_000;
/** The silence after which a follower counts as gone. */
const FORGOTTEN_MS = 7 * 86_400_000;

/** A folder, and when it was first noted. */
export interface RegisteredFolder extends FollowedFolder {
  readonly since: number;
}

const FOLDER = ['name', 'folder', 'host', 'since', 'shows_at', 'whole_at', 'left_out'] as const;
const toStoredFolder = named<
  Omit<RegisteredFolder, 'holds'> & { readonly shows_at: number | null }
>(...FOLDER);
const toFolder = (row: readonly unknown[]): RegisteredFolder => {
  const { shows_at, ...folder } = toStoredFolder(row);
  return { ...folder, holds: toContent(shows_at) };
};
const toChecked = named<CheckedBackup>('taken_at', 'checked_at', 'number');
const toStored = named<Omit<StoreIdentity, 'origins'> & { readonly origins: string }>(
  ...(['store', 'made', 'origins', 'folder', 'host'] as const),
);
const toIdentity = (row: readonly unknown[]): StoreIdentity => {
  const { origins, ...stored } = toStored(row);
  return { ...stored, origins: JSON.parse(origins) };
};
const toJournal = named<FolderOfHost>('folder', 'host');

/** Reads the column `shows_at`: the moment of a complete folder, minus that of an unusable one, 0 where it never was complete. */
function toContent(shows_at: number | null): FolderContent {
  if (shows_at === null) return EMPTY;
  if (shows_at > 0) return { state: 'complete', until: shows_at };
  return { state: 'unusable', until: shows_at === 0 ? undefined : -shows_at };
}

function storedContent({ state, until = 0 }: FolderContent): number | null {
  if (state === 'empty') return null;
  return state === 'complete' ? until : 0 - until;
}

/** Whether it is the one that was noted under that name: another one has nothing of that one's content. */
const SAME_FOLDER = '(known.folder = excluded.folder AND known.host = excluded.host)';
/** Columns that a process does not know yet when it begins to read a folder. */
const UNCHANGED = ['shows_at', 'whole_at', 'left_out']
  .map((at) => `${at} = coalesce(excluded.${at}, CASE WHEN ${SAME_FOLDER} THEN known.${at} END)`)
  .join(', ');

/** With the host, the name of a folder that has no backup. */
const JOURNAL = 'journal on ';

export const sql = statements({
  last: 'SELECT taken_at, checked_at, number FROM checked_backup',
  /** By the order in which they were made. Where the numbers do not tell, one that is still to come does not hide others. */
  note: `INSERT INTO checked_backup AS known (single, taken_at, checked_at, number) VALUES (true, $1, $2, $3)
    ON CONFLICT (single) DO UPDATE SET taken_at = excluded.taken_at, checked_at = excluded.checked_at, number = excluded.number
      WHERE excluded.number > known.number OR (excluded.number = known.number
        AND (excluded.taken_at >= known.taken_at OR known.taken_at > excluded.checked_at))`,
  identity: 'SELECT store, made, origins, folder, host FROM store_identity',
  begin: `INSERT INTO store_identity (single, store, made, origins) VALUES (true, $1, 0, '[]')
    ON CONFLICT (single) DO NOTHING`,
  count: `UPDATE store_identity SET made = made + 1,
      folder = coalesce($1, folder), host = coalesce($2, host) RETURNING made`,
  /** Where it is still the one that it was. */
  descend: 'UPDATE store_identity SET store = $1, made = $2, origins = $3 WHERE store = $4',
  /** Takes the name, holder, folder, host and moments. What is there is compared with the time in `since`: a cluster takes no function there. */
  follow: ({ now }) => `INSERT INTO followed_backup AS known
      (name, holder, until, folder, host, since, shows_at, whole_at, left_out)
    VALUES ($1, $2, ${now} + ${FOLLOWER_MS}, $3, $4, ${now}, $5, $6, $7)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until,
        folder = excluded.folder, host = excluded.host, ${UNCHANGED},
        since = CASE WHEN known.until < excluded.since - ${FORGOTTEN_MS} OR NOT ${SAME_FOLDER}
          THEN excluded.since ELSE known.since END
      WHERE known.holder = excluded.holder OR ${isFree('known.until', 'excluded.since', FOLLOWER_MS)}`,
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

  /** Notes a checked backup, unless one that was made later is noted. */
  readonly note = ({ taken_at, checked_at, number }: CheckedBackup) =>
    this.did(sql.note, taken_at, checked_at, number);

  /** Which store it is; `undefined` until it has made a backup. */
  readonly known = () => this.first(toIdentity, sql.identity);

  /** Which store it is, from now on. */
  async identity(): Promise<StoreIdentity> {
    const known = await this.known();
    if (known !== undefined) return known;
    await this.did(sql.begin, this.identify('str_'));
    return (await this.known()) as StoreIdentity;
  }

  /** The number of a new backup, which no other one of the store has, and where it is put. */
  async count({ folder, host }: Partial<FolderOfHost> = {}): Promise<number> {
    await this.identity();
    const place = [folder ?? null, host ?? null];
    const { rows } = await this.tables.change<readonly [number]>(sql.count, ...place);
    return Number(rows[0]?.[0]);
  }

  /** Makes it another store than the one that it was set back from, which has made backups up to that number. */
  async descend({ store, made, origins }: Origins, last: number): Promise<void> {
    const origin = { store, number: made, at: this.now() };
    const all = JSON.stringify([origin, ...origins]);
    await this.did(sql.descend, this.identify('str_'), last, all, store);
  }

  /** Takes or renews the lease of that name for a minute, and notes the folder's progress; false if another holder has it. */
  async follow(holder: string, followed: FollowedFolder): Promise<boolean> {
    const { name, folder, host, holds, whole_at, left_out } = followed;
    const values = [name, holder, folder, host, storedContent(holds), whole_at, left_out];
    return this.did(sql.follow, ...values);
  }

  /** Ends the lease; with `forget`, deletes the notes, too. */
  readonly unfollow = (holder: string, name: string, forget: boolean) =>
    this.did(forget ? sql.forget : sql.unfollow, name, holder);

  /** Notes the folder of a host's service that has the journal of erasures alone; `undefined`: it has none. */
  async noteJournal(host: string, folder: string | undefined): Promise<void> {
    const name = JOURNAL + host;
    const noted = { name, host, holds: EMPTY, whole_at: null, left_out: null };
    if (folder === undefined) await this.unfollow(host, name, true);
    else await this.follow(host, { ...noted, folder });
  }

  readonly journals = () => this.all(toJournal, sql.journals);

  /** The folders of the last days, and when each was first noted. */
  readonly followed = () => this.all(toFolder, sql.followed);
}
