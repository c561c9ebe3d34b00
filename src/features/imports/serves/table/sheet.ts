/** Sheets of XLSX workbooks. */
import { type CellValue, TEXT } from '../../../../core/tables/cell.ts';
import { WorkbookFault } from '../../../../core/tables/read-xlsx/fault.ts';
import type { SheetFacts, SheetRow } from '../../../../core/tables/read-xlsx/sheet-rows.ts';
import {
  OtherFile,
  openWorkbook,
  type Workbook,
} from '../../../../core/tables/read-xlsx/workbook.ts';
import { TransferRefused } from '../../../../services/transfer/refused.ts';
import type { Remedies } from '../words.ts';
import { MAX_ROW_BYTES } from './csv.ts';
import {
  type HeaderRules,
  headedTable,
  type SourceRow,
  type SourceTable,
  tooLarge,
} from './table.ts';

const TOGETHER = 256;
/** Characters of the rows that go on together: cells may share a large text. */
const TOGETHER_LENGTH = 1_048_576;

/** `wanted` is the name of the sheet; without it the workbook must have exactly one. It stays open until `opened` is disposed of. Throws `TransferRefused`. */
export async function sheetTable(
  path: string,
  wanted: string | undefined,
  remedies: Remedies,
  opened: DisposableStack,
  rules: HeaderRules = {},
): Promise<SourceTable> {
  const book = await openWorkbook(path).catch((error: Error) => {
    throw unreadable(path, error);
  });
  opened.use(book);
  const sheet = chosen(path, book, { wanted, remedies });
  let facts: SheetFacts = { merged: [], hiddenColumns: [] };
  const rowsFrom = async function* (after: number, width: number) {
    const seen: SheetFacts = { merged: [], hiddenColumns: [] };
    for await (const rows of rowsOf(path, book, sheet, seen))
      yield rows.filter(({ number }) => number > after).map((row) => asWide(row, width));
    facts = seen;
  };
  const table = await headedTable(path, { sheet }, rowsFrom, rules);
  return {
    ...table,
    get facts() {
      return { ...facts, hiddenSheets: wanted === undefined ? book.hidden : [] };
    },
  };
}

/** The sheet that is meant: of several the only one that people see. */
function chosen(
  path: string,
  { sheets: names, hidden }: Workbook,
  { wanted, remedies }: { readonly wanted: string | undefined; readonly remedies: Remedies },
): string {
  const known = names.map((name) => JSON.stringify(name)).join(', ');
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted;
    const values = { file: path, sheet: JSON.stringify(wanted), sheets: known };
    throw new TransferRefused({ code: 'sheet_unknown', values });
  }
  const seen = names.filter((name) => !hidden.includes(name));
  const [only, ...others] = seen.length > 0 ? seen : names;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new TransferRefused({ code: 'sheets_missing', values: { file: path } });
  throw new TransferRefused(`${path} has ${names.length} sheets: ${remedies.sheet}: ${known}.`, {
    about: 'sheet',
    choices: names,
  });
}

/** A few at a time, since each may be as wide as a sheet. */
async function* rowsOf(path: string, book: Workbook, sheet: string, facts: SheetFacts) {
  try {
    for await (const rows of book.rows(sheet, MAX_ROW_BYTES, facts)) {
      let together: SheetRow[] = [];
      let length = 0;
      for (const row of rows) {
        together.push(row);
        for (const { text } of row.cells) length += text.length;
        if (together.length < TOGETHER && length < TOGETHER_LENGTH) continue;
        yield together;
        together = [];
        length = 0;
      }
      if (together.length > 0) yield together;
    }
  } catch (error) {
    throw unreadable(path, error as Error);
  }
}

const TEXTS_ALONE: readonly (CellValue | undefined)[] = [];

/** A sheet leaves out empty cells, or has some beyond its header. */
function asWide({ number, isTooLarge, isHidden, cells }: SheetRow, width: number): SourceRow {
  if (isTooLarge) return { number, cells: [], fault: tooLarge(MAX_ROW_BYTES) };
  const texts = Array<string>(width).fill('');
  let values: (CellValue | undefined)[] | undefined;
  for (const { column, text, value } of cells) {
    while (texts.length < column) texts.push('');
    texts[column] = text;
    if (value === TEXT) continue;
    values ??= [];
    values[column] = value;
  }
  return { number, cells: texts, values: values ?? TEXTS_ALONE, isHidden };
}

function unreadable(path: string, error: Error): TransferRefused {
  if (error instanceof TransferRefused) return error;
  if (error instanceof OtherFile)
    return new TransferRefused({ code: `file_${error.kind}`, values: { file: path } });
  const says =
    error instanceof WorkbookFault ? `${error.message}. ${error.remedy}.` : error.message;
  const message = `${path} cannot be read as XLSX: ${says}`;
  const said = { code: 'workbook_unreadable', values: { file: path }, message } as const;
  return new TransferRefused(said, undefined, error);
}
