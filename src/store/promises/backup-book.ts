/** The store's notes on its backups: the last one that was checked, and the folders of continuous backups. */

/** Times are milliseconds since 1970. */
export interface CheckedBackup {
  /** The moment that it shows. */
  readonly taken_at: number;
  /** When it was checked. */
  readonly checked_at: number;
}

/** A daily backup is checked before the next one is due: one that shows an older moment is too old. */
export const OLD_BACKUP_MS = 2 * 86_400_000;

/** A folder of a continuous backup. */
export interface FollowedFolder {
  /** The scope of the lease: one process at a time runs the continuous backup of that name. */
  readonly name: string;
  readonly folder: string;
  readonly host: string;
  /** Everything up to then is in the folder; `null` where nothing is yet, `NOTHING` where nothing that it holds is of use; below it where nothing is any more: less the last moment that it showed. */
  readonly shows_at: number | null;
  /** When the whole backup was taken that it begins with. */
  readonly whole_at: number | null;
}

/** For `shows_at`: the whole backup is missing or damaged that the rest follows. */
export const NOTHING = 0;

/** How long the lease of a follower is that is not heard of. */
export const FOLLOWER_MS = 60_000;
/** How long a follower may be silent before it counts as gone. */
export const FORGOTTEN_MS = 7 * 86_400_000;

/** A folder, and when it was first heard of. */
export interface RegisteredFolder extends FollowedFolder {
  readonly since: number;
}

export interface BackupBook {
  /** The one that shows the latest moment. */
  last(): Promise<CheckedBackup | undefined>;
  /** Notes one, unless one of a later moment is noted. */
  note(checked: CheckedBackup): Promise<void>;
  /** Takes the lease of that name for a minute, or keeps it, and notes how far the folder is; false where another holder has it. */
  follow(holder: string, followed: FollowedFolder): Promise<boolean>;
  /** Ends the lease; with `forget`, deletes what is noted, too. */
  unfollow(holder: string, name: string, forget: boolean): Promise<void>;
  /** The folders of the last days, and when each was first heard of. */
  followed(): Promise<readonly RegisteredFolder[]>;
}
