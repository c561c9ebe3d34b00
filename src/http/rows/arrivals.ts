/** The bytes of a body as they arrive, taken only as fast as they are asked for. */
import type { Readable } from 'node:stream';
import { ApiError } from '../../errors.ts';

/** How long a client may be silent in the middle of its body. */
export const SILENCE_MS = 60_000;

export class Arrivals {
  readonly #body: Readable;
  #stopped: Error | undefined;
  #wake = (): void => {};

  constructor(body: Readable) {
    this.#body = body;
    const wake = (): void => this.#wake();
    body.on('readable', wake).on('end', wake).on('close', wake);
    body.on('error', (error) => this.stop(error));
  }

  /** Nothing more is taken: who waits for bytes, or asks for some later, gets this error. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#wake();
  }

  /** Lets the rest come and go, so that its sender gets to read the answer. */
  passOver(): void {
    this.#body.removeAllListeners('readable');
    this.#body.on('data', () => {}).resume();
  }

  /**
   * All that has arrived, waiting for some where there is nothing; `undefined`
   * at the end. Throws what it was stopped with, what went wrong with the
   * connection, or `request_timeout`.
   */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#stopped !== undefined) throw this.#stopped;
      const bytes: Buffer | null = this.#body.read();
      if (bytes !== null) return bytes;
      if (this.#body.readableEnded) return undefined;
      if (this.#body.destroyed) throw new Error('The connection ended before the body did.');
      await this.#somethingNew();
    }
  }

  async #somethingNew(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const silence = setTimeout(() => this.stop(new ApiError('request_timeout')), SILENCE_MS);
    this.#wake = resolve;
    await promise;
    clearTimeout(silence);
  }
}
