/** Sends bytes that are the same for everybody: from one buffer, a piece at a time as the client reads, fairly by address. */
import { Readable } from 'node:stream';
import { LoopQueue } from '../../core/fair/loop.ts';

export const PIECE_BYTES = 65_536;
/**
 * Pieces of all answers that begin in a tick of the event loop: writing one takes as long as a small request. Few, since
 * an answer waits for its next piece once in a tick: the others of a tick go to those who have more connections.
 */
export const PIECES_IN_TICK = 4;

const pieces = new LoopQueue({ least: 1, most: PIECES_IN_TICK, ms: 2 });

export class SharedBytes extends Readable {
  readonly #bytes: Buffer;
  readonly #address: string;
  #sent = 0;

  /** However many connections an address has, they share the turn of one. */
  constructor(bytes: Buffer, address: string) {
    // The next piece is taken when this one has gone to the connection: it holds no bytes of its own.
    super({ highWaterMark: 1 });
    this.#bytes = bytes;
    this.#address = address;
  }

  override _read(): void {
    pieces.push(this.#address, () => {
      if (this.destroyed) return;
      const piece = this.#bytes.subarray(this.#sent, this.#sent + PIECE_BYTES);
      this.#sent += piece.length;
      this.push(piece);
      if (this.#sent === this.#bytes.length) this.push(null);
    });
  }
}
