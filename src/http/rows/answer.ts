/** An answer that is written piece by piece, no faster than it is read. */
import { PassThrough, type Readable } from 'node:stream';
import { Gone } from '../../ingest/many/row.ts';
import { SILENCE_MS } from './arrivals.ts';

export class Answer {
  readonly #stream = new PassThrough();
  #wake = (): void => {};

  constructor() {
    const wake = (): void => this.#wake();
    this.#stream.on('drain', wake).on('close', wake).on('error', wake);
  }

  /** Whether there is nobody to answer any more. */
  get isGone(): boolean {
    return this.#stream.destroyed;
  }

  /** What is to be sent. */
  get body(): Readable {
    return this.#stream;
  }

  /** Resolves when there is room for more; throws `Gone`, also where nothing was read for too long. */
  async write(text: string | Uint8Array): Promise<void> {
    if (this.#stream.destroyed) throw new Gone();
    if (this.#stream.write(text)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const silence = setTimeout(() => this.#stream.destroy(new Gone()), SILENCE_MS);
    this.#wake = resolve;
    await promise;
    clearTimeout(silence);
    if (this.#stream.destroyed) throw new Gone();
  }

  /** Ends the connection with it, so that what was sent is not taken for the whole. */
  cut(): void {
    this.#stream.destroy(new Gone());
  }

  end(text: string | Uint8Array): void {
    this.#stream.end(text);
  }
}
