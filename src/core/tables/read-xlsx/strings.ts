/** The texts that the cells of a workbook share: there may be millions, so they are stored on disk. */

import { DatabaseSync } from 'node:sqlite';
import { BoundedMap } from '../../bounded.ts';
import { RunsText } from './runs.ts';
import { elementsIn, walkXml, type XmlListener } from './xml.ts';

/** Texts that are read together: those of cells that are near each other are, mostly. */
const TOGETHER = 32;
const MAX_CHARACTERS = 262_144;
/** Longer ones are not stored: no row may be as large. */
const LONGEST = 1_048_576;

/** `null` for a text that is longer than a row may be. */
type Shared = string | null;

export class SharedStrings implements Disposable {
  // SQLite's own temporary file: it has no name, and is gone at the latest with the process.
  readonly #database = new DatabaseSync('');
  readonly #insert;
  readonly #select;
  #last: Shared[] = [];
  #count = 0;
  readonly #blocks = new BoundedMap<number, readonly Shared[]>(MAX_CHARACTERS, (texts) =>
    texts.reduce((sum, text) => sum + (text?.length ?? 0), TOGETHER),
  );

  private constructor() {
    this.#database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE shared (texts TEXT NOT NULL)`,
    );
    this.#insert = this.#database.prepare('INSERT INTO shared (rowid, texts) VALUES (?, ?)');
    this.#select = this.#database.prepare('SELECT texts FROM shared WHERE rowid = ?');
  }

  /** `most` are the bytes that the parts of its workbook may unpack to. */
  static async read(bytes: AsyncIterable<Uint8Array>, most: number): Promise<SharedStrings> {
    using stack = new DisposableStack();
    const strings = stack.use(new SharedStrings());
    strings.#database.exec('BEGIN');
    const text = new RunsText(LONGEST);
    const listener: XmlListener = {
      opened(name) {
        if (name === 'si') text.begin('t');
        else text.opened(name);
      },
      text: (more) => text.add(more),
      closed(name) {
        if (name !== 'si') return text.closed(name);
        strings.#add(text.text);
        text.end();
      },
    };
    for await (const _ of walkXml(bytes, listener, elementsIn(most)));
    strings.#write();
    strings.#database.exec('COMMIT');
    stack.move();
    return strings;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  at(index: number): Shared {
    if (!(index >= 0 && index < this.#count)) {
      throw new Error(`a cell has text ${index} of ${this.#count} that cells share`);
    }
    const block = Math.floor(index / TOGETHER);
    return this.#block(block)[index % TOGETHER] as Shared;
  }

  #block(block: number): readonly Shared[] {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const texts = JSON.parse(this.#select.get(block)?.texts as string) as readonly Shared[];
    this.#blocks.set(block, texts);
    return texts;
  }

  #add(text: Shared): void {
    this.#last.push(text);
    this.#count += 1;
    if (this.#last.length === TOGETHER) this.#write();
  }

  #write(): void {
    if (this.#last.length === 0) return;
    this.#insert.run(Math.floor((this.#count - 1) / TOGETHER), JSON.stringify(this.#last));
    this.#last = [];
  }
}
