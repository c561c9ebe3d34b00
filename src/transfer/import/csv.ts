/** Tables saved as CSV, with whatever delimiter. */
import { cellsOf } from '../../schema/csv/cells.ts';
import { RecordEnds } from '../../schema/csv/record-ends.ts';
import { type Line, readLines } from '../../schema/lines.ts';
import { TransferRefused } from '../refused.ts';
import { asUtf8, type FileLook } from './bytes.ts';
import type { Remedies } from './remedies.ts';
import type { SourceRow, SourceTable } from './table.ts';

/** Records by which the delimiter is found. */
const SNIFFED = 1_000;
const DELIMITERS = [',', ';', '\t', '|'] as const;
const TOGETHER = 256;
export const MAX_ROW_BYTES = 1_048_576;

const WORDS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** `asked` is the delimiter that was named. Throws `TransferRefused`. */
export async function csvTable(
  path: string,
  { encoding }: FileLook,
  asked: string | undefined,
  remedies: Remedies,
): Promise<SourceTable> {
  const delimiter = asked ?? (await sniff(path, encoding, remedies));
  const records = () => recordsOf(path, encoding, delimiter);
  const header = await headerOf(path, records());
  return {
    header,
    read: `${encoding}, ${WORDS[delimiter] ?? delimiter}`,
    async *rows() {
      let isFirst = true;
      for await (const some of records()) {
        yield isFirst ? some.slice(1) : some;
        isFirst = false;
      }
    },
  };
}

async function headerOf(
  path: string,
  records: AsyncIterable<readonly SourceRow[]>,
): Promise<readonly string[]> {
  for await (const [first] of records) {
    if (first?.fault !== undefined)
      throw new TransferRefused(`${path}: in the header, ${first.fault}.`);
    if (first !== undefined) return first.cells.map((name) => name.trim());
  }
  throw new TransferRefused(`${path} has no header: its first row must name the columns.`);
}

async function* recordsOf(
  path: string,
  encoding: string,
  delimiter: string,
): AsyncGenerator<readonly SourceRow[]> {
  const ends = new RecordEnds(delimiter);
  const limits = { longest: MAX_ROW_BYTES, together: TOGETHER, ends };
  await using source = asUtf8(path, encoding);
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
async function sniff(path: string, encoding: string, remedies: Remedies): Promise<string> {
  const fitting: string[] = [];
  const near: string[] = [];
  let alone = false;
  for (const delimiter of DELIMITERS) {
    const { width, odd } = await widths(path, encoding, delimiter);
    if (width === 1 && odd === undefined) alone = true;
    if (width < 2) continue;
    if (odd === undefined) fitting.push(delimiter);
    else near.push(`with ${WORDS[delimiter]} the header has ${width} cells and row ${odd} has not`);
  }
  const [first, ...others] = fitting;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined && near.length === 0 && alone) return ',';
  const why =
    first === undefined
      ? near.join('; ')
      : `${fitting.map((one) => WORDS[one]).join(' and ')} fit alike`;
  throw new TransferRefused(
    `${path}: the delimiter is unclear: ${why}. ${remedies.delimiter}. Rows with another number of cells are then rejected.`,
    { about: 'delimiter', choices: DELIMITERS },
  );
}

/** The width of the header, and the number of the first row that has another one. */
async function widths(
  path: string,
  encoding: string,
  delimiter: string,
): Promise<{ readonly width: number; readonly odd: number | undefined }> {
  let width = 0;
  let count = 0;
  for await (const rows of recordsOf(path, encoding, delimiter)) {
    for (const { number, cells, fault } of rows) {
      if (width === 0) width = cells.length;
      if (cells.length !== width && fault === undefined) return { width, odd: number };
      count += 1;
      if (count > SNIFFED) return { width, odd: undefined };
    }
  }
  return { width, odd: undefined };
}
