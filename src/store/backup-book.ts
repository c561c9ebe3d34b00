/** What a store notes of its backups: the last one that was proved to be whole. */

/** Times are milliseconds since 1970. */
export interface CheckedBackup {
  /** The moment that it shows. */
  readonly taken_at: number;
  /** When it was proved. */
  readonly checked_at: number;
}

/** A day's backup is proved before the next one is due: one that shows an older moment is too old. */
export const OLD_BACKUP_MS = 2 * 86_400_000;

export interface BackupBook {
  /** The one that shows the latest moment. */
  last(): Promise<CheckedBackup | undefined>;
  /** Notes one, unless one of a later moment is noted. */
  note(checked: CheckedBackup): Promise<void>;
}
