/**
 * Begins to read a few new connections in each tick of the event loop, round-robin by address: the requests of many
 * must not prevent the next connections from being accepted. Per address the oldest and the newest connection
 * alternate: one that arrives in the middle of a thousand hardly waits for them, and none waits twice as long as in a
 * queue.
 */
import { Server } from 'node:http';
import { LoopQueue } from '../../core/fair/loop.ts';

export function readConnectionsFairly(server: Server): void {
  // The cost of a new TLS connection is its handshake, which is not read here.
  if (!(server instanceof Server)) return;
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
