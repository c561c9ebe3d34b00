/** The text of a cell while it is read, piece by piece; what is too long is not stored until its end. */

/** The most pieces of one text: a cell of office programs holds no more characters. */
const MOST_PIECES = 32_768;

export class RunsText {
  readonly #longest: number;
  #element: string | undefined;
  #text = '';
  #run: string | undefined;
  #pieces = 0;
  #isSound = false;
  #isTooLong = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** `null` for one that is too long. */
  get text(): string | null {
    return this.#isTooLong ? null : this.#text;
  }

  begin(element: 't' | 'v'): void {
    this.#element = element;
    this.#text = '';
    this.#run = undefined;
    this.#pieces = 0;
    this.#isTooLong = false;
  }

  /** Until the next one begins nothing counts. */
  end(): void {
    this.#element = undefined;
  }

  opened(name: string): void {
    // How a text is spoken is not part of it.
    if (name === 'rPh') this.#isSound = true;
    else if (name === this.#element && !this.#isSound) {
      this.#run = '';
      this.#count();
    }
  }

  /** Throws where the text is in too many pieces: they take memory and time, however short they are. */
  add(more: string): void {
    if (this.#run === undefined) return;
    this.#count();
    if (this.#text.length + this.#run.length + more.length > this.#longest) {
      this.#isTooLong = true;
      this.#text = '';
      this.#run = '';
    }
    if (!this.#isTooLong) this.#run += more;
  }

  closed(name: string): void {
    if (name === 'rPh') this.#isSound = false;
    else if (name === this.#element && this.#run !== undefined) {
      this.#text += name === 't' ? escapesRead(this.#run) : this.#run;
      this.#run = undefined;
    }
  }

  #count(): void {
    this.#pieces += 1;
    if (this.#pieces > MOST_PIECES)
      throw new Error(`a text of its cells is in more than ${MOST_PIECES} pieces`);
  }
}

/** Decodes characters that XML cannot hold, which sheets write as `_x000B_`. */
export function escapesRead(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
