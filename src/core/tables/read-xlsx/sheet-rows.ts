/** The rows of a sheet, as they are read: for each the cells that are there. */

import { DatabaseSync } from 'node:sqlite';
import { BoundedMap } from '../../bounded.ts';
import { walkXml, type XmlListener } from './xml.ts';

/** The last one is XFD. */
const MOST_COLUMNS = 16_384;

export interface SheetRow {
  /** As people see it. */
  readonly number: number;
  readonly cells: readonly SheetCell[];
  /** Whether it is larger than requested; it has no cells then. */
  readonly isTooLarge: boolean;
}

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
}

export interface SheetMeaning {
  readonly strings: SharedStrings | undefined;
  /** By the style of a cell. */
  readonly formats: readonly (NumberFormat | undefined)[];
  /** Characters of a row, and of all rows: cells may share a text thousands of times. */
  readonly longest: number;
  readonly most: number;
}

/** Rows that have a text, some at a time; the sheet is read no further before they are taken. */
export async function* sheetRows(
  bytes: AsyncIterable<Uint8Array>,
  meaning: SheetMeaning,
): AsyncGenerator<readonly SheetRow[], void> {
  const listener = createRowListener(meaning);
  for await (const _ of walkXml(bytes, listener, meaning.most)) {
    const rows = listener.take();
    if (rows.length > 0) yield rows;
  }
}

function createRowListener({ strings, formats, longest, most }: SheetMeaning) {
  const text = createText(longest);
  let rows: SheetRow[] = [];
  let number = 0;
  let cells: SheetCell[] = [];
  let size = 0;
  let sizeOfAll = 0;
  let column = -1;
  let type: string | undefined;
  let style: string | undefined;

  const add = (found: string | null): void => {
    const isFull = cells.length === MOST_COLUMNS;
    size += found === null || isFull ? Number.POSITIVE_INFINITY : found.length;
    sizeOfAll += found?.length ?? 0;
    if (sizeOfAll > most)
      throw new Error(`its cells hold more than ${most} characters. Save it in several files`);
    if (size > longest) cells = [];
    else if (found !== null && found !== '') cells.push({ column, text: found });
  };

  /** `null` for a text that is longer than a row may be. */
  const shownText = (written: string | null): string | null => {
    if (written === null || written === '') return written;
    switch (type) {
      case 's':
        if (strings === undefined) throw new Error('the texts of its cells are missing');
        return strings.at(Number(written));
      case 'str':
        return escapesRead(written);
      case 'b':
        return written === '1' || written.toLowerCase() === 'true' ? 'true' : 'false';
      case 'n':
        return numberText(written);
      default:
        return written;
    }
  };

  const numberText = (written: string): string => {
    const value = Number(written);
    if (written.trim() === '' || Number.isNaN(value)) return written;
    return formats[Number(style ?? 0)]?.(value) ?? String(value);
  };

  return {
    take(): readonly SheetRow[] {
      const taken = rows;
      rows = [];
      return taken;
    },
    opened(name: string, { r, t, s }: Readonly<Record<string, string>>): void {
      if (name === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        type = t ?? 'n';
        style = s;
        text.begin(t === 'inlineStr' ? 't' : 'v');
      } else if (name === 'row') {
        number = r === undefined ? number + 1 : Number(r);
        cells = [];
        size = 0;
        column = -1;
      } else text.opened(name);
    },
    text: (more: string): void => text.add(more),
    closed(name: string): void {
      if (name === 'c') {
        add(shownText(text.taken()));
      } else if (name === 'row') {
        const isTooLarge = size > longest;
        if (!isTooLarge && cells.every((cell) => cell.text.trim() === '')) return;
        rows.push({ number, cells: isTooLarge ? [] : cells, isTooLarge });
      } else text.closed(name);
    },
  };
}

/** The column of a cell such as `AB12`. */
function columnOf(cell: string): number {
  let column = 0;
  for (let at = 0; at < cell.length; at += 1) {
    const letter = cell.charCodeAt(at) & ~32;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
    if (column > MOST_COLUMNS) break;
  }
  if (column >= 1 && column <= MOST_COLUMNS) return column - 1;
  throw new Error(`it has a cell called ${JSON.stringify(cell.slice(0, 40))}`);
}

const DAY_MS = 86_400_000;
/** The day after the last one that a sheet knows, 9999-12-31. */
const END = 2_958_466;
/** Formats of dates that need no code: those of Excel, and of its East Asian editions. */
const DATES = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const;

