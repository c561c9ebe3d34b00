/** Ways to behave badly on many connections at once, each begun again when it is ended. */
import { connect, type Socket } from 'node:net';

const AGAIN_MS = 100;
const MAX_WRITTEN = 1_048_576;
const STATUS = 'HTTP/1.1 ';

export interface Flood {
  readonly connections: number;
  /** The bytes of a request, which is the first, second … of all. */
  readonly request: (count: number) => string | Uint8Array;
  /** Requests on a connection that are not answered yet; without a bound where `unread`. */
  readonly depth?: number;
  /** Nothing of the answers is read. */
  readonly unread?: true;
  /** Each connection brings one request. */
  readonly once?: true;
}

export class Wires {
  /** What was answered, by status; `closed` are connections that ended. */
  readonly counts = new Map<string, number>();
  readonly #port: number;
  #sent = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends requests, on each connection the next as soon as one is answered. */
  flood({ connections, request, depth = 1, unread, once }: Flood): void {
    this.#keep(connections, (socket) => {
      let waiting = 0;
      const fill = (): void => {
        while (
          socket.writable &&
          (unread || waiting < depth) &&
          socket.writableLength < MAX_WRITTEN
        ) {
          socket.write(request(this.#sent++));
          waiting += 1;
        }
      };
      if (unread) socket.on('drain', fill);
      else
        this.#onAnswers(socket, (answers) => {
          waiting -= answers;
          if (once) socket.destroy();
          else fill();
        });
      fill();
    });
  }

  /** Sends the beginning of something, then a little of the rest now and then. */
  hold(
    connections: number,
    beginning: string | Uint8Array,
    { little, everyMs = 1000 }: { readonly little?: string; readonly everyMs?: number } = {},
  ): void {
    this.#keep(connections, (socket) => {
      this.#onAnswers(socket, () => {});
      socket.write(beginning);
      if (little === undefined) return;
      const timer = setInterval(() => socket.write(little), everyMs);
      socket.on('close', () => clearInterval(timer));
    });
  }

  /** Sends a head, then chunks of a body without an end; begins again when the answer sums up. */
  stream(
    connections: number,
    head: string,
    chunk: (count: number) => string,
    { unread }: { readonly unread?: true } = {},
  ): void {
    this.#keep(connections, (socket) => {
      const fill = (): void => {
        while (socket.writable && socket.writableLength < MAX_WRITTEN) {
          const text = chunk(this.#sent++);
          socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
        }
      };
      if (!unread)
        socket.on('data', (bytes) => {
          if (bytes.includes('"summary"')) socket.destroy();
        });
      socket.on('drain', fill).write(head);
      fill();
    });
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #keep(connections: number, begin: (socket: Socket) => void): void {
    const open = (): void => {
      const socket = connect(this.#port, '127.0.0.1');
      socket.on('error', () => {});
      socket.on('close', () => {
        this.count('closed');
        setTimeout(open, AGAIN_MS);
      });
      socket.on('connect', () => begin(socket));
    };
    for (let count = 0; count < connections; count++) open();
  }

  #onAnswers(socket: Socket, each: (answers: number) => void): void {
    let before = '';
    socket.on('data', (bytes: Buffer) => {
      const text = before + bytes.toString('latin1');
      let answers = 0;
      for (let at = text.indexOf(STATUS); at >= 0; at = text.indexOf(STATUS, at + 1)) {
        if (at + STATUS.length + 3 > text.length) break;
        answers += 1;
        this.count(text.slice(at + STATUS.length, at + STATUS.length + 3));
      }
      const tail = text.lastIndexOf('HTTP/1.1 ');
      before =
        tail >= 0 && tail + STATUS.length + 3 > text.length ? text.slice(tail) : text.slice(-8);
      if (answers > 0) each(answers);
    });
  }
}
