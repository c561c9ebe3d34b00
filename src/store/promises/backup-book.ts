/** The store's notes on its backups: the last one that was checked, and the folders of continuous backups. */

/** Times are milliseconds since 1970. */
export interface CheckedBackup {
  /** The moment of the backup's content. */
  readonly taken_at: number;
  /** When it was checked. */
  readonly checked_at: number;
}

/** The age at which a daily backup is too old: it is checked before the next one is due. */
export const OLD_BACKUP_MS = 2 * 86_400_000;

/** A folder of a continuous backup. */
export interface FollowedFolder {
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
export const FOLLOWER_MS = 60_000;
/** The silence after which a follower counts as gone. */
export const FORGOTTEN_MS = 7 * 86_400_000;

/** A folder, and when it was first noted. */
export interface RegisteredFolder extends FollowedFolder {
  readonly since: number;
}

export interface BackupBook {
  /** The checked backup with the latest content. */
  last(): Promise<CheckedBackup | undefined>;
  /** Notes a checked backup, unless one with later content is noted. */
  note(checked: CheckedBackup): Promise<void>;
  /**
   * Takes or renews the lease of that name for a minute, and notes the folder's progress; false if another holder has
   * it.
   */
  follow(holder: string, followed: FollowedFolder): Promise<boolean>;
  /** Ends the lease; with `forget`, deletes the notes, too. */
  unfollow(holder: string, name: string, forget: boolean): Promise<void>;
  /** The folders of the last days, and when each was first noted. */
  followed(): Promise<readonly RegisteredFolder[]>;
  /** Notes the folder of a host's service that has the journal of erasures alone; `undefined`: it has none. */
  noteJournal(host: string, folder: string | undefined): Promise<void>;
  /** Those folders. */
  journals(): Promise<readonly Pick<FollowedFolder, 'folder' | 'host'>[]>;
}
