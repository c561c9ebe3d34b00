/** The table of a command with `--many`: one row for each key or person, its columns named as the options are. */
import { ApiError } from '../core/errors.ts';
import { cellsOf, RecordEnds } from '../core/schema/csv/cells.ts';
import { readLines } from '../core/schema/lines.ts';
import type { At, Options } from './derived.ts';
import { bytesOf } from './given.ts';
import { Mistake } from './mistake.ts';
import { countingProgress } from './output.ts';

const MAX_MIB = 16;
const MAX_ROWS = 10_000;

interface CsvRow {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface TableRow<Column extends string> extends CsvRow {
  /** The cell of a column; `undefined` where it is empty or the column does not exist. */
  says(column: Column): string | undefined;
  /** The row as options of the command; empty cells take those of the command line. */
  readonly options: Options;
}

/**
 * Calls `read` with each row, and shows the progress on a terminal. Throws one `Mistake` with all that is wrong with
 * the table itself, or with every fault of every row.
 */
export async function readRows<Column extends string, Result>(
  { command, options: given }: At,
  file: string,
  columns: readonly Column[],
  read: (row: TableRow<Column>, faults: string[]) => Promise<Result>,
) {
  const { header, places, body } = await readTable(file, columns);
  using progress = countingProgress();
  const faults: string[] = [];
  const results: Result[] = [];
  for (const [index, { line, cells }] of body.entries()) {
    progress.show('Checked', index);
    const says = (column: Column) => cells[places.get(column) ?? -1]?.trim() || undefined;
    const options: Record<string, unknown> = { ...given };
    for (const column of columns) {
      const long = `--${column.replaceAll('_', '-')}`;
      const option = command.options.find((one) => one.long === long);
      const said = says(column);
      if (option !== undefined && said !== undefined)
        options[option.attributeName()] = option.variadic ? [said] : said;
    }
    const found: string[] = [];
    try {
      results.push(await read({ line, cells, says, options }, found));
    } catch (error) {
      if (!(error instanceof Mistake || error instanceof ApiError)) throw error;
      found.push(error.message);
    }
    const each = found.flatMap((fault) => fault.split('\n'));
    faults.push(...each.map((fault) => `line ${line}: ${inColumn(fault)}`));
  }
  throwAll(faults);
  return { header, results };
}

/** The header and the rows as they are in the file, and the places of columns by their names. */
async function readTable(file: string, columns: readonly string[]) {
  const [head, ...body] = await csvRows(bytesOf(file, MAX_MIB));
  if (head === undefined || body.length === 0)
    throw new Mistake(
      `${file} has no rows. It needs a header, such as ${columns.slice(0, 3).join()}, and a row below it for each.`,
    );
  if (body.length > MAX_ROWS)
    throw new Mistake(`${file} has ${body.length} rows. Split it: the most are ${MAX_ROWS}.`);
  const names = head.cells.map((cell) => cell.trim().toLowerCase());
  throwAll([
    ...headerFaults(names, columns),
    ...body
      .filter(({ cells }) => cells.length !== names.length)
      .map(
        ({ line, cells }) =>
          `line ${line}: it has ${cells.length} cells, but the header has ${names.length}.`,
      ),
  ]);
  return { header: head.cells, places: new Map(names.map((name, place) => [name, place])), body };
}

const MAX_SHOWN = 100;

/** Throws one `Mistake` for all of them, where there are any. */
function throwAll(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length - MAX_SHOWN;
  const shown = more > 0 ? [...faults.slice(0, MAX_SHOWN), `and ${more} more.`] : faults;
  throw new Mistake([...shown, 'Nothing was done.'].join('\n'));
}

/** A column has the name of its option, with underscores. */
function inColumn(fault: string): string {
  return fault.replace(/^--([\w-]+)/, (_, option: string) => option.replaceAll('-', '_'));
}

function headerFaults(names: readonly string[], known: readonly string[]): string[] {
  const unknown = names.filter((name) => !known.includes(name) && !name.startsWith('_'));
  const twice = names.filter((name, place) => names.indexOf(name) !== place);
  return [
    ...unknown.map(
      (name) =>
        `line 1: ${JSON.stringify(name)} is not a known column. The columns, separated by commas, are ${known.join(', ')}; those of your own begin with _.`,
    ),
    ...twice.map((name) => `line 1: the column ${JSON.stringify(name)} appears twice.`),
  ];
}

/** The rows that are not empty. Throws one `Mistake` with each row whose cells cannot be read. */
export async function csvRows(bytes: Uint8Array): Promise<readonly CsvRow[]> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const arriving = [bytes.subarray(hasMark ? 3 : 0)].values();
  const ends = new RecordEnds(',');
  const limits = { longest: bytes.length, together: MAX_ROWS, ends };
  const lines = readLines({ next: async () => arriving.next().value }, limits);
  const faults: string[] = [];
  const rows = (await Array.fromAsync(lines)).flat().map(({ number: line, bytes }) => {
    const cells = cellsOf(bytes ?? new Uint8Array(), ',');
    if (!('says' in cells)) return { line, cells };
    faults.push(`line ${line}: ${cells.says}.`);
    return { line, cells: [] };
  });
  throwAll(faults);
  return rows;
}
