/** Writes the records of a snapshot, a file for each resource: in the end all of them exist, or none. */
import type { Resource } from '../../core/schema/define.ts';
import { columnsOf } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { ReadZones } from '../../records/query/zones.ts';
import type { ChangeLog } from '../../store/promises/log.ts';
import { createNewFiles } from '../transfer/new-files.ts';
import { type Pacing, paced } from '../transfer/pace.ts';
import { TransferRefused } from '../transfer/refused.ts';
import { FORMATS, type Format, type RowTable } from './formats.ts';
import type { ExportPlan } from './plan.ts';
import { changedRows, REMOVED_COLUMNS, type RowBatches, removedRows, scopedRows } from './rows.ts';

export interface Exporting {
  readonly log: ChangeLog;
  readonly plan: ExportPlan;
  readonly format: Format;
  /** With them, times are by the clock of each record's home. */
  readonly zones?: ReadZones | undefined;
  /** Left out: no pauses. */
  readonly pace?: Pacing | undefined;
  /** Called with the number of rows of a table so far. */
  readonly onRows?: (table: string, rows: number) => void;
  readonly stopping?: AbortSignal;
}

/** A table, and its file. */
export interface ExportTarget {
  readonly table: RowTable;
  readonly file: string;
}

export interface ExportedFile {
  /** The path name of the resource, or `removed`. */
  readonly table: string;
  readonly file: string;
  readonly rows: number;
}

/** The rows of the resource that the plan has to read. */
export function tableOf({ log, plan, zones }: Exporting, resource: Resource): RowTable {
  async function* rows(): RowBatches {
    const scope = { accounts: new Set(plan.whole), anchors: undefined };
    const whole = plan.whole.length > 0 ? scopedRows(plan.snapshot, resource, scope, zones) : [];
    for await (const some of whole) yield [...some];
    for (const stretch of plan.stretches) {
      yield* changedRows({ log, snapshot: plan.snapshot, zones }, resource, stretch);
    }
  }
  return { name: resource.path, columns: columnsOf(resource), rows: rows() };
}

/** The removals, where the plan reads only changes. */
export function removedTable({ log, plan }: Exporting, resources: readonly Resource[]): RowTable {
  async function* rows(): RowBatches {
    for (const stretch of plan.stretches) {
      yield* removedRows({ log, snapshot: plan.snapshot }, resources, stretch);
    }
  }
  return { name: 'removed', columns: REMOVED_COLUMNS, rows: rows() };
}

/** Throws `TransferRefused` or `SheetTooSmall`, and nothing is left of the files then. */
export async function exportFiles(exporting: Exporting, targets: readonly ExportTarget[]) {
  const files = createNewFiles(targets.map(({ file }) => file));
  const exported: ExportedFile[] = [];
  try {
    for (const { table, file } of targets) {
      const rows = await writeTable(exporting, table, (bytes) => files.write(file, bytes));
      exported.push({ table: table.name, file, rows });
    }
    files.keep();
    return exported;
  } finally {
    files.discard();
  }
}

/** Passes on the bytes of a table, and returns the number of its rows. */
export async function writeTable(
  { format, pace, onRows, stopping }: Pick<Exporting, 'format' | 'pace' | 'onRows' | 'stopping'>,
  table: RowTable,
  write: (bytes: AsyncIterable<string | Uint8Array>) => Promise<void>,
): Promise<number> {
  let rows = 0;
  async function* counted(): AsyncGenerator<readonly JsonObject[]> {
    for await (const batch of paced(table.rows, pace)) {
      if (stopping?.aborted) throw new TransferRefused('Interrupted: no file was written.');
      rows += batch.length;
      onRows?.(table.name, rows);
      yield batch;
    }
  }
  await write(FORMATS[format]({ ...table, rows: counted() }));
  return rows;
}
