/** Sheets of XLSX workbooks. */
import { readFile, stat } from 'node:fs/promises';
import { TransferRefused } from '../refused.ts';
import type { SourceRow, SourceTable } from './table.ts';

const TOGETHER = 256;
/** A workbook is held whole, compressed as it is. */
const MAX_BYTES = 134_217_728;

/** `asked` is the name of the sheet; without it the workbook must have one alone. Throws `TransferRefused`. */
export async function sheetTable(path: string, asked: string | undefined): Promise<SourceTable> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) {
    throw new TransferRefused(`${path} is larger than ${MAX_BYTES} bytes: save the sheet as CSV.`);
  }
  const bytes = await readFile(path);
  const names = await namesIn(path, bytes);
  const sheet = chosen(path, names, asked);
  const [header] = await first(sheetRows(path, bytes, sheet));
  if (header === undefined) {
    throw new TransferRefused(`${path} has no header: its first row must name the columns.`);
  }
  const columns = header.cells.map((name) => name.trim());
  return {
    header: columns,
    read: `the sheet ${sheet}`,
    async *rows() {
      let isFirst = true;
      for await (const rows of sheetRows(path, bytes, sheet)) {
        yield (isFirst ? rows.slice(1) : rows).map((row) => asWide(row, columns.length));
        isFirst = false;
      }
    },
  };
}

async function namesIn(path: string, bytes: Uint8Array): Promise<readonly string[]> {
  const { readXlsx } = await import('hucre/xlsx');
  const names: string[] = [];
  const sheets = ({ name }: { readonly name: string }): boolean => {
    names.push(name);
    return false;
  };
  await readXlsx(bytes, { sheets }).catch((error: Error) => {
    throw unreadable(path, error);
  });
  return names;
}

function chosen(path: string, names: readonly string[], asked: string | undefined): string {
  const known = names.map((name) => JSON.stringify(name)).join(', ');
  if (asked !== undefined) {
    if (names.includes(asked)) return asked;
    throw new TransferRefused(`${path} has no sheet ${JSON.stringify(asked)}. It has ${known}.`);
  }
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new TransferRefused(
    `${path} has ${names.length} sheets: choose one with --sheet: ${known}.`,
    { about: 'sheet', choices: names },
  );
}

/** The rows that are not empty, as texts. */
async function* sheetRows(
  path: string,
  bytes: Uint8Array,
  sheet: string,
): AsyncGenerator<readonly SourceRow[]> {
  const { streamXlsxRows } = await import('hucre/xlsx');
  let rows: SourceRow[] = [];
  try {
    for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
      const cells = values.map(textOf);
      if (cells.every((cell) => cell.trim() === '')) continue;
      rows.push({ number: index + 1, cells });
      if (rows.length < TOGETHER) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    throw unreadable(path, error as Error);
  }
  if (rows.length > 0) yield rows;
}

/** A date has no offset: it is what a clock on the wall shows. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) return '';
  return value
    .toISOString()
    .replace(/\.000Z$|Z$/, '')
    .replace(/T00:00:00$/, '');
}

/** A sheet leaves out empty cells at the end of a row, or has some beyond its header. */
function asWide({ number, cells }: SourceRow, width: number): SourceRow {
  if (cells.length < width) {
    return { number, cells: [...cells, ...Array<string>(width - cells.length).fill('')] };
  }
  const beyond = cells.slice(width).some((cell) => cell.trim() !== '');
  return beyond ? { number, cells } : { number, cells: cells.slice(0, width) };
}

async function first(rows: AsyncIterable<readonly SourceRow[]>): Promise<readonly SourceRow[]> {
  for await (const some of rows) return some;
  return [];
}

function unreadable(path: string, error: Error): TransferRefused {
  if (error instanceof TransferRefused) return error;
  return new TransferRefused(`${path} cannot be read as XLSX: ${error.message}`);
}
