/** The rows of a sheet, as they are read: for each the cells that are there. */

import { DatabaseSync } from 'node:sqlite';
import { BoundedMap } from '../../bounded.ts';
import { type CellValue, ERROR, FALSE, TEXT, TRUE, UNSAVED } from '../cell.ts';
import { WorkbookFault } from './fault.ts';
import { type NumberFormat, numberFormats, numberOfIso } from './formats.ts';
import { place, walkXml, type XmlAttributes, type XmlPlace, type XmlReading } from './xml.ts';

/** The namespaces of workbooks, by the two editions of the standard. */
export const SHEETS: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
]);

/** The last one is XFD. */
const MOST_COLUMNS = 16_384;
/** Ranges that are told of a sheet. */
const MOST_RANGES = 1_000;

export interface SheetRow {
  /** As people see it. */
  readonly number: number;
  readonly cells: readonly SheetCell[];
  /** Whether it is larger than requested; it has no cells then. */
  readonly isTooLarge: boolean;
  readonly isHidden: boolean;
}

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  /** A text as a person sees it; a number as it is stored. */
  readonly text: string;
  readonly value: CellValue;
}

/** Facts that a sheet says of its cells, beside them. They are known when all rows are read. */
export interface SheetFacts {
  /** Ranges that are one cell, such as `A2:A4`. */
  readonly merged: string[];
  /** From the first to the last one, from 0. */
  readonly hiddenColumns: (readonly [first: number, last: number])[];
}

export interface SheetMeaning {
  readonly strings: SharedStrings | undefined;
  /** By the style of a cell. */
  readonly formats: readonly NumberFormat[];
  readonly startsIn1904: boolean;
  /** Characters of a row, and of all rows: cells may share a text thousands of times. */
  readonly longest: number;
  readonly most: number;
  /** Takes what the sheet says beside its rows. */
  readonly facts?: SheetFacts | undefined;
}

