/** Answers that are made as they are read: a long one is never in memory as a whole. */
import { Readable } from 'node:stream';
import { LoopQueue } from '../../core/fair/loop.ts';

/** How long one tick of the event loop makes pieces, for all answers together. */
const making = new LoopQueue({ least: 1, most: 256, ms: 2 });

/**
 * Reads pieces of text one by one, each when there is room for it and a few in each tick of the event loop, so that
 * other requests come in between.
 */
export class Pieces extends Readable {
  readonly #pieces: Iterator<string>;
  #first: string | undefined;

  constructor(pieces: Iterator<string>, first?: string) {
    super({ highWaterMark: 1 });
    this.#pieces = pieces;
    this.#first = first;
  }

  override _read(): void {
    making.push('', () => this.#make());
  }

  #make(): void {
    if (this.destroyed) return;
    try {
      this.push(this.#next());
    } catch (error) {
      this.destroy(error as Error);
    }
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
