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

export type SharedStrings = Awaited<ReturnType<typeof readSharedStrings>>;

/** `most` are the bytes that the parts of its workbook may unpack to. */
export async function readSharedStrings(bytes: AsyncIterable<Uint8Array>, most: number) {
  using stack = new DisposableStack();
  // SQLite's own temporary file: it has no name, and is gone at the latest with the process.
  const database = stack.use(new DatabaseSync(''));
  database.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE shared (texts TEXT NOT NULL)`,
  );
  const insert = database.prepare('INSERT INTO shared (rowid, texts) VALUES (?, ?)');
  const select = database.prepare('SELECT texts FROM shared WHERE rowid = ?');
  const blocks = new BoundedMap<number, readonly Shared[]>(MAX_CHARACTERS, (texts) =>
    texts.reduce((sum, text) => sum + (text?.length ?? 0), TOGETHER),
  );
  let last: Shared[] = [];
  let count = 0;
  const write = (): void => {
    if (last.length === 0) return;
    insert.run(Math.floor((count - 1) / TOGETHER), JSON.stringify(last));
    last = [];
  };
  const text = new RunsText(LONGEST);
  const listener: XmlListener = {
    opened(name) {
      if (name === 'si') text.begin('t');
      else text.opened(name);
    },
    text: (more) => text.add(more),
    closed(name) {
      if (name !== 'si') return text.closed(name);
      last.push(text.text);
      count += 1;
      if (last.length === TOGETHER) write();
      text.end();
    },
  };
  database.exec('BEGIN');
  for await (const _ of walkXml(bytes, listener, elementsIn(most)));
  write();
  database.exec('COMMIT');
  const readBlock = (block: number) => JSON.parse(select.get(block)?.texts as string) as Shared[];
  const owned = stack.move();
  return {
    /** Throws where there is none. */
    at(index: number): Shared {
      if (!(index >= 0 && index < count))
        throw new Error(`a cell has text ${index} of ${count} that cells share`);
      const block = blocks.getOrInsertComputed(Math.floor(index / TOGETHER), readBlock);
      return block[index % TOGETHER] as Shared;
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}