/** Rows that say something, some at a time; the sheet is read no further before they are taken. */
export async function* sheetRows(
  bytes: AsyncIterable<Uint8Array>,
  meaning: SheetMeaning,
): AsyncGenerator<readonly SheetRow[], void> {
  const { reading, take } = rowReader(meaning);
  for await (const _ of walkXml(bytes, reading, meaning.most)) {
    const rows = take();
    if (rows.length > 0) yield rows;
  }
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?\s*$/i;

function rowReader({ strings, formats, startsIn1904, longest, most, facts }: SheetMeaning) {
  const text = createText(longest);
  const plain = numberFormats(startsIn1904)(0);
  let rows: SheetRow[] = [];
  let number = 0;
  let isHidden = false;
  let cells: SheetCell[] = [];
  let size = 0;
  let sizeOfAll = 0;
  let column = -1;
  let type: string | undefined;
  let style: string | undefined;
  let isFormula = false;
  let isValue = false;

  const add = (found: string | null, value: CellValue): void => {
    const isFull = cells.length === MOST_COLUMNS;
    size += found === null || isFull ? Number.POSITIVE_INFINITY : found.length;
    sizeOfAll += found?.length ?? 0;
    if (sizeOfAll > most)
      throw new WorkbookFault(
        `its cells hold more than ${most} characters`,
        'Save it in several files',
      );
    if (size > longest) cells = [];
    else if (found !== null && (found !== '' || value !== TEXT))
      cells.push({ column, text: found, value });
  };

  type Read = readonly [text: string | null, value: CellValue];

  /** `null`: the text is longer than a row may be. */
  const read = (written: string | null): Read => {
    const isText = isValue && (type === 'str' || type === 'inlineStr');
    if (isFormula && written === '' && !isText) return ['', UNSAVED];
    if (written === null || written === '') return [written, TEXT];
    switch (type) {
      case 's':
        if (strings === undefined) throw new WorkbookFault('the texts of its cells are missing');
        return [strings.at(Number(written)), TEXT];
      case 'str':
        return [escapesRead(written), TEXT];
      case 'b': {
        const isTrue = isOn(written.trim().toLowerCase());
        return isTrue ? ['TRUE', TRUE] : ['FALSE', FALSE];
      }
      case 'e':
        return [written, ERROR];
      case 'd':
        return numberIn(written, numberOfIso(written, startsIn1904));
      case 'n':
        return numberIn(written, NUMBER.test(written) ? Number(written) : undefined);
      default:
        return [written, TEXT];
    }
  };

  const numberIn = (written: string, value: number | undefined): Read => {
    if (value === undefined || !Number.isFinite(value)) return [written, TEXT];
    return [String(value), (formats[Number(style ?? 0)] ?? plain)(value)];
  };

  const runs: Readonly<Record<string, XmlPlace>> = {
    t: {
      opened: () => text.opens(),
      text: (more) => text.add(more),
      closed: () => text.closes(true),
    },
  };
  const cell = place(
    {
      v: {
        opened() {
          isValue = true;
          text.opens();
        },
        text: (more) => text.add(more),
        closed: () => text.closes(false),
      },
      f: {
        opened() {
          isFormula = true;
        },
      },
      // How a text is spoken (`rPh`) is not part of it.
      is: place(
        { ...runs, r: place(runs) },
        {
          opened() {
            type = 'inlineStr';
            isValue = true;
            text.begin();
          },
        },
      ),
    },
    {
      opened({ r, t, s }) {
        column = r === undefined ? column + 1 : columnOf(r);
        type = t ?? 'n';
        style = s;
        isFormula = false;
        isValue = false;
        text.begin();
      },
      closed: () => add(...read(text.taken())),
    },
  );
  const row = place(
    { c: cell },
    {
      opened({ r, hidden }) {
        number = r === undefined ? number + 1 : Number(r);
        isHidden = isOn(hidden);
        cells = [];
        size = 0;
        column = -1;
      },
      closed() {
        const isTooLarge = size > longest;
        if (!isTooLarge && cells.every((cell) => cell.value !== UNSAVED && isBlank(cell.text)))
          return;
        rows.push({ number, cells: isTooLarge ? [] : cells, isTooLarge, isHidden });
      },
    },
  );
  const reading: XmlReading = {
    namespaces: SHEETS,
    root: new Map([
      [
        'worksheet',
        place({
          cols: place({ col: { opened: (attributes) => noteColumns(facts, attributes) } }),
          sheetData: place({ row }),
          mergeCells: place({
            mergeCell: {
              opened({ ref }) {
                if (ref !== undefined && facts && facts.merged.length < MOST_RANGES)
                  facts.merged.push(ref.slice(0, 40));
              },
            },
          }),
        }),
      ],
    ]),
  };
  return {
    reading,
    take(): readonly SheetRow[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

function noteColumns(
  facts: SheetFacts | undefined,
  { min, max, hidden, width }: XmlAttributes,
): void {
  if (!isOn(hidden) && Number(width ?? 1) !== 0) return;
  if (facts === undefined || facts.hiddenColumns.length >= MOST_RANGES) return;
  facts.hiddenColumns.push([Number(min) - 1, Number(max) - 1]);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** As attributes say that something is so. */
export function isOn(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'on';
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
  throw new WorkbookFault(`it has a cell called ${JSON.stringify(cell.slice(0, 40))}`);
}

/** The most pieces of one text: a cell of office programs holds no more characters. */
const MOST_PIECES = 32_768;

/** The text of a cell while it is read, piece by piece; what is too long is not stored until its end. */
function createText(longest: number) {
  let text = '';
  /** Between texts nothing counts. */
  let run: string | undefined;
  let pieces = 0;
  let isTooLong = false;
  /** Throws where the text is in too many pieces: they take memory and time, however short they are. */
  const count = (): void => {
    pieces += 1;
    if (pieces > MOST_PIECES)
      throw new WorkbookFault(`a text of its cells is in more than ${MOST_PIECES} pieces`);
  };
  return {
    begin(): void {
      text = '';
      run = undefined;
      pieces = 0;
      isTooLong = false;
    },
    /** The text that has ended; `null` for one that is too long. */
    taken(): string | null {
      return isTooLong ? null : text;
    },
    opens(): void {
      run = '';
      count();
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
    closes(hasEscapes: boolean): void {
      if (run === undefined) return;
      text += hasEscapes ? escapesRead(run) : run;
      run = undefined;
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
    `PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; CREATE TABLE shared (texts TEXT NOT NULL)`,
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
  const runs: Readonly<Record<string, XmlPlace>> = {
    t: {
      opened: () => text.opens(),
      text: (more) => text.add(more),
      closed: () => text.closes(true),
    },
  };
  const item = place(
    { ...runs, r: place(runs) },
    {
      opened: () => text.begin(),
      closed() {
        last.push(text.taken());
        count += 1;
        if (last.length === TOGETHER) write();
      },
    },
  );
  const reading = { namespaces: SHEETS, root: new Map([['sst', place({ si: item })]]) };
  database.exec('BEGIN');
  for await (const _ of walkXml(bytes, reading, most));
  write();
  database.exec('COMMIT');
  const readBlock = (block: number) => JSON.parse(select.get(block)?.texts as string) as Shared[];
  const owned = stack.move();
  return {
    /** Throws where there is none. */
    at(index: number): Shared {
      if (!(index >= 0 && index < count))
        throw new WorkbookFault(`a cell has text ${index} of ${count} that cells share`);
      const block = blocks.getOrInsertComputed(Math.floor(index / TOGETHER), readBlock);
      return block[index % TOGETHER] as Shared;
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}
