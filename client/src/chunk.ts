/** Rows that go in one request. */
import { parseJson, toJson } from './json.ts';
import { bodyText } from './said.ts';

/** One array stays far below the 32 MiB that the service takes. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** After how long an array goes although it is not full. */
const LONGEST_WAIT = 1000;

export class Chunk<Row> {
  readonly rows: Row[] = [];
  readonly #texts: string[] = [];
  readonly #names = new Set<unknown>();
  readonly #max: () => number;
  #characters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Settles when the first row has waited for long enough. */
  readonly due: Promise<void>;
  #isDue = false;
  #settle: () => void = () => {};

  constructor(max: () => number) {
    this.#max = max;
    this.due = new Promise((settle) => {
      this.#settle = settle;
    });
  }

  get isFull(): boolean {
    return this.rows.length >= this.#max() || this.#characters >= MAX_CHARACTERS;
  }

  /** Whether it goes now: full, or for long enough not empty. */
  get isReady(): boolean {
    return this.isFull || this.#isDue;
  }

  /** Takes the row, which is at that place of all. Throws a `TypeError` where it is no object that JSON can hold. */
  add(row: Row, index: number): void {
    const name = `rows[${index}]`;
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw new TypeError(`${name} is no object: each row is one, of the fields of a record.`);
    const text = bodyText(row, name);
    if (this.rows.length === 0) {
      this.#timer = setTimeout(() => {
        this.#isDue = true;
        this.#settle();
      }, LONGEST_WAIT);
    }
    this.rows.push(row);
    this.#texts.push(text);
    this.#characters += text.length;
    this.#names.add((row as { external_identifier?: unknown }).external_identifier);
  }

  /** Whether both may hold rows of the same record, which must not overtake each other. */
  sharesWith(other: Chunk<Row>): boolean {
    for (const name of this.#names) if (other.#names.has(name)) return true;
    return false;
  }

  /** As JSON; nothing is added after that. */
  close(): string {
    clearTimeout(this.#timer);
    return `[${this.#texts.join(',')}]`;
  }

  /** The row as it was sent: a source may have put the next one into the same object. */
  rowAt(at: number): Row {
    const row = this.rows[at] as Row;
    const text = this.#texts[at] ?? '';
    try {
      if (toJson(row) === text) return row;
    } catch {}
    return parseJson(text) as Row;
  }
}
