/** Tables saved as CSV, with any delimiter. */

import { type CsvFault, cellsOf, RecordEnds } from '../../../../core/schema/csv/cells.ts';
import { type Line, readLines } from '../../../../core/schema/lines.ts';
import { TransferRefused } from '../../../../services/transfer/refused.ts';
import type { Remedies } from '../words.ts';
import { asUtf8, type FileLook } from './encoding.ts';
import {
  fits,
  type HeaderRules,
  headedTable,
  headerAmong,
  LOOKED_AT,
  namedWidth,
  nameOfDelimiter,
  type SourceRow,
  type SourceTable,
  tooLarge,
} from './table.ts';

/** Rows by which the delimiter is judged. */
const SNIFFED = 1_000;
const DELIMITERS = [',', ';', '\t', '|'] as const;
const TOGETHER = 256;
export const MAX_ROW_BYTES = 1_048_576;

/** `given` is the delimiter from the options. Throws `TransferRefused`. */
export async function csvTable(
  path: string,
  look: FileLook,
  given: string | undefined,
  remedies: Remedies,
  rules: HeaderRules,
): Promise<SourceTable> {
  const delimiter = given ?? (await sniff(path, look, remedies, rules));
  const read = { encoding: look.encoding, delimiter };
  const rowsFrom = async function* (after: number) {
    for await (const some of recordsOf(path, look, delimiter))
      yield some.filter(({ number }) => number > after);
  };
  return headedTable(path, read, rowsFrom, rules);
}

async function* recordsOf(path: string, look: FileLook, delimiter: string) {
  const ends = new RecordEnds(delimiter, look.endsInReturns ? '\r' : '\n');
  const limits = { longest: MAX_ROW_BYTES, together: TOGETHER, ends };
  await using source = asUtf8(path, look);
  for await (const lines of readLines(source, limits)) {
    const rows = lines.map((line) => rowOf(line, delimiter)).filter((row) => !isEndMark(row));
    if (rows.length > 0) yield rows;
  }
}

/** Some programs end a file with the character that ended it in MS-DOS. */
function isEndMark({ cells, fault }: SourceRow): boolean {
  return fault === undefined && cells.length === 1 && cells[0] === '\x1a';
}

function rowOf({ number, bytes }: Line, delimiter: string): SourceRow {
  if (bytes === undefined) return { number, cells: [], fault: tooLarge(MAX_ROW_BYTES) };
  const cells = cellsOf(bytes, delimiter);
  if (!('says' in cells)) return { number, cells };
  const again = cells.inFile === 'quote_alone' ? asTexts(bytes, delimiter) : cells;
  if (!('says' in again)) return { number, cells: again };
  const fault = { code: cells.inFile, message: cells.says, cell: cells.cell };
  const text = Buffer.from(bytes).toString();
  if (cells.inFile !== 'characters_damaged') return { number, cells: [text.trimEnd()], fault };
  // With a mark in place of each character that is damaged.
  const readable = cellsOf(Buffer.from(text), delimiter);
  return { number, cells: 'says' in readable ? [text.trimEnd()] : readable, fault };
}

/** Reads `="02138"`, which is how a table makes a spreadsheet program keep a text, where no quotes are around it. */
function asTexts(bytes: Uint8Array, delimiter: string): readonly string[] | CsvFault {
  const text = Buffer.from(bytes).toString();
  const quoted = text.replaceAll(
    /(?<=^|[,;\t|])="([^"]*)"(?=$|[,;\t|\r])/g,
    (_, inside: string) => `"=""${inside}"""`,
  );
  return cellsOf(Buffer.from(quoted), delimiter);
}

interface Fitting {
  readonly delimiter: string;
  /** Fields that its header names. */
  readonly known: number;
  readonly width: number;
  /** The first row that has another width. */
  readonly odd: number | undefined;
}

/** The one delimiter with which the first records all have as many cells as the header, or its header names fields. */
async function sniff(
  path: string,
  look: FileLook,
  remedies: Remedies,
  rules: HeaderRules,
): Promise<string> {
  const all: Fitting[] = [];
  for (const delimiter of DELIMITERS) {
    const found = await fitting(path, look, delimiter, rules);
    if (typeof found === 'string') return found;
    all.push(found);
  }
  const tables = all.filter(({ width }) => width > 1);
  if (tables.length === 0) return ',';
  const whole = tables.filter(({ odd }) => odd === undefined);
  const [only, ...others] = whole;
  if (only !== undefined && others.length === 0) return only.delimiter;
  // One name of a field may be there by chance, and several are not.
  const named = (whole.length > 0 ? whole : tables).filter(({ known }) => known > 1);
  const [meant, ...rivals] = named;
  if (meant !== undefined && rivals.length === 0) return meant.delimiter;
  const why =
    whole.length > 1
      ? `${whole.map(({ delimiter }) => nameOfDelimiter(delimiter)).join(' and ')} fit alike`
      : tables.map(unfitting).join('; ');
  throw new TransferRefused(
    `${path}: the delimiter is unclear: ${why}. ${remedies.delimiter}. Rows with another number of cells are then rejected.`,
    { about: 'delimiter', choices: DELIMITERS },
  );
}

function unfitting({ delimiter, width, odd }: Fitting): string {
  return `with ${nameOfDelimiter(delimiter)} the header has ${width} cells and row ${odd} does not`;
}

/** How a delimiter fits the first records; or the one that the first of these says. */
async function fitting(
  path: string,
  look: FileLook,
  delimiter: string,
  { row: headerRow = 1, knows = () => 0 }: HeaderRules,
): Promise<Fitting | string> {
  const found: SourceRow[] = [];
  for await (const rows of recordsOf(path, look, delimiter)) {
    const said = /^sep=(.)$/i.exec(rows[0]?.cells.join(delimiter) ?? '')?.[1];
    if (found.length === 0 && said !== undefined) return said;
    for (const one of rows) if (one.fault === undefined && one.number >= headerRow) found.push(one);
    if (found.length > SNIFFED) break;
  }
  const header = headerAmong(found.slice(0, LOOKED_AT), knows);
  const width = namedWidth(header?.cells ?? []);
  const rows = found.slice((header === undefined ? -1 : found.indexOf(header)) + 1);
  const odd = rows.find(({ cells }) => !fits(cells, width))?.number;
  return { delimiter, known: header === undefined ? 0 : knows(header.cells), width, odd };
}
