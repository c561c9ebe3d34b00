/**
 * Shares this thread among keys: when a tick of the event loop has taken long, its remaining requests wait, and begin
 * key by key. Another key's request is among the next, no matter how many connections one key has.
 */
import type { FastifyInstance } from 'fastify';
import { connectionCame, LoopQueue } from '../../core/fair/loop.ts';

/** Added after authentication, when the caller is known. */
export function beginRequestsFairly(server: FastifyInstance): void {
  const queue = new LoopQueue({ least: 1, most: 256 });
  server.server.on('connection', connectionCame);
  server.addHook('onRequest', (request, _reply, done) => {
    queue.enter(request.principal?.key ?? '', () => done());
  });
}
