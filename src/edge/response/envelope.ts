/** The parts of every answer. */
import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import about from '../../../package.json' with { type: 'json' };
import { ApiError } from '../../core/errors.ts';
import { LoopQueue } from '../../core/fair/loop.ts';
import { memoryOf } from '../fair/memory.ts';
import {
  COMPRESSING_BYTES,
  type Coding,
  codingFor,
  compressed,
  compressing,
} from '../server/compress.ts';

/** How long one tick of the event loop makes pieces, for all answers together. */
const making = new LoopQueue({ least: 1, most: 256, ms: 2 });

/** Reads pieces of text, each when there is room and a few in each tick of the event loop: other requests come in between. */
export class Pieces extends Readable {
  readonly #pieces: Iterator<string>;
  #first: string | undefined;

  constructor(pieces: Iterator<string>, first?: string) {
    super({ highWaterMark: 1 });
    this.#pieces = pieces;
    this.#first = first;
  }

  override _read(): void {
    making.push('', () => {
      try {
        if (!this.destroyed) this.push(this.#next());
      } catch (error) {
        this.destroy(error as Error);
      }
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // The sources of the rest are released before the connection ends.
    this.#pieces.return?.();
    done(error);
  }

  #next(): string | null {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return first;
    const { value, done } = this.#pieces.next();
    return done === true ? null : value;
  }
}

/** A text in pieces of this many characters; no character is cut in two. */
export function* cut(text: string, length: number): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + length, text.length);
    // Never between the halves of a surrogate pair.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && end < text.length) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

export const JSON_UTF8 = 'application/json; charset=utf-8';

const UNREAD =
  'The server is holding too many large responses that clients have not read yet. Read pending responses, request smaller pages, and retry.';

/**
 * Sets the headers of every answer; those of one kind of answer are set where it is sent. Names that every answer has
 * are in lower case: Fastify would otherwise make a new string of each, each time.
 */
export function prepare(reply: FastifyReply): FastifyReply {
  reply.header('request-id', reply.request.id);
  reply.header('ledgerstone-version', about.version);
  if (reply.server.draining) reply.header('Connection', 'close');
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  const { limit, principal } = reply.request;
  if (principal?.endsSoon !== undefined)
    reply.header('Ledgerstone-Key-Expires', principal.endsSoon);
  if (limit !== undefined) {
    reply.header('RateLimit-Policy', limit.policy);
    if (!reply.hasHeader('RateLimit')) reply.header('RateLimit', limit.state(performance.now()));
  }
  const timing = reply.request.timing.header();
  if (timing !== '') reply.header('server-timing', timing);
  return reply;
}

/** Notes that the answer depends on that header of the request (`Vary`). */
export function vary(reply: FastifyReply, header: string): FastifyReply {
  const others = reply.getHeader('Vary');
  if (others === undefined) return reply.header('Vary', header);
  return String(others).includes(header) ? reply : reply.header('Vary', `${others}, ${header}`);
}

/** Answers of up to this many characters are sent in one piece. */
const AT_ONCE = 65_536;
/** Smaller answers do not count towards the memory limit: a connection costs as much anyway. */
const FREE_BYTES = 16_384;
/** Bytes of memory that a byte of UTF-8 takes at the most: texts with one character beyond Latin-1 take two for each. */
const WEIGHT = 2;

/** Answers 200 with JSON text. Throws where memory is short. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return send(prepare(reply).header('content-type', JSON_UTF8), text);
}

/** Sends a text, compressed where it is long and the client accepts it. Throws where memory is short. */
export function send(reply: FastifyReply, text: string): FastifyReply {
  if (text.length <= FREE_BYTES) return sendAtOnce(reply, text);
  const atOnce = text.length <= AT_ONCE;
  holdAnswer(reply, Buffer.byteLength(text), atOnce);
  return atOnce ? sendAtOnce(reply, text) : sendAsRead(reply, new Pieces(cut(text, AT_ONCE)));
}

/**
 * Answers 200 with JSON text that is made while it is read; `bytes` is its approximate size. All pieces but the last
 * have `AT_ONCE` characters or more. Throws as `send`.
 */
export function sendPieces(reply: FastifyReply, pieces: Iterator<string>, bytes: number) {
  const first = reply.request.timing.measure('present', () => pieces.next().value ?? '');
  prepare(reply).header('content-type', JSON_UTF8);
  const atOnce = first.length < AT_ONCE;
  if (first.length > FREE_BYTES) holdAnswer(reply, bytes, atOnce);
  return atOnce ? sendAtOnce(reply, first) : sendAsRead(reply, new Pieces(pieces, first));
}

function sendAtOnce(reply: FastifyReply, text: string): FastifyReply {
  const coding = codingOf(reply, Buffer.byteLength(text));
  if (coding === undefined) return reply.send(text);
  compressed(text, coding).then(
    (bytes) => vary(reply, 'accept-encoding').header('Content-Encoding', coding).send(bytes),
    (error) => reply.send(error),
  );
  return reply;
}

function sendAsRead(reply: FastifyReply, text: Pieces): FastifyReply {
  const coding = codingOf(reply, AT_ONCE);
  if (coding !== undefined) vary(reply, 'accept-encoding').header('Content-Encoding', coding);
  if (reply.request.method === 'HEAD') {
    text.destroy();
    return reply.send(Readable.from([]));
  }
  return reply.send(coding === undefined ? text : compressing(text, coding));
}

function codingOf({ request }: FastifyReply, bytes: number): Coding | undefined {
  return codingFor(bytes, request.headers['accept-encoding']);
}

/** Reserves memory for an answer until it is sent or its connection is gone. */
export function holdAnswer(reply: FastifyReply, bytes: number, atOnce: boolean): void {
  if (bytes <= FREE_BYTES) return;
  const compresses = !atOnce && codingOf(reply, bytes) !== undefined;
  try {
    memoryOf(reply).hold(bytes * WEIGHT + (compresses ? COMPRESSING_BYTES : 0));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, headers } = error;
    if (!['GET', 'HEAD'].includes(reply.request.method))
      throw new ApiError('answer_dropped', { headers, cause: error });
    throw new ApiError(code, { headers, message: UNREAD });
  }
}
