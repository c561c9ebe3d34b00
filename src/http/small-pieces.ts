/**
 * Reads bodies in very small chunks a little at a time. What is read of a connection
 * at once can hold ten thousand chunks of a byte, each of which costs as much as
 * a chunk of some KiB: dozens of such connections would make a turn of the event
 * loop of a second, and whatever another caller does takes several turns.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createRounds, type Rounds } from '../fair/rounds.ts';

/** Chunks after which a connection waits for its turn: more than one read holds of rows in chunks of their own. */
const AT_ONCE = 1024;

export function readSmallPiecesInTurn(server: Server): void {
  const rounds = createRounds();
  const connections = new WeakMap<Socket, Connection>();
  server.prependListener('request', (request) => {
    // Others come in pieces of 64 KiB.
    if (request.headers['transfer-encoding'] === undefined) return;
    const { socket } = request;
    const connection = connections.get(socket) ?? new Connection(socket, rounds);
    connections.set(socket, connection);
    connection.brings(request);
  });
}

class Connection {
  readonly #socket: Socket;
  readonly #rounds: Rounds;
  /** Since its last turn. */
  #pieces = 0;
  #waits = false;
  /** The last request. */
  #request: IncomingMessage | undefined;

  constructor(socket: Socket, rounds: Rounds) {
    this.#socket = socket;
    this.#rounds = rounds;
  }

  brings(request: IncomingMessage): void {
    this.#request = request;
    const push = request.push.bind(request);
    const read = request._read.bind(request);
    request.push = (piece, encoding) => {
      this.#pieces += 1;
      if (this.#pieces >= AT_ONCE && !this.#waits) void this.#wait();
      return push(piece, encoding);
    };
    request._read = (size) => {
      // It would begin to read again.
      if (!this.#waits) read(size);
    };
  }

  async #wait(): Promise<void> {
    this.#waits = true;
    this.#socket.pause();
    await this.#rounds.turn(this.#socket.remoteAddress ?? '');
    this.#pieces = 0;
    this.#waits = false;
    const { readableLength = 0, readableHighWaterMark = 1 } = this.#request ?? {};
    // Else whoever takes what has arrived asks for more.
    if (readableLength < readableHighWaterMark) this.#socket.resume();
  }
}