/** The text that people see, where that says more than the number does. */
export type NumberFormat = (value: number) => string | undefined;

/** `code` is that of the workbook. `startsIn1904` says from which day it counts. */
export function numberFormat(
  id: number,
  code: string | undefined,
  startsIn1904: boolean,
): NumberFormat | undefined {
  const plain = code === undefined ? '' : withoutLiterals(code);
  // `[h]:mm` is a length of time, which may be longer than a day.
  const isDate =
    code === undefined
      ? DATES.some(([first, last]) => id >= first && id <= last)
      : /[ymdhs]/i.test(plain) && !/\[[hms]+\]/i.test(code);
  if (isDate) return (value) => dateText(value, startsIn1904);
  return /^00[0\s().-]*$/.test(plain) && !plain.includes('.') ? zerosIn(plain) : undefined;
}

/** The first section of a code, without words, colours and conditions. */
function withoutLiterals(code: string): string {
  const sections = code.replace(/"([^"]*)"/g, (_, text: string) =>
    /^[\s().-]*$/.test(text) ? text : '',
  );
  const [first = ''] = sections.split(';');
  return first.replace(/\\([\s().-])/g, '$1').replace(/\\.|_.|\*.|\[[^[\]]*\]/g, '');
}

/** A date has no offset: it is what a clock on the wall shows. */
function dateText(value: number, startsIn1904: boolean): string | undefined {
  if (!(value >= 0 && value < END)) return undefined;
  const isTimeAlone = value < 1 && !startsIn1904;
  // Sheets take 1900 for a leap year: until its 29th of February they are a day ahead.
  const epoch = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
  const text = new Date(epoch + Math.round(value * DAY_MS)).toISOString().replace(/\.000Z$|Z$/, '');
  return isTimeAlone ? text.slice(11) : text.replace(/T00:00:00$/, '');
}

/** Such as `00000` for a postal code. */
function zerosIn(pattern: string): NumberFormat {
  const width = pattern.replaceAll(/[^0]/g, '').length;
  return (value) => {
    if (!Number.isSafeInteger(value) || value < 0) return undefined;
    const digits = String(value).padStart(width, '0');
    if (digits.length > width) return pattern.length === width ? digits : undefined;
    let at = 0;
    return pattern.replaceAll('0', () => digits.charAt(at++));
  };
}

/** The most pieces of one text: a cell of office programs holds no more characters. */
const MOST_PIECES = 32_768;

/** The text of a cell while it is read, piece by piece; what is too long is not stored until its end. */
function createText(longest: number) {
  /** Between texts nothing counts. */
  let element: 't' | 'v' | undefined;
  let text = '';
  let run: string | undefined;
  let pieces = 0;
  let isSound = false;
  let isTooLong = false;
  /** Throws where the text is in too many pieces: they take memory and time, however short they are. */
  const count = (): void => {
    pieces += 1;
    if (pieces > MOST_PIECES)
      throw new Error(`a text of its cells is in more than ${MOST_PIECES} pieces`);
  };
  return {
    begin(of: 't' | 'v'): void {
      element = of;
      text = '';
      run = undefined;
      pieces = 0;
      isTooLong = false;
    },
    /** The text that has ended; `null` for one that is too long. */
    taken(): string | null {
      element = undefined;
      return isTooLong ? null : text;
    },
    opened(name: string): void {
      // How a text is spoken is not part of it.
      if (name === 'rPh') isSound = true;
      else if (name === element && !isSound) {
        run = '';
        count();
      }
    },
    add(more: string): void {
      if (run === undefined) return;
      count();
      if (text.length + run.length + more.length > longest) {
        isTooLong = true;
        text = '';
        run = '';
      }
      if (!isTooLong) run += more;
    },
    closed(name: string): void {
      if (name === 'rPh') isSound = false;
      else if (name === element && run !== undefined) {
        text += name === 't' ? escapesRead(run) : run;
        run = undefined;
      }
    },
  };
}

/** Decodes characters that XML cannot hold, which sheets write as `_x000B_`. */
function escapesRead(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

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
  const text = createText(LONGEST);
  const listener: XmlListener = {
    opened(name) {
      if (name === 'si') text.begin('t');
      else text.opened(name);
    },
    text: (more) => text.add(more),
    closed(name) {
      if (name !== 'si') return text.closed(name);
      last.push(text.taken());
      count += 1;
      if (last.length === TOGETHER) write();
    },
  };
  database.exec('BEGIN');
  for await (const _ of walkXml(bytes, listener, most));
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
