/** A client that sends all of its request before it reads, as those of most languages do, and loses an answer where its connection is reset. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface Blocking {
  /** Without the empty line at its end. */
  readonly head: string;
  readonly bytes: number;
  readonly chunked?: boolean;
  /** Waits for `100 Continue` or another answer before it sends the body, as curl does for a second. */
  readonly expects?: boolean;
  readonly secure?: boolean;
  /** Reads until the server closes its side, whatever the answer says of its length. */
  readonly toTheEnd?: boolean;
  /** The pieces in which it sends the end of a body in chunks, a moment apart. */
  readonly endIn?: readonly string[];
}

export interface BlockingAnswer {
  /** Those of all answers, in order; `100` is one. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Of the body, as far as the client has got rid of it. */
  readonly sent: number;
  readonly error: string | undefined;
}

const PIECE = Buffer.alloc(65_536, 'x');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);
export const LAST_CHUNK = '0\r\n\r\n';
const PIECE_MS = 100;
/** Far more than an answer takes, also on a busy machine. */
const EXPECTING_MS = 30_000;
const LONGEST_MS = 60_000;

export function blockingExchange(
  url: string,
  {
    head,
    bytes,
    chunked = false,
    expects = false,
    secure = false,
    toTheEnd = false,
    endIn = [LAST_CHUNK],
  }: Blocking,
): Promise<BlockingAnswer> {
  const { promise, resolve } = Promise.withResolvers<BlockingAnswer>();
  const { hostname, port } = new URL(url);
  const to = { host: hostname, port: Number(port), allowHalfOpen: true };
  const socket: Socket = secure
    ? // Its types do not know the option.
      connectSecurely(Object.assign(to, { rejectUnauthorized: false }))
    : connect(to);
  let [text, sent] = ['', 0];
  const end = (error?: string): void => {
    clearTimeout(late);
    const statuses = Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm), ([, one]) => Number(one));
    resolve({ statuses, text, sent, error });
    socket.destroy();
  };
  const late = setTimeout(() => end('nothing more came'), LONGEST_MS);
  // As a system call fails: what has arrived meanwhile is lost with the connection.
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code));
  const read = (): void => {
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      const [, answer] = /(HTTP\/1\.1 (?!1)[\s\S]*)$/.exec(text) ?? [];
      const at = answer?.indexOf('\r\n\r\n') ?? -1;
      if (answer === undefined || at < 0) return;
      const [, length] = /^content-length: (\d+)/im.exec(answer) ?? [];
      const isWhole =
        length === undefined
          ? answer.endsWith('\r\n0\r\n\r\n')
          : answer.length >= at + 4 + Number(length);
      if (isWhole && !toTheEnd) end();
    });
    socket.on('end', () => end(text === '' ? 'ended' : undefined));
  };
  function body(): void {
    const piece = chunked ? CHUNK : PIECE;
    for (;;) {
      if (sent >= bytes) {
        if (!chunked) read();
        else writeEach(endIn);
        return;
      }
      sent += PIECE.length;
      if (!socket.write(chunked ? piece : piece.subarray(0, bytes - (sent - PIECE.length)))) break;
    }
    socket.once('drain', body);
  }
  function writeEach([piece, ...others]: readonly string[]): void {
    socket.write(piece ?? '');
    if (others.length === 0) read();
    else setTimeout(() => writeEach(others), PIECE_MS);
  }
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
    socket.write(`${head}\r\n${length}${expects ? '\r\nExpect: 100-continue' : ''}\r\n\r\n`);
    if (!expects) {
      body();
      return;
    }
    const goOn = setTimeout(body, EXPECTING_MS);
    socket.once('readable', () => {
      clearTimeout(goOn);
      text += (socket.read() ?? '').toString('latin1');
      if (text.startsWith('HTTP/1.1 100 ')) body();
      else end();
    });
  });
  return promise;
}
