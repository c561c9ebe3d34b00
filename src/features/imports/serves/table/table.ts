/** Tables as they are imported: a header, and rows of texts, however they were saved. */
import { type ErrorCode, messageOf } from '../../../../core/errors.ts';
import { cellReader } from '../../../../core/schema/csv/write.ts';
import { type CellValue, shownIn } from '../../../../core/tables/cell.ts';
import { TransferRefused } from '../../../../services/transfer/refused.ts';

export interface HeaderRules {
  readonly row?: number | undefined;
  /** How many of the cells are names of fields. */
  readonly knows?: (cells: readonly string[]) => number;
}

/** Rows among which it is looked for: a title, an address and the like may be above it. */
export const LOOKED_AT = 20;
const SHOWN = 100;

export interface SourceRow {
  /** The place in the file: the line on which it begins, or the row of the sheet. */
  readonly number: number;
  /** Texts as a person sees them, and numbers of a workbook as they are stored. */
  readonly cells: readonly string[];
  /** By column, what a workbook says of its cells; a table of texts says nothing more. */
  readonly values?: readonly (CellValue | undefined)[] | undefined;
  /** Whether nobody sees it in its program. */
  readonly isHidden?: boolean;
  /** Why its cells cannot be read; `cells` has then its text. */
  readonly fault?: UnreadRow;
}

