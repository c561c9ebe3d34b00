/** Tables saved as CSV, with any delimiter. */
import { cellsOf } from '../../../core/schema/csv/cells.ts';
import { RecordEnds } from '../../../core/schema/csv/record-ends.ts';
import { type Line, readLines } from '../../../core/schema/lines.ts';
import { TransferRefused } from '../../transfer/refused.ts';
import type { Remedies } from '../words.ts';
import { asUtf8, type FileLook } from './bytes.ts';
import {
  FIRST_ROW,
  type HeaderRules,
  headedTable,
  LOOKED_AT,
  nameOfDelimiter,
  type SourceRow,
  type SourceTable,
} from './table.ts';

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
  rules: HeaderRules = FIRST_ROW,
): Promise<SourceTable> {
  const delimiter = given ?? (await sniff(path, look, remedies, rules.row));
  const read = { encoding: look.encoding, delimiter };
  const rowsFrom = async function* (after: number) {
    for await (const some of recordsOf(path, look, delimiter))
      yield some.filter(({ number }) => number > after);
  };
  return headedTable(path, read, rowsFrom, rules);
}

async function* recordsOf(path: string, look: FileLook, delimiter: string) {
  const ends = new RecordEnds(delimiter);
  const limits = { longest: MAX_ROW_BYTES, together: TOGETHER, ends };
  await using source = asUtf8(path, look);
  for await (const lines of readLines(source, limits)) {
    if (lines.length > 0) yield lines.map((line) => rowOf(line, delimiter));
  }
}

function rowOf({ number, bytes }: Line, delimiter: string): SourceRow {
  if (bytes === undefined) {
    return { number, cells: [], fault: `the row is larger than ${MAX_ROW_BYTES} bytes` };
  }
  const cells = cellsOf(bytes, delimiter);
  return 'says' in cells
    ? { number, cells: [Buffer.from(bytes).toString().trimEnd()], fault: cells.says }
    : { number, cells };
}

/** The one delimiter with which the first records all have as many cells as the header. */
async function sniff(
  path: string,
  look: FileLook,
  remedies: Remedies,
  headerRow: number | undefined,
): Promise<string> {
  const fitting: string[] = [];
  const near: string[] = [];
  let alone = false;
  for (const delimiter of DELIMITERS) {
    const { width, odd } = await widths(path, look, delimiter, headerRow);
    if (width === 1 && odd === undefined) alone = true;
    if (width < 2) continue;
    if (odd === undefined) fitting.push(delimiter);
    else
      near.push(
        `with ${nameOfDelimiter(delimiter)} the header has ${width} cells and row ${odd} does not`,
      );
  }
  const [first, ...others] = fitting;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined && near.length === 0 && alone) return ',';
  const why =
    first === undefined
      ? near.join('; ')
      : `${fitting.map(nameOfDelimiter).join(' and ')} fit alike`;
  throw new TransferRefused(
    `${path}: the delimiter is unclear: ${why}. ${remedies.delimiter}. Rows with another number of cells are then rejected.`,
    { about: 'delimiter', choices: DELIMITERS },
  );
}

/** The width of the header, and the number of the first row that has another one. */
async function widths(path: string, look: FileLook, delimiter: string, headerRow = 1) {
  const found: (readonly [number: number, width: number])[] = [];
  for await (const rows of recordsOf(path, look, delimiter)) {
    for (const { number, cells, fault } of rows)
      if (fault === undefined && number >= headerRow) found.push([number, cells.length]);
    if (found.length > SNIFFED) break;
  }
  // Lines above the header, a title for example, have few cells.
  const widest = Math.max(0, ...found.slice(0, LOOKED_AT).map(([, width]) => width));
  const begin = found.findIndex(([, width]) => 2 * width > widest);
  const [[, width] = [0, 0], ...others] = found.slice(begin);
  return { width, odd: others.find(([, other]) => other !== width)?.[0] };
}
