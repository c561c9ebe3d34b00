/** The file of refused rows: its faults in the words of the page, and the first rows as they are shown. */
import { type Refusal, refusalText } from '../../refusals.ts';

export type RefusedRow = readonly [number: string, why: string];

/** A fault of a row; `label` is its column, with what stands there. */
interface CellFault extends Refusal {
  readonly label?: string;
}

const SHOWN = 20;
/** A number and a text: the two cells with which each row of the file begins. */
const BEGINNING = /^(\d+),(?:"((?:[^"]|"")*)"|([^",\r\n]*))/;
const ROWS = /^(\d+),"((?:[^"]|"")*)"/gm;

/** The file with sentences in place of coded faults. */
export function refusedFile(text: string): string {
  return text.replace(ROWS, (row, number: string, cell: string) => {
    const faults = faultsIn(cell.replaceAll('""', '"'));
    if (faults === undefined) return row;
    const why = new Set(faults.map((fault) => refusalText(fault, fault.label)));
    return `${number},"${[...why].join('\n').replaceAll('"', '""')}"`;
  });
}

/** `undefined` where sentences were stored. */
function faultsIn(cell: string): readonly CellFault[] | undefined {
  if (!cell.startsWith('[{')) return undefined;
  try {
    return JSON.parse(cell) as readonly CellFault[];
  } catch {
    return undefined;
  }
}

export function refusedRows(text: string): readonly RefusedRow[] {
  const rows: RefusedRow[] = [];
  // A cell may contain a line break: a line that does not begin as a row does continues one.
  for (const line of text.split(/\r\n/)) {
    const [, number, quoted, plain] = BEGINNING.exec(line) ?? [];
    if (number !== undefined)
      rows.push([number, quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')]);
    if (rows.length === SHOWN) break;
  }
  return rows;
}
