/** Tables as they are imported: a header, and rows of texts, however they were saved. */
import { TransferRefused } from '../../transfer/refused.ts';

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
  readonly cells: readonly string[];
  /** Why its cells cannot be read; `cells` has then its text. */
  readonly fault?: string;
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
  /** From the first row after the header on; may be read more than once. */
  rows(): AsyncIterable<readonly SourceRow[]>;
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
    among.push(...some.slice(0, LOOKED_AT - among.length));
    said ??= some.find(({ number }) => number === row);
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
    throw new TransferRefused(`${path}: in the header, ${found.fault}.`);
  const beginning = among.map(({ number, cells }) => ({ number, text: shown(cells) }));
  const header = namesOf(found.cells);
  const { number } = found;
  return {
    header,
    headerRow: number,
    beginning,
    read: beginning[0]?.number === number ? read : { ...read, header_row: number },
    rows: () => rows(number, header.length),
  };
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
function namesOf(cells: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return cells.map((cell, at) => {
    const name = cell.trim() || `Column ${lettersOf(at)}`;
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
function lettersOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${lettersOf(Math.floor(at / 26) - 1)}${letter}`;
}
