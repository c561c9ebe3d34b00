/**
 * Reads bodies that come in many pieces a little at a time, the addresses in turn. What is read of
 * a connection at once is 64 KiB, or ten thousand chunks of a byte, each of which costs as much as
 * a chunk of some KiB: hundreds of such connections would make a turn of the event loop of a second,
 * and whatever another caller does takes several turns, as does the system until it gives his connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createRounds, type Rounds } from '../../core/fair/rounds.ts';
import { discardBody } from './discard.ts';

/** Bytes and chunks after which a connection waits for its turn: a read, and more than one holds of rows in chunks of their own. */
const AT_ONCE = { bytes: 65_536, chunks: 1_024 };
/** Connections with long bodies that are read in a turn of the event loop; of those with many chunks it is one. */
const CONNECTIONS = 4;

interface Turns {
  readonly bytes: Rounds;
  readonly chunks: Rounds;
}

export function readBodiesInTurn(server: Server): void {
  const turns: Turns = { bytes: createRounds(CONNECTIONS), chunks: createRounds() };
  const connections = new WeakMap<Socket, Connection>();
  server.prependListener('request', (request) => {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    if (coding === undefined && !(Number(length) > AT_ONCE.bytes)) return;
    const { socket } = request;
    const connection = connections.get(socket) ?? new Connection(socket, turns);
    connections.set(socket, connection);
    connection.brings(request);
  });
}

class Connection {
  readonly #socket: Socket;
  readonly #turns: Turns;
  /** Since its last turn. */
  #chunks = 0;
  #bytes = 0;
  #waits = false;
  /** The last request. */
  #request: IncomingMessage | undefined;

  constructor(socket: Socket, turns: Turns) {
    this.#socket = socket;
    this.#turns = turns;
  }

  brings(request: IncomingMessage): void {
    this.#request = request;
    const push = request.push.bind(request);
    const read = request._read.bind(request);
    request.push = (piece, encoding) => {
      this.#chunks += 1;
      this.#bytes += piece?.length ?? 0;
      if (piece !== null && !this.#waits) {
        if (this.#chunks >= AT_ONCE.chunks) void this.#wait(this.#turns.chunks);
        else if (this.#bytes >= AT_ONCE.bytes) void this.#wait(this.#turns.bytes);
      }
      return push(piece, encoding);
    };
    // Node takes all that comes of a body that nobody has begun to read when it is answered.
    Object.assign(request, { _dump: () => discardBody(request) });
    request._read = (size) => {
      // It would begin to read again.
      if (!this.#waits) read(size);
    };
  }

  async #wait(rounds: Rounds): Promise<void> {
    this.#waits = true;
    this.#socket.pause();
    await rounds.turn(this.#socket.remoteAddress ?? '');
    this.#chunks = 0;
    this.#bytes = 0;
    this.#waits = false;
    const { readableLength = 0, readableHighWaterMark = 1 } = this.#request ?? {};
    // Else whoever takes what has arrived asks for more.
    if (readableLength < readableHighWaterMark) this.#socket.resume();
  }
}
