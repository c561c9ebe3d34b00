/** Sheets of XLSX workbooks. */
import { TransferRefused } from '../refused.ts';
import type { SourceTable } from './table.ts';

export async function sheetTable(path: string, _sheet: string | undefined): Promise<SourceTable> {
  throw new TransferRefused(`${path}: save it as CSV.`);
}
