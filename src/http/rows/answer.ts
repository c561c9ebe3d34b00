/** An answer that is written as it comes about, no faster than it is read. */
import { PassThrough, type Readable } from 'node:stream';
import { SILENCE_MS } from './arrivals.ts';

/** The client is gone, or has read nothing for too long: there is nobody to answer. */
export class Unread extends Error {
  override readonly name = 'Unread';
}

export class Answer {
  readonly #stream = new PassThrough();
  #wake = (): void => {};

  constructor() {
    const wake = (): void => this.#wake();
    this.#stream.on('drain', wake).on('close', wake).on('error', wake);
  }

  /** What is to be sent. */
  get body(): Readable {
    return this.#stream;
  }

  /** Resolves when there is room for more; throws `Unread`. */
  async write(text: string): Promise<void> {
    if (this.#stream.destroyed) throw new Unread();
    if (this.#stream.write(text)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const silence = setTimeout(() => this.#stream.destroy(new Unread()), SILENCE_MS);
    this.#wake = resolve;
    await promise;
    clearTimeout(silence);
    if (this.#stream.destroyed) throw new Unread();
  }

  end(text: string): void {
    this.#stream.end(text);
  }
}
