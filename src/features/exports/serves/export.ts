/** Writes the records of a snapshot, a file for each resource: in the end all of them exist, or none. */
import { readFileSync } from 'node:fs';
import type { Resource } from '../../../core/schema/define.ts';
import { changeId, readChangeId } from '../../../core/schema/id.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { LeaveOut } from '../../../core/tables/write-xlsx.ts';
import { columnsOfRows, type RowParts } from '../../../records/query/rows.ts';
import { createNewFiles } from '../../../services/transfer/new-files.ts';
import { type Pacing, paced } from '../../../services/transfer/pace.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import type { ChangeCursor, ChangeLog } from '../../../store/promises/log.ts';
import type { Snapshot } from '../../../store/promises/snapshot.ts';
import type { Store } from '../../../store/promises/store.ts';
import { FORMATS, type Format, type RowTable } from './formats.ts';
import {
  changedRows,
  changesIn,
  REMOVED_COLUMNS,
  type RowBatches,
  removedRows,
  type Stretch,
  scopedRows,
} from './rows.ts';

export interface Exporting {
  readonly log: ChangeLog;
  readonly plan: ExportPlan;
  readonly format: Format;
  readonly parts: RowParts;
  /** Left out: no pauses. */
  readonly pace?: Pacing | undefined;
  /** Called with the number of rows of a table so far. */
  readonly onRows?: (table: string, rows: number) => void;
  /** Called with the reason for each row that the format cannot hold; left out: there may be none. */
  readonly leaveOut?: LeaveOut | undefined;
  readonly stopping?: AbortSignal;
}

/** A table, and its file. */
export interface ExportTarget {
  readonly table: RowTable;
  readonly file: string;
}

/** The rows of the resource that the plan has to read. */
export function tableOf({ log, plan, parts }: Exporting, resource: Resource): RowTable {
  async function* rows(): RowBatches {
    const scope = { accounts: new Set(plan.whole), anchors: undefined };
    const whole = plan.whole.length > 0 ? scopedRows(plan.snapshot, resource, scope, parts) : [];
    for await (const some of whole) yield [...some];
    for (const stretch of plan.stretches)
      yield* changedRows({ log, snapshot: plan.snapshot, parts }, resource, stretch);
  }
  return { name: resource.path, columns: columnsOfRows(resource, parts), rows: rows() };
}

/** The removals, where the plan reads only changes. */
export function removedTable({ log, plan }: Exporting, resources: readonly Resource[]): RowTable {
  async function* rows(): RowBatches {
    for (const stretch of plan.stretches)
      yield* removedRows({ log, snapshot: plan.snapshot }, resources, stretch);
  }
  return { name: 'removed', columns: REMOVED_COLUMNS, rows: rows() };
}

/** Throws `TransferRefused` or `SheetTooSmall`, and nothing is left of the files then. */
export async function exportFiles(exporting: Exporting, targets: readonly ExportTarget[]) {
  const files = createNewFiles(targets.map(({ file }) => file));
  const exported: { readonly table: string; readonly file: string; readonly rows: number }[] = [];
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

type Writing = Pick<Exporting, 'format' | 'pace' | 'onRows' | 'leaveOut' | 'stopping'>;

/** Passes on the bytes of a table, and returns the number of its rows. */
export async function writeTable(
  { format, pace, onRows, leaveOut, stopping }: Writing,
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
  let left = 0;
  const leaving =
    leaveOut &&
    ((reason: string) => {
      left += 1;
      leaveOut(reason);
    });
  await write(FORMATS[format]({ ...table, rows: counted() }, leaving));
  return rows - left;
}

/** By account, the last change that was in an export; `undefined` where there was none. */
export type ExportState = ReadonlyMap<string, ChangeCursor | undefined>;

const FORMAT = 1;

export interface ExportPlan {
  readonly snapshot: Snapshot;
  /** Accounts of which all records are read. */
  readonly whole: readonly string[];
  /** Accounts of which only changes are read. */
  readonly stretches: readonly Stretch[];
  /** Accounts of `whole` whose log no longer goes back to the state. */
  readonly restarted: readonly string[];
  readonly reached: ExportState;
}

/** Plans to read the whole snapshot. */
export async function planWhole(store: Pick<Store, 'snapshot'>, whole: readonly string[]) {
  const snapshot = await store.snapshot();
  return { snapshot, whole, stretches: [], restarted: [], reached: new Map() };
}

/** Plans to read the changes since the state; accounts that it does not have are read whole. */
export async function planSince(
  store: Pick<Store, 'snapshot' | 'log'>,
  accounts: readonly string[],
  state: ExportState,
): Promise<ExportPlan> {
  const { log } = store;
  // Read before the snapshot, so that few changes are between them and it.
  const lasts = new Map<string, ChangeCursor | undefined>();
  for (const account of accounts) lasts.set(account, await log.last(account));
  const snapshot = await store.snapshot();
  const committed = new Map<string, number>();
  for await (const batch of snapshot.accounts())
    for (const one of batch) committed.set(one.unique_identifier, one.committed);
  const whole: string[] = [];
  const stretches: Stretch[] = [];
  const restarted: string[] = [];
  const reached = new Map<string, ChangeCursor | undefined>();
  for (const account of accounts) {
    const until = committed.get(account) ?? 0;
    const after = state.get(account);
    const isLogged = after !== undefined && typeof (await log.next(account, after)) !== 'string';
    if (isLogged) stretches.push({ account, after, until });
    else whole.push(account);
    if (after !== undefined && !isLogged) restarted.push(account);
    let last = lasts.get(account);
    for await (const changes of changesIn(log, { account, after: last, until }))
      last = changes.at(-1) ?? last;
    reached.set(account, last);
  }
  return { snapshot, whole, stretches, restarted, reached };
}

/** `undefined` where the file does not exist yet. Throws `TransferRefused` where it contains no state to continue from. */
export function readState(path: string): ExportState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new TransferRefused(`${path} cannot be read (${code}).`);
  }
  const accounts = accountsIn(text);
  if (accounts === undefined) {
    throw new TransferRefused(
      `${path} was not written by an export. Name another file to start with everything.`,
    );
  }
  return new Map(
    Object.entries(accounts).map(([account, change]) => [
      account,
      typeof change === 'string' ? readChangeId(account, change) : undefined,
    ]),
  );
}

export function stateText(state: ExportState): string {
  const accounts = Array.from(state, ([account, mark]) => [
    account,
    mark === undefined ? null : changeId(account, mark),
  ]);
  return `${JSON.stringify({ ledgerstone: 'export', format: FORMAT, accounts: Object.fromEntries(accounts) }, null, 2)}\n`;
}

function accountsIn(text: string): object | undefined {
  try {
    const { ledgerstone, format, accounts } = JSON.parse(text);
    const isOurs = ledgerstone === 'export' && format === FORMAT;
    return isOurs && typeof accounts === 'object' && accounts !== null ? accounts : undefined;
  } catch {
    return undefined;
  }
}
