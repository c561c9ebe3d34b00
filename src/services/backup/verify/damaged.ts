/** The error for a file that cannot be restored. */

/** The file is not a backup, is damaged, or is for a newer Ledgerstone: one clear sentence for the operator. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable';
}

export function damaged(why: string): BackupUnusable {
  return new BackupUnusable(`The backup is damaged: ${why}. Use another one.`);
}

export function notBackup(): BackupUnusable {
  return new BackupUnusable(
    'The file is not a Ledgerstone backup: name one that "ledgerstone backup" wrote.',
  );
}