export interface UnreadRow {
  readonly code: ErrorCode;
  readonly message: string;
  /** The cell that is at fault, from 0, if it is one. */
  readonly cell?: number;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The fault of a row of more bytes. */
export function tooLarge(most: number): UnreadRow {
  const values = { most };
  return { code: 'row_too_large', message: `the row is larger than ${most} bytes`, values };
}

/** Facts that a table says of itself beside its rows, once these are read. */
export interface TableFacts {
  /** Ranges of cells that are one, such as `A2:A4`. */
  readonly merged: readonly string[];
  /** From the first to the last one, from 0. */
  readonly hiddenColumns: readonly (readonly [first: number, last: number])[];
  readonly hiddenSheets: readonly string[];
}

/** How a file was read. */
export interface ReadAs {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly sheet?: string;
  /** Where it is not the first row. */
  readonly header_row?: number;
  readonly dates?: string;
}

export interface SourceTable {
  /** Each name once. */
  readonly header: readonly string[];
  readonly headerRow: number;
  readonly beginning: readonly { readonly number: number; readonly text: string }[];
  readonly read: ReadAs;
  /** The first rows, as a person sees them, also those that cannot be read. */
  readonly samples: readonly SourceRow[];
  /** By the place of a name in the header, that of its column. */
  readonly places: readonly number[];
  /** From the first row after the header on; may be read more than once. */
  rows(): AsyncIterable<readonly SourceRow[]>;
  readonly facts?: TableFacts | undefined;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** The name of a delimiter. */
export function nameOfDelimiter(delimiter: string): string {
  return DELIMITERS[delimiter] ?? delimiter;
}

/** How a file was read, in words. */
export function readText({ encoding, delimiter, sheet, header_row: row, dates }: ReadAs): string {
  const words = [
    encoding,
    delimiter && nameOfDelimiter(delimiter),
    sheet && `the sheet ${sheet}`,
    row && `header in row ${row}`,
    dates && `dates ${dates}`,
  ];
  return words.filter(Boolean).join(', ') || 'JSON lines';
}

/** Rows in which a column without a name may have something. */
const SEARCHED = 1_000;

/**
 * The table with the rows that follow that of a number, each with that many cells where its file does not say how
 * many there are. `read` says how its file is read. Throws `TransferRefused`.
 */
export async function headedTable(
  path: string,
  read: ReadAs,
  rows: (after: number, width: number) => AsyncIterable<readonly SourceRow[]>,
  { row, knows = () => 0 }: HeaderRules,
): Promise<SourceTable> {
  const among: SourceRow[] = [];
  let said: SourceRow | undefined;
  for await (const some of rows(0, 0)) {
    among.push(...some.slice(0, LOOKED_AT - among.length).map(asShown));
    said ??= some.filter(({ number }) => number === row).map(asShown)[0];
    if (row === undefined ? among.length >= LOOKED_AT : (some.at(-1)?.number ?? 0) >= row) break;
  }
  const found = row === undefined ? likeliest(among, knows) : said;
  if (found === undefined) {
    throw new TransferRefused(
      row === undefined
        ? { code: 'header_missing', values: { file: path } }
        : `${path} has no row ${row}, or nothing is in it.`,
    );
  }
  if (found.fault !== undefined)
    throw new TransferRefused(`${path}: in the header, ${found.fault.message}.`);
  const beginning = among.map(({ number, cells }) => ({ number, text: shown(cells) }));
  const { number } = found;
  const places = await namedPlaces(found.cells, rows(number, 0));
  const asItWas = cellReader(found.cells);
  const header = namesOf(found.cells.map(asItWas), places);
  const width = (places.at(-1) ?? -1) + 1;
  const isPlain = places.length === width;
  const isNamed = new Set(places);
  const placed = (one: SourceRow): SourceRow => {
    if (one.fault !== undefined) return one;
    const wide = asWide(one, width);
    return isPlain || wide.cells.length !== width ? wide : narrowed(wide, places, isNamed);
  };
  return {
    header,
    headerRow: number,
    beginning,
    places,
    samples: among.filter((one) => one.number > number).map(placed),
    read: beginning[0]?.number === number ? read : { ...read, header_row: number },
    async *rows() {
      for await (const some of rows(number, width)) yield some.map(placed);
    },
  };
}

/** The row with the texts that a person sees in all of its cells. */
export function asShown(row: SourceRow): SourceRow {
  const { values } = row;
  if (values === undefined) return row;
  return { ...row, cells: row.cells.map((text, at) => shownIn(text, values[at])) };
}

/** Without blank cells beyond the last name: a delimiter at the end of a line begins none. */
function asWide(row: SourceRow, width: number): SourceRow {
  if (row.cells.length <= width || !fits(row.cells, width)) return row;
  return { ...row, cells: row.cells.slice(0, width), values: row.values?.slice(0, width) };
}

/** With the cells of those columns alone; one that has something in another one is refused. */
function narrowed(row: SourceRow, places: readonly number[], isNamed: ReadonlySet<number>) {
  const cell = row.cells.findIndex((text, at) => !isNamed.has(at) && text.trim() !== '');
  if (cell >= 0) {
    const values = { column: lettersOf(cell) };
    const message = messageOf('column_unnamed', { values }).replace(/\.$/, '');
    return { ...row, fault: { code: 'column_unnamed', message, values } } as const;
  }
  return {
    ...row,
    cells: places.map((at) => row.cells[at] ?? ''),
    values: row.values && places.map((at) => row.values?.[at]),
  };
}

/** How many cells a header has up to the last one that is not blank. */
export function namedWidth(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

/** Whether a row has that many cells, and nothing but blanks beyond. */
export function fits(cells: readonly string[], width: number): boolean {
  if (cells.length < width) return false;
  for (let at = width; at < cells.length; at += 1) if (cells[at]?.trim() !== '') return false;
  return true;
}

/** The places of columns that have a name, or something in one of the first rows. */
async function namedPlaces(
  header: readonly string[],
  rows: AsyncIterable<readonly SourceRow[]>,
): Promise<readonly number[]> {
  const width = namedWidth(header);
  const places = new Set([...header.keys()].filter((at) => header[at]?.trim() !== ''));
  let left = SEARCHED;
  // What rows have beyond a header of texts is no column: their width is wrong.
  const most = Math.max(header.length, width);
  if (places.size < most) {
    for await (const some of rows) {
      for (const { cells } of some.slice(0, left).filter(({ fault }) => fault === undefined))
        for (const [at, cell] of cells.slice(0, most).entries())
          if (cell.trim() !== '') places.add(at);
      left -= some.length;
      if (left <= 0) break;
    }
  }
  return [...places].sort((one, other) => one - other);
}

/** The first row, unless one below it has more names of fields, or it has one cell alone: a title. */
function likeliest(rows: readonly SourceRow[], knows: Required<HeaderRules>['knows']) {
  const [first] = rows;
  if (first === undefined || first.fault !== undefined) return first;
  let found = first;
  let most = knows(first.cells);
  for (const row of rows.slice(1)) {
    const count = row.fault === undefined ? knows(row.cells) : 0;
    if (count > most) [found, most] = [row, count];
  }
  if (most > 0 || filled(first) > 1) return found;
  return rows.find((row) => filled(row) > 1) ?? first;
}

/** The row that names the columns, where a file has not said how its cells are separated. */
export function headerAmong(
  rows: readonly SourceRow[],
  knows: Required<HeaderRules>['knows'],
): SourceRow | undefined {
  if (rows.some(({ cells }) => knows(cells) > 0)) return likeliest(rows, knows);
  // Lines above the header, a title for example, have few cells.
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return rows.find(({ cells }) => 2 * cells.length > widest);
}

function shown(cells: readonly string[]): string {
  const text = cells
    .slice(0, SHOWN)
    .map((cell) => cell.slice(0, SHOWN).trim())
    .filter((cell) => cell !== '')
    .join(', ');
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)} …`;
}

function filled({ cells }: SourceRow): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

/** Each one once: a second `Phone` is `Phone (2)`, and the fourth, without a name, is `Column D`. */
function namesOf(cells: readonly string[], places: readonly number[]): readonly string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return places.map((at) => {
    const name = cells[at]?.trim() || `Column ${lettersOf(at)}`;
    let count = counts.get(name) ?? 0;
    let own = name;
    do {
      count += 1;
      own = count === 1 ? name : `${name} (${count})`;
    } while (taken.has(own));
    counts.set(name, count);
    taken.add(own);
    return own;
  });
}

/** As sheets call their columns: A, Z, AA. */
export function lettersOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${lettersOf(Math.floor(at / 26) - 1)}${letter}`;
}
