/** The order of day and month in a file's dates, as far as the file proves it. */
import { TransferRefused } from '../refused.ts';
import { type DateOrder, orderIn } from './dates.ts';
import type { SourceTable } from './table.ts';
import type { FieldTarget } from './target.ts';

/** Also how many rows there are. Throws `TransferRefused` where nobody says the order, and the file does not prove it. */
export async function orderOfDates(
  path: string,
  table: SourceTable,
  targets: readonly (FieldTarget | undefined)[],
  asked: DateOrder | undefined,
): Promise<{ readonly total: number; readonly order: DateOrder | undefined }> {
  const columns = targets.flatMap((target, at) => (target?.kind.startsWith('date') ? [at] : []));
  const first: { mdy?: number; dmy?: number; either?: number } = {};
  let total = 0;
  for await (const rows of table.rows()) {
    total += rows.length;
    for (const { number, cells } of rows) {
      for (const at of columns) {
        const order = orderIn(cells[at] ?? '');
        if (order !== undefined) first[order] ??= number;
      }
    }
  }
  if (asked !== undefined) return { total, order: asked };
  const { mdy, dmy, either } = first;
  if (mdy !== undefined && dmy !== undefined) {
    throw new TransferRefused(
      `${path} writes the month first in row ${mdy} and the day first in row ${dmy}: choose with --dates mdy or --dates dmy; the other rows are then rejected.`,
    );
  }
  if (mdy !== undefined) return { total, order: 'mdy' };
  if (dmy !== undefined) return { total, order: 'dmy' };
  if (either !== undefined) {
    throw new TransferRefused(
      `${path} has dates such as 03/04/2026 (row ${either}), and nothing in it shows whether the month or the day comes first: choose with --dates mdy or --dates dmy.`,
    );
  }
  return { total, order: undefined };
}
