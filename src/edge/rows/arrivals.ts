/** The bytes of a body as they arrive, taken only as fast as they are read. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../core/errors.ts';
import { discardBody } from '../fair/bodies.ts';
import { WINDOW_BYTES, WINDOW_MS } from '../fair/least-speed.ts';

/**
 * The bodies of requests that are answered while they arrive: if one ends before it is complete, its answer must end
 * with a line that says so, since the status was sent long ago.
 */
const answeredEarly = new WeakMap<IncomingMessage, Arrivals>();

/** Whether the request is one that is answered while it arrives. */
export function mayEndEarly(request: IncomingMessage): boolean {
  return answeredEarly.has(request);
}

/** Ends the request with that error after its pending rows, if it is answered while it arrives. */
export function endEarly(request: IncomingMessage, reason: Error): boolean {
  answeredEarly.get(request)?.stop(reason);
  return answeredEarly.has(request);
}

/** How long a client may be silent between two lines. */
export const SILENCE_MS = 60_000;
const SILENT = 'No line has arrived for a minute.';
const TOO_SLOW =
  'The line arrives too slowly: send at least 30 KiB every 30 seconds until it is complete.';

export class Arrivals {
  readonly #body: IncomingMessage;
  #stopped: Error | undefined;
  #wake = (): void => {};
  /** For an incomplete line: since when the rest is awaited, and how much has arrived since. */
  #line: { began: number; bytes: number } | undefined;
  /** When bytes were last handed out: until more are requested, the client waits for us. */
  #gaveAt = performance.now();

  constructor(body: IncomingMessage) {
    this.#body = body;
    answeredEarly.set(body, this);
    const wake = (): void => this.#wake();
    body.on('readable', wake).on('end', wake).on('close', wake);
    body.on('error', (error) => this.stop(error));
  }

  /** Takes nothing more: pending and later reads get this error. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#wake();
  }

  /** Whether nothing more is taken, or will come. */
  get isOver(): boolean {
    return this.#stopped !== undefined || (this.#body.destroyed && !this.#body.readableEnded);
  }

  /** Discards the rest, so that its sender gets to read the answer. */
  discard(): void {
    if (!this.#body.readableEnded) discardBody(this.#body);
  }

  /** A line begins with the last bytes that were given: what is missing of it must come fast enough. */
  lineBegins(): void {
    this.#line = { began: performance.now(), bytes: 0 };
  }

  /** No line has begun: its sender may be silent. */
  lineEnds(): void {
    this.#line = undefined;
  }

  /** All that has arrived, waiting until some has; `undefined` at the end. Throws what it was stopped with, or why it ended. */
  async next(): Promise<Buffer | undefined> {
    if (this.#line !== undefined) this.#line.began += performance.now() - this.#gaveAt;
    for (;;) {
      if (this.#stopped !== undefined) throw this.#stopped;
      const bytes: Buffer | null = this.#body.read();
      if (bytes !== null) {
        this.#gaveAt = performance.now();
        if (this.#line !== undefined) this.#line.bytes += bytes.length;
        return bytes;
      }
      if (this.#body.readableEnded) return undefined;
      if (this.#body.destroyed) throw new Error('The connection ended before the body did.');
      await this.#somethingNew();
    }
  }

  async #somethingNew(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait =
      this.#line === undefined ? SILENCE_MS : this.#line.began + WINDOW_MS - performance.now();
    const late = setTimeout(() => this.#late(), wait);
    this.#wake = resolve;
    await promise;
    clearTimeout(late);
  }

  #late(): void {
    if (this.#line !== undefined && this.#line.bytes >= WINDOW_BYTES) {
      this.lineBegins();
      this.#wake();
      return;
    }
    const message = this.#line === undefined ? SILENT : TOO_SLOW;
    this.stop(new ApiError('request_timeout', { message }));
  }
}
