/** Workbooks of one sheet, written as they are read: days, times and numbers are such, and all else is a text that stays one when it is edited. */
import type { ColumnHolds } from '../schema/row.ts';

/** Limits of Excel and others: rows of a sheet, characters of a cell. */
const MAX_ROWS = 1_048_576;
const MAX_CHARACTERS = 32_767;
const MAX_NAME = 31;

/** The table is more than a sheet holds. Its message is for the person who wants it. */
export class SheetTooSmall extends Error {
  override readonly name = 'SheetTooSmall';
}

export interface Sheet {
  readonly name: string;
  readonly header: readonly string[];
  /** The content of each column, if it is no text. */
  readonly holds: readonly (ColumnHolds | undefined)[];
  readonly rows: AsyncIterable<readonly string[]>;
  readonly nameOf: (cells: readonly string[]) => string;
  /** Called with the reason for each row that is left out, because it does not fit; left out: no row may be. */
  readonly leaveOut?: LeaveOut | undefined;
}

export type LeaveOut = (reason: string) => void;

/** The bytes of the workbook. Throws `SheetTooSmall` where something does not fit: nothing is ever cut off. */
export async function* writeXlsx(sheet: Sheet): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  /** The formats of the row that is being written: it is asked for them once it was handed over. */
  const formats = sheet.header.map(() => TEXT);
  const columns = sheet.header.map((header, at) => ({
    header,
    get numFmt() {
      return formats[at] ?? TEXT;
    },
  }));
  const name = sheet.name.slice(0, MAX_NAME);
  yield* writeXlsxStream(cellsOf(sheet, formats), { name, columns, freezePane: { rows: 1 } });
}

const TEXT = '@';
const DAY_MS = 86_400_000;
/** The day from which sheets count, and the first one on which all programs agree: 1900 has a day too many before. */
const [ZERO, FIRST] = [Date.UTC(1899, 11, 30), Date.UTC(1900, 2, 1)];
const DAY = /^\d{4}-\d\d-\d\d$/;
/** By the clock of its home, and how far that is from UTC. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/;
/** Sheets keep fifteen digits. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})$/;
const AMOUNT = /^-?\d{1,13}\.\d\d$/;

type Written = readonly [value: string | number, format: string];

/** The value of a cell and its format. What a sheet cannot hold as it is stays a text. */
function writtenOf(cell: string, holds: ColumnHolds | undefined): Written {
  if (holds === 'number' && NUMBER.test(cell)) return [Number(cell), '0'];
  if (holds === 'amount' && AMOUNT.test(cell)) return [Number(cell), '0.00'];
  if (holds === 'day' && DAY.test(cell)) {
    const at = Date.parse(`${cell}T00:00:00Z`);
    if (at >= FIRST) return [(at - ZERO) / DAY_MS, 'yyyy-mm-dd'];
  }
  if (holds === 'time') {
    const [, day, time, offset] = TIME.exec(cell) ?? [];
    const at = Date.parse(`${day}T${time}Z`);
    // The clock alone would be another moment elsewhere: what it is from UTC stands behind it.
    if (at >= FIRST) return [(at - ZERO) / DAY_MS, `yyyy-mm-dd hh:mm:ss"${offset}"`];
  }
  return [escaped(cell), TEXT];
}

async function* cellsOf(
  sheet: Sheet,
  formats: string[],
): AsyncGenerator<(string | number | null)[]> {
  const { rows, holds, leaveOut } = sheet;
  let count = 1;
  for await (const cells of rows) {
    const reason = whyTooLong(sheet, cells);
    if (reason !== undefined) {
      if (leaveOut === undefined) throw new SheetTooSmall(reason);
      leaveOut(reason);
      continue;
    }
    count += 1;
    if (count > MAX_ROWS)
      throw new SheetTooSmall(
        `A sheet holds ${MAX_ROWS.toLocaleString('en-US')} rows, and there are more. CSV and NDJSON have no such limit.`,
      );
    yield cells.map((cell, at) => {
      const [value, format] = cell === '' ? [null, TEXT] : writtenOf(cell, holds[at]);
      formats[at] = format;
      return value;
    });
  }
}

function whyTooLong({ header, nameOf }: Sheet, cells: readonly string[]): string | undefined {
  const at = cells.findIndex((cell) => cell.length > MAX_CHARACTERS);
  if (at < 0) return undefined;
  return `A cell holds ${MAX_CHARACTERS.toLocaleString('en-US')} characters, and ${header[at]} of ${nameOf(cells)} has ${cells[at]?.length.toLocaleString('en-US')}. CSV and NDJSON have no such limit.`;
}

/** Escapes characters that XML cannot hold as `_xFFFE_`, and so the underscore of a text that looks like that. */
function escaped(cell: string): string {
  return cell
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffe\uffff]/g, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase()}_`);
}
