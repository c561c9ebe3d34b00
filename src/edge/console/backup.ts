/** The age of the last checked backup, for administrators. */
import { present } from '../../core/objects/own-object.ts';
import { backup } from '../../core/objects/transfer/backup.ts';
import { OLD_BACKUP_MS } from '../../store/books/backups.ts';
import { ADMINISTERS } from './session/administrator.ts';
import { consoleOperation } from './session/visit.ts';

export const lastBackup = consoleOperation({
  ...ADMINISTERS,
  route: 'GET /backup',
  run: async ({ backups, service }) => {
    const last = await backups.last();
    const { taken_at = null, checked_at = null } = last ?? {};
    const overdue = last === undefined || service.now() - last.taken_at > OLD_BACKUP_MS;
    return present(backup, { taken_at, checked_at, overdue }, 'console', 0);
  },
});
