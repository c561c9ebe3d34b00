/** The rows of a sheet, as they are read: for each the cells that are there. */

import type { NumberFormat } from './formats.ts';
import { escapesRead, RunsText } from './runs.ts';
import type { SharedStrings } from './strings.ts';
import { elementsIn, walkXml, type XmlListener } from './xml.ts';

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
  const listener = new RowListener(meaning);
  for await (const _ of walkXml(bytes, listener, elementsIn(meaning.most))) {
    const rows = listener.take();
    if (rows.length > 0) yield rows;
  }
}

class RowListener implements XmlListener {
  readonly #meaning: SheetMeaning;
  #rows: SheetRow[] = [];
  #number = 0;
  #cells: SheetCell[] = [];
  #size = 0;
  #total = 0;
  #column = -1;
  #type: string | undefined;
  #style: string | undefined;
  readonly #text: RunsText;

  constructor(meaning: SheetMeaning) {
    this.#meaning = meaning;
    this.#text = new RunsText(meaning.longest);
  }

  take(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  opened(name: string, { r, t, s }: Readonly<Record<string, string>>): void {
    if (name === 'c') {
      this.#column = r === undefined ? this.#column + 1 : columnOf(r);
      this.#type = t ?? 'n';
      this.#style = s;
      this.#text.begin(t === 'inlineStr' ? 't' : 'v');
    } else if (name === 'row') {
      this.#number = r === undefined ? this.#number + 1 : Number(r);
      this.#cells = [];
      this.#size = 0;
      this.#column = -1;
    } else this.#text.opened(name);
  }

  text(more: string): void {
    this.#text.add(more);
  }

  closed(name: string): void {
    if (name === 'c') {
      this.#add(this.#valueOf());
      this.#text.end();
    } else if (name === 'row') {
      const isTooLarge = this.#size > this.#meaning.longest;
      if (!isTooLarge && this.#cells.every(({ text }) => text.trim() === '')) return;
      this.#rows.push({ number: this.#number, cells: isTooLarge ? [] : this.#cells, isTooLarge });
    } else this.#text.closed(name);
  }

  #add(text: string | null): void {
    const { longest, most } = this.#meaning;
    const isFull = this.#cells.length === MOST_COLUMNS;
    this.#size += text === null || isFull ? Number.POSITIVE_INFINITY : text.length;
    this.#total += text?.length ?? 0;
    if (this.#total > most)
      throw new Error(`its cells hold more than ${most} characters. Save it in several files`);
    if (this.#size > longest) this.#cells = [];
    else if (text !== null && text !== '') this.#cells.push({ column: this.#column, text });
  }

  /** `null` for a text that is longer than a row may be. */
  #valueOf(): string | null {
    const { text } = this.#text;
    if (text === null || text === '') return text;
    switch (this.#type) {
      case 's':
        if (this.#meaning.strings === undefined)
          throw new Error('the texts of its cells are missing');
        return this.#meaning.strings.at(Number(text));
      case 'inlineStr':
        return text;
      case 'str':
        return escapesRead(text);
      case 'b':
        return text === '1' || text.toLowerCase() === 'true' ? 'true' : 'false';
      case 'n':
        return this.#numberText(text);
      default:
        return text;
    }
  }

  #numberText(text: string): string {
    const value = Number(text);
    if (text.trim() === '' || Number.isNaN(value)) return text;
    return this.#meaning.formats[Number(this.#style ?? 0)]?.(value) ?? String(value);
  }
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
