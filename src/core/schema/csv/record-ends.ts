/** Finds the ends of CSV records (RFC 4180): line feeds outside quotes. */
import type { Ends } from '../lines.ts';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

type State = 'start of a cell' | 'plain' | 'quoted' | 'after a quote';

/**
 * Finds the ends of records that arrive in pieces of any size. A quote at the start of a cell encloses it; elsewhere it
 * is an ordinary character here, and the record is refused when its cells are read.
 */
export class RecordEnds implements Ends {
  readonly #delimiter: number;
  #state: State = 'start of a cell';
  #within = 0;

  /** `delimiter` is one ASCII character. */
  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  find(bytes: Uint8Array, from: number): number {
    let state = this.#state;
    const delimiter = this.#delimiter;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (state === 'quoted') {
        if (byte === QUOTE) state = 'after a quote';
        else if (byte === LINE_FEED) this.#within += 1;
      } else if (byte === LINE_FEED) {
        this.#state = 'start of a cell';
        return at;
      } else if (byte === delimiter) {
        state = 'start of a cell';
      } else if (byte === QUOTE && state !== 'plain') {
        state = 'quoted';
      } else {
        state = 'plain';
      }
    }
    this.#state = state;
    return -1;
  }

  linesWithin(): number {
    const within = this.#within;
    this.#within = 0;
    return within;
  }

  /** Whether the record is blank: all of its cells are empty. */
  isBlank(bytes: Uint8Array): boolean {
    return bytes.every(
      (byte) => byte === this.#delimiter || byte === 0x20 || byte === 0x09 || byte === 0x0d,
    );
  }
}
