/** How old the last checked backup is, for people who must know it. */
import type { FastifyInstance } from 'fastify';
import { OLD_BACKUP_MS } from '../../store/promises/backup-book.ts';
import { sendJson } from '../response/envelope.ts';
import { administratorOf } from './session/administrator.ts';
import type { ConsoleParts } from './session/caller.ts';
import { timeOrNull } from './views.ts';

/** To be added below `/console/api`. */
export function addBackupRoute(server: FastifyInstance, parts: ConsoleParts): void {
  const { backups, desk } = parts;
  server.get('/backup', async (request, reply) => {
    administratorOf(request, parts, false);
    const last = await backups.last();
    const told = {
      object: 'backup',
      taken_at: timeOrNull(last?.taken_at ?? null),
      checked_at: timeOrNull(last?.checked_at ?? null),
      overdue: last === undefined || desk.now() - last.taken_at > OLD_BACKUP_MS,
    };
    return sendJson(reply, JSON.stringify(told));
  });
}
