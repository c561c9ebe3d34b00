/**
 * Begins to read new connections a few in each turn of the event loop, the addresses
 * in turn: what many of them bring must not keep the next ones from being accepted.
 * Of one address the oldest and the newest take turns: one that comes in the middle of
 * a thousand waits little for them, and none waits twice as long as in a queue.
 */
import type { Server } from 'node:http';
import { Server as SecureServer } from 'node:tls';
import { LoopQueue } from '../../core/fair/loop.ts';

export function readConnectionsInTurn(server: Server): void {
  // What a new connection over TLS costs is the handshake, which is not read here.
  if (server instanceof SecureServer) return;
  let oldest = false;
  const queue = new LoopQueue({ least: 4, most: 256 }, (own) => {
    oldest = !oldest;
    return oldest ? own.shift() : own.pop();
  });
  server.on('connection', (socket) => {
    socket.pause();
    queue.push(socket.remoteAddress ?? '', () => socket.resume());
  });
}
