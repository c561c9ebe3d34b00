/**
 * Reads bodies that arrive in many pieces a little at a time, round-robin by address. One read of a connection is 64
 * KiB, or ten thousand chunks of a byte, each of which costs as much as a chunk of some KiB: hundreds of such
 * connections would make a tick of the event loop last a second, and a request of another caller takes several ticks,
 * as does accepting its connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createTickQueue, type LoopQueue } from '../../core/fair/loop.ts';
import { discardBody } from './discard.ts';

/** Bytes and chunks after which a connection waits in the queue: one read, and more chunks than a read has where each row is a chunk. */
const AT_ONCE = { bytes: 65_536, chunks: 1_024 };
/** Connections with long bodies that are read per tick of the event loop; of those with many chunks, one. */
const CONNECTIONS = 4;

const queues = { bytes: createTickQueue(CONNECTIONS), chunks: createTickQueue() };

export function readBodiesFairly(server: Server): void {
  const connections = new WeakMap<Socket, Connection>();
  server.prependListener('request', (request) => {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    if (coding === undefined && !(Number(length) > AT_ONCE.bytes)) return;
    const { socket } = request;
    const connection = connections.get(socket) ?? new Connection(socket);
    connections.set(socket, connection);
    connection.brings(request);
  });
}

class Connection {
  readonly #socket: Socket;
  /** Since it was last served. */
  #chunks = 0;
  #bytes = 0;
  #waits = false;
  /** The last request. */
  #request: IncomingMessage | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  brings(request: IncomingMessage): void {
    this.#request = request;
    const push = request.push.bind(request);
    const read = request._read.bind(request);
    request.push = (piece, encoding) => {
      this.#chunks += 1;
      this.#bytes += piece?.length ?? 0;
      if (piece !== null && !this.#waits) {
        if (this.#chunks >= AT_ONCE.chunks) void this.#wait(queues.chunks);
        else if (this.#bytes >= AT_ONCE.bytes) void this.#wait(queues.bytes);
      }
      return push(piece, encoding);
    };
    // Once a request is answered, Node reads all of a body that nothing has begun to read.
    Object.assign(request, { _dump: () => discardBody(request) });
    request._read = (size) => {
      // It would begin to read again.
      if (!this.#waits) read(size);
    };
  }

  async #wait(ticks: LoopQueue): Promise<void> {
    this.#waits = true;
    this.#socket.pause();
    await ticks.wait(this.#socket.remoteAddress ?? '');
    this.#chunks = 0;
    this.#bytes = 0;
    this.#waits = false;
    const { readableLength = 0, readableHighWaterMark = 1 } = this.#request ?? {};
    // Otherwise the reader of what has arrived requests more.
    if (readableLength < readableHighWaterMark) this.#socket.resume();
  }
}
