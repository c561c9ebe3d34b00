/** The file of refused rows: its cells, and its faults in the words of the page. */
import { parseJson } from '../../../../client/src/json.ts';
import { type Refusal, refusalText } from '../../refusals.ts';

export type RefusedRow = readonly [number: string, why: string];

/** A fault of a row; `label` is its column, with what stands there. */
interface CellFault extends Refusal {
  readonly label?: string;
}

const SHOWN = 20;
/** Rows of which kinds are made. */
const READ = 20_000;
/** A number and a text: the two cells with which each row of the file begins. */
const BEGINNING = /^(\d+),(?:"((?:[^"]|"")*)"|([^",\r\n]*))/;
const ROWS = /^(\d+),"((?:[^"]|"")*)"/gm;
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** The cells of a table with commas. */
export function tableIn(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  CELL.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (CELL.lastIndex < text.length && rows.length < READ) {
    const [all, quoted, plain = '', end] = CELL.exec(text) ?? [];
    if (all === undefined) break;
    const cell = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    // One that a spreadsheet program would run has an apostrophe before it.
    row.push(cell.replace(/^'(?=[=+\-@])/, ''));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The columns that a text for all rows names in braces. */
export function columnsFor(value: string): readonly string[] {
  return [...value.matchAll(/\{([^{}]+)\}/g)].map(([, column = '']) => column);
}

/** The file with sentences in place of coded faults. */
export function refusedFile(text: string): string {
  return text.replace(ROWS, (row, number: string, cell: string) => {
    const faults = faultsIn(cell.replaceAll('""', '"'));
    if (faults === undefined) return row;
    const why = new Set(faults.map((fault) => refusalText(fault, fault.label)));
    // It may begin with the name of a column, which a spreadsheet program must not run.
    const text = [...why].join('\n').replace(/^(?=[=+\-@\t])/, "'");
    return `${number},"${text.replaceAll('"', '""')}"`;
  });
}

/** `undefined` where sentences were stored. */
function faultsIn(cell: string): readonly CellFault[] | undefined {
  if (!cell.startsWith('[{')) return undefined;
  try {
    return parseJson(cell) as readonly CellFault[];
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
