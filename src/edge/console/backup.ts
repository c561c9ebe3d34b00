/** How old the last checked backup is, for people who must know it. */
import { OLD_BACKUP_MS } from '../../store/promises/backup-book.ts';
import { ADMINISTERS } from './members.ts';
import { consoleOperation } from './session/visit.ts';
import { timeOrNull } from './views.ts';

export const lastBackup = consoleOperation({
  ...ADMINISTERS,
  route: 'GET /backup',
  run: async ({ backups, desk }) => {
    const last = await backups.last();
    return {
      object: 'backup',
      taken_at: timeOrNull(last?.taken_at ?? null),
      checked_at: timeOrNull(last?.checked_at ?? null),
      overdue: last === undefined || desk.now() - last.taken_at > OLD_BACKUP_MS,
    };
  },
});
