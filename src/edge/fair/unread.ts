/** Closes connections whose clients do not read their answers. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface LeastReading {
  readonly windowMs: number;
  /** Bytes that a client must take in each window in which some wait for it. */
  readonly bytes: number;
}

const LEAST: LeastReading = { windowMs: 60_000, bytes: 65_536 };
/** How often connections are checked in a window. */
const LOOKS = 6;

/** Watches all connections that the server accepts from now on. */
export function endUnread(server: Server, { windowMs, bytes }: LeastReading = LEAST): void {
  /** The time since when bytes wait for a client, and how many it had taken by then; 0 where none wait. */
  const connections = new Map<Socket, { since: number; taken: number }>();
  server.on('connection', (socket) => {
    connections.set(socket, { since: 0, taken: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const look = setInterval(() => {
    const now = performance.now();
    for (const [socket, waiting] of connections) {
      const { writableLength } = socket;
      const taken = socket.bytesWritten - writableLength;
      if (writableLength === 0) {
        waiting.since = 0;
      } else if (waiting.since === 0) {
        waiting.since = now;
        waiting.taken = taken;
      } else if (now - waiting.since >= windowMs) {
        if (taken - waiting.taken < bytes) socket.destroy();
        waiting.since = now;
        waiting.taken = taken;
      }
    }
  }, windowMs / LOOKS).unref();
  server.once('close', () => clearInterval(look));
}
