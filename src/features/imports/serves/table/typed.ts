/** Cells that a person has typed over: the file stays as it is, and is read as if they stood there. */
import { TransferRefused } from '../../../../services/transfer/refused.ts';
import type { SourceRow, SourceTable } from './table.ts';

/** By the number of a row, a colon, and the name of a column, the text. */
export type TypedCells = Readonly<Record<string, string>>;

/** The table with these texts in its rows. Throws `TransferRefused` for a column that it does not have. */
export function typedOver(table: SourceTable, cells: TypedCells | undefined): SourceTable {
  const byRow = new Map<number, Map<number, string>>();
  for (const [place, text] of Object.entries(cells ?? {})) {
    const [, row, column = ''] = /^(\d{1,9}):(.+)$/s.exec(place) ?? [];
    const at = table.header.indexOf(column);
    if (row === undefined || at < 0)
      throw new TransferRefused(
        `There is no cell ${JSON.stringify(place)}: name one by the number of its row and the name of its column, such as 12:Phone.`,
      );
    byRow.getOrInsertComputed(Number(row), () => new Map()).set(at, text);
  }
  if (byRow.size === 0) return table;
  const mended = (row: SourceRow): SourceRow => {
    const typed = byRow.get(row.number);
    return typed === undefined ? row : withTexts(row, typed, table);
  };
  return {
    ...table,
    // What a column is for may be seen by its cells.
    samples: table.samples.map(mended),
    async *rows() {
      for await (const rows of table.rows()) yield rows.map(mended);
    },
  };
}

function withTexts(row: SourceRow, typed: ReadonlyMap<number, string>, { places }: SourceTable) {
  const { fault, ...read } = row;
  const place = fault?.cell === undefined ? -1 : places.indexOf(fault.cell);
  const isMended = place >= 0 && typed.has(place) && row.cells.length === places.length;
  return {
    ...(isMended ? read : row),
    cells: row.cells.map((text, at) => typed.get(at) ?? text),
    // What is typed is a text, whatever a workbook had there.
    values: row.values?.map((value, at) => (typed.has(at) ? undefined : value)),
  };
}
