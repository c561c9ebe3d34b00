/** Workbooks of one sheet, written as they are read: each cell is a text, and stays one when it is edited. */

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
  readonly rows: AsyncIterable<readonly string[]>;
  readonly nameOf: (cells: readonly string[]) => string;
}

/** The bytes of the workbook. Throws `SheetTooSmall` where something does not fit: nothing is ever cut off. */
export async function* writeXlsx(sheet: Sheet): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  const columns = sheet.header.map((header) => ({ header, numFmt: '@' }));
  const name = sheet.name.slice(0, MAX_NAME);
  yield* writeXlsxStream(cellsOf(sheet), { name, columns, freezePane: { rows: 1 } });
}

async function* cellsOf({ header, rows, nameOf }: Sheet): AsyncGenerator<(string | null)[]> {
  let count = 1;
  for await (const cells of rows) {
    count += 1;
    if (count > MAX_ROWS)
      throw new SheetTooSmall(
        `A sheet holds ${MAX_ROWS.toLocaleString('en-US')} rows, and there are more. CSV and NDJSON have no such limit.`,
      );
    yield cells.map((cell, at) => {
      if (cell === '') return null;
      if (cell.length <= MAX_CHARACTERS) return escaped(cell);
      throw new SheetTooSmall(
        `A cell holds ${MAX_CHARACTERS.toLocaleString('en-US')} characters, and ${header[at]} of ${nameOf(cells)} has ${cell.length.toLocaleString('en-US')}. CSV and NDJSON have no such limit.`,
      );
    });
  }
}

/** Escapes characters that XML cannot hold as `_xFFFE_`, and so the underscore of a text that looks like that. */
function escaped(cell: string): string {
  return cell
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffe\uffff]/g, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase()}_`);
}
