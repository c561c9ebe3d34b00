/**
 * Begins to read new connections a few in each turn of the event loop. The system
 * gives one new connection in a turn, so while what many of them bring is looked
 * at, the next ones are not even accepted: those of one address take turns with
 * the others', and no more are read while more come. Of one address the oldest
 * and the newest take turns: whoever comes in the middle of a thousand that came
 * at once is hardly kept waiting by them, and nobody waits twice as long as in a queue.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as SecureServer } from 'node:tls';
import { FairQueue } from '../fair/queue.ts';

/** How long a turn may take before fewer are read in the next. */
const TURN_MS = 10;
const AT_ONCE = { first: 8, least: 4, most: 256 };
/** How long nobody new is read while more come. */
const ACCEPTING_MS = 20;

export function readNewcomersInTurn(server: Server): void {
  // What a new connection over TLS costs is the handshake, which is not read here.
  if (server instanceof SecureServer) return;
  let oldest = false;
  const waiting = new FairQueue<Socket>((own) => {
    oldest = !oldest;
    return oldest ? own.shift() : own.pop();
  });
  let running = false;
  let came = false;
  let began = 0;
  let lastRead = 0;
  let atOnce = AT_ONCE.first;

  const turn = (): void => {
    if (waiting.isEmpty) {
      running = false;
      return;
    }
    setImmediate(turn);
    const now = performance.now();
    atOnce =
      now - began < TURN_MS
        ? Math.min(2 * atOnce, AT_ONCE.most)
        : Math.max(AT_ONCE.least, atOnce >> 1);
    began = now;
    const waits = came && now < lastRead + ACCEPTING_MS;
    came = false;
    if (waits) return;
    lastRead = now;
    for (let count = 0; count < atOnce; count++) waiting.shift()?.resume();
  };

  server.on('connection', (socket) => {
    socket.pause();
    waiting.push(socket.remoteAddress ?? '', socket);
    came = true;
    if (running) return;
    running = true;
    began = performance.now();
    setImmediate(turn);
  });
}
