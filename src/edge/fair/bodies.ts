/**
 * Reads bodies that arrive in many pieces a little at a time, round-robin by address. One read of a connection is 64
 * KiB, or ten thousand chunks of a byte, each of which costs as much as a chunk of some KiB: hundreds of such
 * connections would make a tick of the event loop last a second, and a request of another caller takes several ticks,
 * as does accepting its connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createTickQueue, type LoopQueue } from '../../core/fair/loop.ts';
import { discardRest } from './discarding.ts';

/** Bytes and chunks after which a connection waits in the queue: one read, and more chunks than a read has where each row is a chunk. */
const AT_ONCE = { bytes: 65_536, chunks: 1_024 };
/** Connections with long bodies that are read per tick of the event loop; of those with many chunks, one. */
const CONNECTIONS = 4;

/** How many bytes of a body have arrived; not a number where some had been read before they were counted. */
const arrivals = new WeakMap<IncomingMessage, { bytes: number }>();

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
    const arrived = { bytes: 0 };
    arrivals.set(request, arrived);
    request.push = (piece, encoding) => {
      chunks += 1;
      bytes += piece?.length ?? 0;
      arrived.bytes += piece?.length ?? 0;
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

/** As long as a connection lingers that closes. */
const REST_MS = 60_000;

const discarded = new WeakSet<IncomingMessage>();

/** Discards the rest of a body for some seconds, in pieces, so that its sender gets to read the answer and may not go on. */
export function discardBody(body: IncomingMessage, restMs = REST_MS): void {
  if (body.destroyed || discarded.has(body)) return;
  discarded.add(body);
  if (!arrivals.has(body)) countArrivals(body);
  const late = setTimeout(() => body.destroy(), restMs).unref();
  const stop = (): void => clearTimeout(late);
  body.once('end', stop).once('close', stop);
  discardRest(body);
}

function countArrivals(body: IncomingMessage): void {
  const arrived = { bytes: body.readableDidRead ? Number.NaN : body.readableLength };
  arrivals.set(body, arrived);
  const push = body.push.bind(body);
  body.push = (piece, encoding) => {
    arrived.bytes += piece?.length ?? 0;
    return push(piece, encoding);
  };
}

/** Returns how many bytes of a body are still to come; `undefined` where that is not known, as of one in chunks. */
export function restOf(body: IncomingMessage): number | undefined {
  const untouched = body.readableDidRead ? Number.NaN : body.readableLength;
  const rest = Number(body.headers['content-length']) - (arrivals.get(body)?.bytes ?? untouched);
  return Number.isNaN(rest) ? undefined : rest;
}
