/**
 * Reads bodies that arrive in many pieces a little at a time, round-robin by address. One read of a connection is 64
 * KiB, or ten thousand chunks of a byte, each of which costs as much as a chunk of some KiB: hundreds of such
 * connections would make a tick of the event loop last a second, and a request of another caller takes several ticks,
 * as does accepting its connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createTickQueue, FairQueue, type LoopQueue } from '../../core/fair/loop.ts';

/** Bytes and chunks after which a connection waits in the queue: one read, and more chunks than a read has where each row is a chunk. */
const AT_ONCE = { bytes: 65_536, chunks: 1_024 };
/** Connections with long bodies that are read per tick of the event loop; of those with many chunks, one. */
const CONNECTIONS = 4;

const queues = { bytes: createTickQueue(CONNECTIONS), chunks: createTickQueue() };

export function readBodiesFairly(server: Server): void {
  const readers = new WeakMap<Socket, ReturnType<typeof readerOf>>();
  server.prependListener('request', (request) => {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    if (coding === undefined && !(Number(length) > AT_ONCE.bytes)) return;
    readers.getOrInsertComputed(request.socket, readerOf)(request);
  });
}

/** Reads the bodies of a connection; to be called with each of its requests. */
function readerOf(socket: Socket) {
  /** Since it was last served. */
  let [chunks, bytes] = [0, 0];
  let waits = false;
  let last: IncomingMessage | undefined;

  const wait = async (ticks: LoopQueue): Promise<void> => {
    waits = true;
    socket.pause();
    await ticks.wait(socket.remoteAddress ?? '');
    [chunks, bytes, waits] = [0, 0, false];
    const { readableLength = 0, readableHighWaterMark = 1 } = last ?? {};
    // Otherwise the reader of what has arrived requests more.
    if (readableLength < readableHighWaterMark) socket.resume();
  };

  return (request: IncomingMessage): void => {
    last = request;
    const push = request.push.bind(request);
    const read = request._read.bind(request);
    request.push = (piece, encoding) => {
      chunks += 1;
      bytes += piece?.length ?? 0;
      if (piece !== null && !waits) {
        if (chunks >= AT_ONCE.chunks) void wait(queues.chunks);
        else if (bytes >= AT_ONCE.bytes) void wait(queues.bytes);
      }
      return push(piece, encoding);
    };
    // Once a request is answered, Node reads all of a body that nothing has begun to read.
    Object.assign(request, { _dump: () => discardBody(request) });
    request._read = (size) => {
      // It would begin to read again.
      if (!waits) read(size);
    };
  };
}

const REST_MS = 10_000;
/** 32 MiB a second for one body, and at most this many times as much for all together. */
const BETWEEN_PIECES_MS = 2;
const PIECES = 4;

const discarded = new WeakSet<IncomingMessage>();
/** Round-robin by address. */
const waiting = new FairQueue<IncomingMessage>();
let isDiscarding = false;

/** Discards the rest of a body for some seconds, in pieces, so that its sender gets to read the answer and may not go on. */
export function discardBody(body: IncomingMessage, restMs = REST_MS): void {
  if (body.destroyed || discarded.has(body)) return;
  discarded.add(body);
  const late = setTimeout(() => body.destroy(), restMs).unref();
  const stop = (): void => clearTimeout(late);
  body.once('end', stop).once('close', stop).removeAllListeners('readable');
  body.on('data', () => {
    body.pause();
    waitForSlice(body);
  });
  body.resume();
}

function waitForSlice(body: IncomingMessage): void {
  waiting.push(body.socket.remoteAddress ?? '', body);
  if (!isDiscarding) setTimeout(discardSome, BETWEEN_PIECES_MS).unref();
  isDiscarding = true;
}

function discardSome(): void {
  for (let count = 0; count < PIECES; count += 1) waiting.shift()?.resume();
  isDiscarding = !waiting.isEmpty;
  if (isDiscarding) setTimeout(discardSome, BETWEEN_PIECES_MS).unref();
}
