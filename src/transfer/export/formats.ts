/** The formats of exports: rows become the bytes of a file. */
import type { Resource } from '../../schema/define.ts';
import { cellsOf, columnsOf } from '../../schema/row.ts';
import { CSV, NDJSON, type RowText } from '../../tables/row-texts.ts';
import { writeXlsx } from '../../tables/write-xlsx.ts';
import type { RowBatches } from './rows.ts';

type Bytes = AsyncIterable<string | Uint8Array>;

/** By what a file's name ends in, too. */
export const FORMATS = {
  ndjson: (resource: Resource, rows: RowBatches): Bytes => textOf(NDJSON, resource, rows),
  csv: (resource: Resource, rows: RowBatches): Bytes => textOf(CSV, resource, rows),
  xlsx: (resource: Resource, rows: RowBatches): Bytes => {
    const header = columnsOf(resource).map(({ name }) => name);
    const identifier = header.indexOf('_unique_identifier');
    return writeXlsx({
      name: resource.path,
      header,
      rows: cells(resource, rows),
      nameOf: (row) => row[identifier] ?? '',
    });
  },
} as const;

export type Format = keyof typeof FORMATS;

async function* textOf(text: RowText, resource: Resource, rows: RowBatches): Bytes {
  const head = text.head(resource);
  if (head !== '') yield head;
  for await (const batch of rows) yield batch.map((row) => text.row(resource, row)).join('');
}

async function* cells(resource: Resource, rows: RowBatches): AsyncIterable<readonly string[]> {
  const columns = columnsOf(resource);
  for await (const batch of rows) for (const row of batch) yield cellsOf(columns, row);
}
