/** Looks through a table once: the order of day and month, whether times have a zone, and rows that name the same record. */

import { numberOf } from '../../core/number-of.ts';
import type { ColumnTarget } from '../../core/schema/csv/targets.ts';
import { TransferRefused } from '../transfer/refused.ts';
import { joinedCell, type Mapped } from './mapping.ts';
import {
  type DateOrder,
  type DateRules,
  hasOwnOffset,
  isLocalTime,
  orderIn,
} from './table/cells.ts';
import type { SourceTable } from './table/table.ts';
import type { Remedies } from './words.ts';

/** Rows that are remembered; those beyond are not compared. */
const REMEMBERED = 250_000;
const EXAMPLES = 5;

/** How many rows name a record that an earlier one names, and the first of them with that one. */
export interface Duplicates {
  readonly count: number;
  readonly examples: readonly (readonly [row: number, earlier: number])[];
}

interface TableFacts {
  readonly total: number;
  readonly order: DateOrder | undefined;
  readonly twice: Duplicates | undefined;
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
  const twice = createDuplicateCounter(targets);
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

/** Hears of each row, by the cells of the columns that say which record it is. */
/** Notices rows that name the same record: the later ones change what the first one makes. */
function createDuplicateCounter(targets: readonly (ColumnTarget | undefined)[]) {
  const isNamed = targets.some((target) => target?.name === 'external_identifier');
  const columns = isNamed
    ? targets
        .keys()
        .filter((at) => isIdentity(targets[at]))
        .toArray()
    : [];
  const rows = new Map<number, number>();
  const examples: (readonly [number, number])[] = [];
  let count = 0;
  return {
    see(number: number, cells: readonly string[]): void {
      if (columns.length === 0 || rows.size >= REMEMBERED) return;
      const key = numberOf(columns.map((at) => cells[at] ?? '').join('\0'));
      const earlier = rows.getOrInsert(key, number);
      if (earlier === number) return;
      count += 1;
      if (examples.length < EXAMPLES) examples.push([number, earlier]);
    },
    get found(): Duplicates | undefined {
      return count === 0 ? undefined : { count, examples };
    },
  };
}

function isIdentity(target: ColumnTarget | undefined): boolean {
  return target?.name.endsWith('_identifier') === true;
}
