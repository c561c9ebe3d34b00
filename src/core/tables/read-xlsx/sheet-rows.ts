/** The rows of a sheet, as they are read: for each the cells that are there. */
import type { NumberFormat } from './formats.ts';
import { escapesRead, RunsText } from './runs.ts';
import type { SharedStrings } from './strings.ts';
import { elementsIn, walkXml } from './xml.ts';

/** The last one is XFD. */
const MOST_COLUMNS = 16_384;

export interface SheetRow {
  /** As people see it. */
  readonly number: number;
  readonly cells: readonly SheetCell[];
  /** Whether it is larger than requested; it has no cells then. */
  readonly isTooLarge: boolean;
}

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  readonly text: string;
}

export interface SheetMeaning {
  readonly strings: SharedStrings | undefined;
  /** By the style of a cell. */
  readonly formats: readonly (NumberFormat | undefined)[];
  /** Characters of a row, and of all rows: cells may share a text thousands of times. */
  readonly longest: number;
  readonly most: number;
}

/** Rows that have a text, some at a time; the sheet is read no further before they are taken. */
export async function* sheetRows(
  bytes: AsyncIterable<Uint8Array>,
  meaning: SheetMeaning,
): AsyncGenerator<readonly SheetRow[], void> {
  const listener = createRowListener(meaning);
  for await (const _ of walkXml(bytes, listener, elementsIn(meaning.most))) {
    const rows = listener.take();
    if (rows.length > 0) yield rows;
  }
}

function createRowListener({ strings, formats, longest, most }: SheetMeaning) {
  const text = new RunsText(longest);
  let rows: SheetRow[] = [];
  let number = 0;
  let cells: SheetCell[] = [];
  let size = 0;
  let sizeOfAll = 0;
  let column = -1;
  let type: string | undefined;
  let style: string | undefined;

  const add = (found: string | null): void => {
    const isFull = cells.length === MOST_COLUMNS;
    size += found === null || isFull ? Number.POSITIVE_INFINITY : found.length;
    sizeOfAll += found?.length ?? 0;
    if (sizeOfAll > most)
      throw new Error(`its cells hold more than ${most} characters. Save it in several files`);
    if (size > longest) cells = [];
    else if (found !== null && found !== '') cells.push({ column, text: found });
  };

  /** `null` for a text that is longer than a row may be. */
  const shownText = (written: string | null): string | null => {
    if (written === null || written === '') return written;
    switch (type) {
      case 's':
        if (strings === undefined) throw new Error('the texts of its cells are missing');
        return strings.at(Number(written));
      case 'str':
        return escapesRead(written);
      case 'b':
        return written === '1' || written.toLowerCase() === 'true' ? 'true' : 'false';
      case 'n':
        return numberText(written);
      default:
        return written;
    }
  };

  const numberText = (written: string): string => {
    const value = Number(written);
    if (written.trim() === '' || Number.isNaN(value)) return written;
    return formats[Number(style ?? 0)]?.(value) ?? String(value);
  };

  return {
    take(): readonly SheetRow[] {
      const taken = rows;
      rows = [];
      return taken;
    },
    opened(name: string, { r, t, s }: Readonly<Record<string, string>>): void {
      if (name === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        type = t ?? 'n';
        style = s;
        text.begin(t === 'inlineStr' ? 't' : 'v');
      } else if (name === 'row') {
        number = r === undefined ? number + 1 : Number(r);
        cells = [];
        size = 0;
        column = -1;
      } else text.opened(name);
    },
    text: (more: string): void => text.add(more),
    closed(name: string): void {
      if (name === 'c') {
        add(shownText(text.text));
        text.end();
      } else if (name === 'row') {
        const isTooLarge = size > longest;
        if (!isTooLarge && cells.every((cell) => cell.text.trim() === '')) return;
        rows.push({ number, cells: isTooLarge ? [] : cells, isTooLarge });
      } else text.closed(name);
    },
  };
}

/** The column of a cell such as `AB12`. */
function columnOf(cell: string): number {
  let column = 0;
  for (let at = 0; at < cell.length; at += 1) {
    const letter = cell.charCodeAt(at) & ~32;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
    if (column > MOST_COLUMNS) break;
  }
  if (column >= 1 && column <= MOST_COLUMNS) return column - 1;
  throw new Error(`it has a cell called ${JSON.stringify(cell.slice(0, 40))}`);
}
