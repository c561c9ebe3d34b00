/** Cuts bytes into lines, or into records of several lines, as they arrive, holding no more than one and what came with it. */

export interface Line {
  /** The number of the line in the body, from 1; of a record, the line in which it begins. */
  readonly number: number;
  /** The line without its end; `undefined` if it is too long. */
  readonly bytes: Uint8Array | undefined;
}

/** Where the arriving bytes are consumed; called with every byte once, in order. */
export interface Ends {
  /** The place of the line feed that ends a line, and -1 where none does. */
  find(bytes: Uint8Array, from: number): number;
  /** Line feeds within the line that has ended, which do not end it. */
  linesWithin(): number;
  /** Whether a line is blank, and so is left out. */
  isBlank(bytes: Uint8Array): boolean;
}

const LINE_FEED = 0x0a;

const LINE_ENDS: Ends = {
  find: (bytes, from) => bytes.indexOf(LINE_FEED, from),
  linesWithin: () => 0,
  isBlank: (bytes) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d),
};

/** Bytes as they arrive. */
export interface ByteSource {
  /** Some more, `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Called when a line began in the last bytes and has not ended. */
  lineBegins?(): void;
  lineEnds?(): void;
}

export interface LineLimits {
  /** Bytes of one line. */
  readonly longest: number;
  /** Lines given at once, blank ones counted. */
  readonly together: number;
  /** Called with the number of bytes of an unfinished line that have arrived, and awaited. */
  readonly begun?: (bytes: number) => void | Promise<void>;
  /** Awaited after each piece of a line that is too long. */
  readonly tooLong?: () => Promise<void>;
  readonly ends?: Ends;
}

/**
 * The lines that are not blank, in order, as many at once as have arrived.
 * Lines end with a line feed, which may be missing after the last one.
 */
export async function* readLines(
  arrivals: ByteSource,
  { longest, together, begun: report, tooLong, ends = LINE_ENDS }: LineLimits,
): AsyncGenerator<readonly Line[]> {
  const begun = new BegunLine(longest);
  let number = 0;
  let lines: Line[] = [];
  let taken = 0;
  const take = (bytes: Uint8Array | undefined): void => {
    taken += 1;
    if (bytes === undefined || !ends.isBlank(bytes)) lines.push({ number: number + 1, bytes });
    number += 1 + ends.linesWithin();
  };
  for (let bytes = await arrivals.next(); bytes !== undefined; bytes = await arrivals.next()) {
    let from = 0;
    const before = number;
    for (let end = ends.find(bytes, 0); end >= 0; end = ends.find(bytes, from)) {
      take(begun.endedBy(bytes.subarray(from, end)));
      from = end + 1;
      if (taken < together) continue;
      yield lines;
      lines = [];
      taken = 0;
    }
    const wasEmpty = begun.isEmpty;
    begun.add(bytes.subarray(from));
    if (begun.isEmpty) arrivals.lineEnds?.();
    else if (wasEmpty || number > before) arrivals.lineBegins?.();
    const wait = report?.(begun.length);
    if (wait !== undefined) await wait;
    if (begun.isTooLong) await tooLong?.();
    taken = 0;
    if (lines.length === 0) continue;
    yield lines;
    lines = [];
  }
  if (!begun.isEmpty) take(begun.endedBy(new Uint8Array()));
  if (lines.length > 0) yield lines;
}

/** A line whose end has not arrived: in one buffer, however small the pieces are in which it comes. */
class BegunLine {
  readonly #longest: number;
  #bytes = Buffer.alloc(0);
  /** Counted on where the line is too long to be stored. */
  #length = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get isTooLong(): boolean {
    return this.#length > this.#longest;
  }

  get length(): number {
    return this.isTooLong ? 0 : this.#length;
  }

  add(piece: Uint8Array): void {
    const start = this.#length;
    this.#length += piece.length;
    if (this.isTooLong) {
      this.#bytes = Buffer.alloc(0);
      return;
    }
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, start);
  }

  /** The whole line, or `undefined` where it is too long; the next one begins after it. */
  endedBy(piece: Uint8Array): Uint8Array | undefined {
    if (this.isEmpty && piece.length <= this.#longest) return piece;
    this.add(piece);
    const whole = this.isTooLong ? undefined : this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return whole;
  }
}
