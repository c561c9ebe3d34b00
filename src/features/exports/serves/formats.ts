/** The formats of exports: rows become the bytes of a file. */
import { Readable } from 'node:stream';
import { cellsOf, type RowColumn } from '../../../core/schema/row.ts';
import { CSV, NDJSON, type RowText, SPREADSHEET_CSV } from '../../../core/tables/row-texts.ts';
import { type LeaveOut, writeXlsx } from '../../../core/tables/write-xlsx.ts';
import { zonesOver } from '../../../records/query/zones.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { RowBatches } from './rows.ts';

export interface RowTable {
  readonly name: string;
  readonly columns: readonly RowColumn[];
  readonly rows: RowBatches;
}

type Bytes = AsyncIterable<string | Uint8Array>;

/** Also by a file's ending. */
export const FORMATS = {
  ndjson: (table: RowTable, _?: LeaveOut): Bytes => textOf(NDJSON, table),
  csv: (table: RowTable, _?: LeaveOut): Bytes => textOf(CSV, table),
  xlsx: (table: RowTable, leaveOut?: LeaveOut): Bytes => {
    const header = table.columns.map(({ name }) => name);
    const holds = table.columns.map((column) => column.holds);
    const identifier = header.indexOf('_unique_identifier');
    const nameOf = (cells: readonly string[]): string => cells[identifier] ?? '';
    return writeXlsx({ name: table.name, header, holds, rows: cells(table), nameOf, leaveOut });
  },
} as const;

export type Format = keyof typeof FORMATS;

/** The formats that people choose from, for whatever program they have. */
export const CONSOLE_FORMATS = {
  ...FORMATS,
  spreadsheet_csv: (table: RowTable): Bytes => textOf(SPREADSHEET_CSV, table),
} as const;

export type ConsoleFormat = keyof typeof CONSOLE_FORMATS;

/** The parts that rows are made with. People read times by the clock of the home: the zones of records, in formats that are for them. */
export function rowPartsFor(
  format: ConsoleFormat,
  store: Pick<Store, 'locationSettings' | 'said'>,
) {
  const isForPeople = format === 'xlsx' || format === 'spreadsheet_csv';
  return { said: store.said, zones: isForPeople ? zonesOver(store) : undefined };
}

/** The ending of a file's name. */
export function endingOf(format: ConsoleFormat): Format {
  return format === 'spreadsheet_csv' ? 'csv' : format;
}

async function* textOf(text: RowText, { columns, rows }: RowTable): Bytes {
  const head = text.head(columns);
  if (head !== '') yield head;
  for await (const batch of rows) yield batch.map((row) => text.row(columns, row)).join('');
}

async function* cells({ columns, rows }: RowTable): AsyncIterable<readonly string[]> {
  for await (const batch of rows) for (const row of batch) yield cellsOf(columns, row);
}

/** A file of the archive. */
interface ArchivedFile {
  readonly name: string;
  readonly bytes: AsyncIterable<string | Uint8Array>;
  /** Whether it gets smaller by it: workbooks are compressed as they are. */
  readonly compress: boolean;
}

/** The bytes of the archive. Each file is read when those before it are written. */
export async function* writeArchive(files: readonly ArchivedFile[], mtime: Date) {
  const { ZipFile } = await import('yazl');
  const archive = new ZipFile();
  const written = archive.outputStream as Readable;
  // Pipes neither pass errors on nor report upstream that no end will come.
  let reading: Readable | undefined;
  archive.on('error', (error: Error) => written.destroy(error));
  for (const { name, bytes, compress } of files) {
    archive.addReadStreamLazy(name, { compress, mtime }, (give) => {
      reading = Readable.from(bytes, { objectMode: false });
      reading.on('error', (error) => written.destroy(error));
      give(null, reading);
    });
  }
  archive.end();
  try {
    yield* written;
  } finally {
    reading?.destroy();
  }
}
