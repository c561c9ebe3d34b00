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
