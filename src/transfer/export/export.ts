/** Writes the records of a snapshot, a file for each resource: all of them are there at the end, or none. */
import type { Resource } from '../../schema/define.ts';
import type { JsonObject } from '../../schema/values.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { NewFiles } from '../new-files.ts';
import { FORMATS, type Format } from './formats.ts';
import { allRows, type RowBatches } from './rows.ts';

export interface Exporting {
  readonly snapshot: Snapshot;
  readonly accounts: readonly string[];
  readonly format: Format;
  /** Is told how many rows of the resource there are so far. */
  readonly onRows?: (resource: Resource, rows: number) => void;
}

/** A resource, and where its rows go. */
export interface ExportTarget {
  readonly resource: Resource;
  readonly file: string;
}

export interface ExportedFile extends ExportTarget {
  readonly rows: number;
}

/** Throws `TransferRefused` or `SheetTooSmall`, and nothing is left of the files then. */
export async function exportFiles(
  exporting: Exporting,
  targets: readonly ExportTarget[],
): Promise<readonly ExportedFile[]> {
  const files = new NewFiles(targets.map(({ file }) => file));
  const exported: ExportedFile[] = [];
  try {
    for (const { resource, file } of targets) {
      const rows = await counted(exporting, resource, (bytes) => files.write(file, bytes));
      exported.push({ resource, file, rows });
    }
    files.keep();
    return exported;
  } finally {
    files.discard();
  }
}

/** Hands the bytes of a resource's rows on, and gives how many rows they were. */
export async function counted(
  { snapshot, accounts, format, onRows }: Exporting,
  resource: Resource,
  write: (bytes: AsyncIterable<string | Uint8Array>) => Promise<void>,
): Promise<number> {
  let rows = 0;
  async function* counting(batches: RowBatches): AsyncGenerator<readonly JsonObject[]> {
    for await (const batch of batches) {
      rows += batch.length;
      onRows?.(resource, rows);
      yield batch;
    }
  }
  await write(FORMATS[format](resource, counting(allRows(snapshot, resource, accounts))));
  return rows;
}
