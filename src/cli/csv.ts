/** CSV according to RFC 4180: commas, and quotes around values with a comma, a quote or a line end. */
import { Mistake } from './mistake.ts';

export interface CsvRow {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows that are not empty. Throws a `Mistake` that names the line where a quote is wrong. */
export function readCsv(text: string): readonly CsvRow[] {
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|[\r\n]|$)/y;
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let began = 1;
  let line = 1;
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (cell.lastIndex < text.length || cells.length > 0) {
    const found = cell.exec(text);
    if (found === null) {
      throw new Mistake(
        `line ${line}: a quote is wrong; put quotes around the whole cell, and two for each one inside.`,
      );
    }
    const [whole, quoted, bare = '', end] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? bare);
    line += whole.match(/\r\n|[\r\n]/g)?.length ?? 0;
    if (end === ',') continue;
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: began, cells });
    cells = [];
    began = line;
  }
  return rows;
}
