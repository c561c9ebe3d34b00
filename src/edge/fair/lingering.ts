/**
 * Closes connections so that their last answer arrives. Where bytes of a client are unread when a connection closes, its
 * system resets it, and the client loses an answer that it has not read yet: that of a request refused before its body
 * was read. So this side is closed alone, and what still arrives is discarded until the client closes its own.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { restOf } from './bodies.ts';
import { discardAll } from './discarding.ts';

export interface LingeringBounds {
  /** How long one may go on in all, and about how long without a byte. */
  readonly wholeMs: number;
  readonly silentMs: number;
  /** How long a client of TLS is silent before this side is closed, too, while it is not known how much of a body is to come. */
  readonly readingMs: number;
  /** How much one may still send: the largest array of rows, and as much again. */
  readonly bytes: number;
  /** How many connections linger at once. Beyond that the oldest goes, of the address that has the most. */
  readonly most: number;
}

const BOUNDS: LingeringBounds = {
  ...{ wholeMs: 60_000, silentMs: 5_000, readingMs: 4_000 },
  ...{ bytes: 67_108_864, most: 256 },
};
const LOOK_MS = 250;

interface Lingering {
  readonly address: string;
  readonly since: number;
  silentMs: number;
  bytes: number;
}

/** Ends a body in chunks that has no trailers. */
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Returns the body of its last request, if that has not arrived whole. */
function unreadOf(
  socket: Socket & { readonly parser?: { readonly incoming?: IncomingMessage | null } | null },
): IncomingMessage | undefined {
  const body = socket.parser?.incoming;
  return body?.complete === false ? body : undefined;
}

/** Lets all connections of a server linger that it accepts from now on. They do so on `destroySoon`, which Node calls, too. */
export function closeGently(server: Server, bounds: LingeringBounds = BOUNDS): void {
  /** Connections that brought what is no request. */
  const broken = new WeakSet<Socket>();
  const lingering = new Map<Socket, Lingering>();
  let look: NodeJS.Timeout | undefined;

  const endLate = (): void => {
    const now = performance.now();
    for (const [socket, one] of lingering) {
      // Looks are counted, since what arrives is not heard of while this thread is busy.
      one.silentMs += LOOK_MS;
      const isOver = now - one.since >= bounds.wholeMs || one.silentMs >= bounds.silentMs;
      if (isOver) socket.destroy();
      else if (socket.writable && one.silentMs >= bounds.readingMs) socket.end();
    }
  };

  const makeRoom = (): void => {
    if (lingering.size < bounds.most) return;
    const byAddress = Map.groupBy(lingering, ([, { address }]) => address);
    const [most] = [...byAddress.values()].sort((one, other) => other.length - one.length);
    most?.[0]?.[0].destroy();
  };

  const leave = (socket: Socket): void => {
    lingering.delete(socket);
    if (lingering.size > 0) return;
    clearInterval(look);
    look = undefined;
  };

  server.prependListener('clientError', (_error, socket) => broken.add(socket as Socket));
  server.on('connection', (socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = (): void => {
      if (socket.destroyed || lingering.has(socket)) return;
      // All has been read.
      if (socket.readableEnded) return void destroySoon();
      makeRoom();
      const now = performance.now();
      const { remoteAddress: address = '' } = socket;
      const one: Lingering = { address, since: now, silentMs: 0, bytes: 0 };
      lingering.set(socket, one);
      look ??= setInterval(endLate, LOOK_MS).unref();
      socket.once('close', () => leave(socket)).once('end', destroySoon);
      // OpenSSL may fail to read what arrives while it ends its side: that waits for the end of the body, or a silence.
      const body = unreadOf(socket);
      const isReading = body !== undefined || broken.has(socket);
      const rest = body && restOf(body);
      if (socket.writable && !('encrypted' in socket && isReading)) socket.end();
      let tail: Uint8Array = Buffer.alloc(0);
      discardAll(socket, (piece) => {
        one.silentMs = 0;
        one.bytes += piece.length;
        // Its end may come in several pieces.
        tail = Buffer.concat([tail, piece.subarray(-LAST_CHUNK.length)]).subarray(
          -LAST_CHUNK.length,
        );
        const isWhole = rest === undefined ? LAST_CHUNK.equals(tail) : one.bytes >= rest;
        if (one.bytes > bounds.bytes) socket.destroy();
        // A client that reads to the end of the connection waits for it.
        else if (isWhole && socket.writable) socket.end();
      });
    };
  });
}
