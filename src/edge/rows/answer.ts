/** An answer that is written piece by piece, no faster than it is read. */
import { Buffer } from 'node:buffer';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { ClientGone } from '../../records/ingest/many/row.ts';
import { errorMembers, toApiError } from '../response/error-response.ts';
import { SILENCE_MS } from './arriving.ts';

/** How long a reader is waited for before its speed is judged. */
const JUDGED_MS = 30_000;

export class Answer {
  readonly #stream = new PassThrough();
  readonly #leastBytes: number;
  readonly #judgedMs: number;
  readonly #elapsed: () => number;
  #wake = (): void => {};
  /** Since the speed was judged: how long the reader was waited for, and what it has read meanwhile. */
  #waitedMs = 0;
  #bytes = 0;
  /** Pieces that were written before the answer begins; `undefined` once it has begun. */
  #held: (string | Uint8Array)[] | undefined;
  #hasRoom = (_bytes: number): boolean => false;

  /** `leastBytes`: the bytes a second that a slow reader must take for the answer to go on. */
  constructor(leastBytes = 0, judgedMs = JUDGED_MS, elapsed = () => performance.now()) {
    this.#leastBytes = leastBytes;
    this.#judgedMs = judgedMs;
    this.#elapsed = elapsed;
    const wake = (): void => this.#wake();
    this.#stream.on('drain', wake).on('close', wake).on('error', wake);
  }

  get isGone(): boolean {
    return this.#stream.destroyed;
  }

  get body(): Readable {
    return this.#stream;
  }

  /** Keeps back the answer, with its status, until `begin` or `end` is called, or there is no room for what is written. */
  holdBack(hasRoom: (bytes: number) => boolean): void {
    this.#held = [];
    this.#hasRoom = hasRoom;
  }

  begin(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const text of held ?? []) this.#stream.write(text);
  }

  /** Resolves when there is room for more; throws `ClientGone`, also after a silence, and `request_timeout` for slow readers. */
  async write(text: string | Uint8Array): Promise<void> {
    if (this.#stream.destroyed) throw new ClientGone();
    const length = Buffer.byteLength(text);
    if (this.#held !== undefined) {
      if (this.#hasRoom(length)) {
        this.#held.push(text);
        return;
      }
      this.begin();
    }
    this.#bytes += length;
    if (this.#stream.write(text)) return;
    const began = this.#elapsed();
    const { promise, resolve } = Promise.withResolvers<void>();
    const silence = setTimeout(() => this.#stream.destroy(new ClientGone()), SILENCE_MS);
    this.#wake = resolve;
    await promise;
    clearTimeout(silence);
    if (this.#stream.destroyed) throw new ClientGone();
    this.#waitedMs += this.#elapsed() - began;
    if (this.#waitedMs < this.#judgedMs) return;
    if (this.#bytes * 1_000 < this.#leastBytes * this.#waitedMs)
      throw new ApiError('request_timeout', {
        message: `The answer is read too slowly: read at least ${this.#leastBytes / 1_024} KiB a second.`,
      });
    this.#waitedMs = 0;
    this.#bytes = 0;
  }

  /** Ends the connection with it, so that what was sent is not taken for the whole. */
  cut(): void {
    this.#stream.destroy(new ClientGone());
  }

  end(text: string | Uint8Array): void {
    this.begin();
    this.#stream.end(text);
  }
}

/** Ends the answer with its work. What fails is noted, and stands in the last line, or cuts the answer off where there is none. */
export function endWith(
  request: FastifyRequest,
  answer: Answer,
  work: Promise<unknown>,
  lastLine?: (text: string) => string,
): void {
  const failed = (error: unknown): void => {
    if (error instanceof ClientGone) return;
    const refused = toApiError(error);
    request.done = { ...request.done, code: refused.code };
    if (refused.status >= 500) request.server.noteFailure(request, refused);
    if (lastLine === undefined) answer.cut();
    else answer.end(lastLine(JSON.stringify({ error: errorMembers(refused, request.principal) })));
  };
  work.then(() => answer.end(''), failed);
}
