/** The dates of a file: the order of day and month, and whether its times have a time zone. */
import { TransferRefused } from '../transfer/refused.ts';
import { joinedCell, type Mapped } from './mapping.ts';
import type { Remedies } from './remedies.ts';
import {
  type DateOrder,
  type DateRules,
  hasOwnOffset,
  isLocalTime,
  orderIn,
} from './table/dates.ts';
import { DuplicateCounter, type Duplicates } from './table/duplicates.ts';
import type { SourceTable } from './table/table.ts';

interface TableFacts {
  readonly total: number;
  readonly order: DateOrder | undefined;
  readonly twice: Duplicates | undefined;
  /** Whether there are times without an offset. */
  readonly hasLocal: boolean;
}

/**
 * The order that is set, or that the file proves, how many rows there are, and which of them name a record again.
 * Throws `TransferRefused` where there is neither, and where the times of the file have no offset and neither the
 * options nor the locations have a time zone.
 */
export async function lookAtDates(
  path: string,
  table: SourceTable,
  { targets, joined }: Pick<Mapped, 'targets' | 'joined'>,
  {
    order: given,
    zone,
    hasZones,
    remedies,
  }: DateRules & { readonly hasZones: boolean; readonly remedies: Remedies },
): Promise<TableFacts> {
  const twice = new DuplicateCounter(targets);
  const columns = targets.flatMap((target, at) => (target?.kind.startsWith('date') ? [at] : []));
  const times = new Set(columns.filter((at) => targets[at]?.kind === 'date and time'));
  const first: { mdy?: number; dmy?: number; either?: number; local?: number } = {};
  let hasOffset = false;
  let total = 0;
  for await (const rows of table.rows()) {
    total += rows.length;
    for (const { number, cells } of rows) {
      twice.see(number, cells);
      for (const at of columns) {
        const cell = joinedCell(cells, at, joined);
        const order = orderIn(cell);
        if (order !== undefined) first[order] ??= number;
        if (!times.has(at)) continue;
        if (isLocalTime(cell)) first.local ??= number;
        else hasOffset ||= hasOwnOffset(cell);
      }
    }
  }
  if (zone === undefined && !hasZones && first.local !== undefined && !hasOffset) {
    const values = { file: path, row: first.local };
    const message = `${path} has times without an offset from UTC (row ${first.local}), and nothing in it says where they are: ${remedies.zone}.`;
    throw new TransferRefused({ code: 'times_without_zone', values, message });
  }
  const found = { total, twice: twice.found, hasLocal: first.local !== undefined };
  if (given !== undefined) return { ...found, order: given };
  const { mdy, dmy, either } = first;
  if (mdy !== undefined && dmy !== undefined) {
    const values = { file: path, month_first: mdy, day_first: dmy };
    const message = `${path} writes the month first in row ${mdy} and the day first in row ${dmy}: ${remedies.dates}; the other rows are then rejected.`;
    throw new TransferRefused({ code: 'date_orders_mixed', values, message });
  }
  if (mdy !== undefined) return { ...found, order: 'mdy' };
  if (dmy !== undefined) return { ...found, order: 'dmy' };
  if (either !== undefined) {
    const values = { file: path, row: either };
    const message = `${path} has dates such as 03/04/2026 (row ${either}), and nothing in it shows whether the month or the day comes first: ${remedies.dates}.`;
    throw new TransferRefused({ code: 'date_order_unclear', values, message });
  }
  return { ...found, order: undefined };
}
