/** Discards what clients send and nobody reads, a little at a time, round-robin by address. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createTickQueue, FairQueue } from '../../core/fair/loop.ts';

/** 32 MiB a second for one body, and at most this many times as much for all together. */
const BETWEEN_PIECES_MS = 2;
const PIECES = 4;
const PIECE_BYTES = 65_536;

/** Connections whose bytes are discarded. */
const connections = new WeakSet<Socket>();
const waiting = new FairQueue<IncomingMessage>();
let isDiscarding = false;
/** Bytes that no parser reads cost little: some of them are discarded in each tick of the event loop. */
const ticks = createTickQueue(PIECES);

/** Whether what a client still sends is discarded. */
export function isDiscarded(socket: Socket): boolean {
  return connections.has(socket);
}

/** Discards the rest of a body; what comes after it on the connection is read. */
export function discardRest(body: IncomingMessage): void {
  const { socket } = body;
  connections.add(socket);
  body.once('end', () => connections.delete(socket)).removeAllListeners('readable');
  let bytes = 0;
  body.on('data', (piece: Buffer) => {
    bytes += piece.length;
    // Chunks may be of a byte each.
    if (bytes < PIECE_BYTES) return;
    bytes = 0;
    body.pause();
    waiting.push(socket.remoteAddress ?? '', body);
    if (!isDiscarding) setTimeout(discardSome, BETWEEN_PIECES_MS).unref();
    isDiscarding = true;
  });
  body.resume();
}

function discardSome(): void {
  for (let count = 0; count < PIECES; count += 1) waiting.shift()?.resume();
  isDiscarding = !waiting.isEmpty;
  if (isDiscarding) setTimeout(discardSome, BETWEEN_PIECES_MS).unref();
}

/** Discards all that comes on a connection, which its HTTP parser no longer reads; `heard` is called with each piece. */
export function discardAll(socket: Socket, heard: (piece: Buffer) => void): void {
  connections.add(socket);
  const begin = (): void => {
    socket.removeAllListeners('data').removeAllListeners('readable');
    socket.on('data', (piece: Buffer) => {
      heard(piece);
      socket.pause();
      ticks.push(socket.remoteAddress ?? '', () => socket.resume());
    });
    socket.resume();
  };
  // Node's server has stopped the reads of a paused connection, and forgets to begin them again once others listen.
  if (socket.isPaused()) socket.once('resume', begin).resume();
  else begin();
}
