/** The cells of one record of CSV (RFC 4180), read strictly. */
import { isUtf8 } from 'node:buffer';
import type { Ends } from '../lines.ts';
import { invalidUtf8At, lookOf } from '../text.ts';

export interface CsvFault {
  readonly code: 'csv_invalid' | 'encoding_invalid';
  /** The fault in the words of files. */
  readonly inFile:
    | 'characters_damaged'
    | 'quote_unclosed'
    | 'quote_ended_early'
    | 'quote_alone'
    | 'return_alone';
  /** Its cell, from 0. */
  readonly cell: number;
  /** The fault and what to do, without a full stop. */
  readonly says: string;
}

const QUOTE = 0x22;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The cells of a record's bytes (UTF-8, without the final line feed), or their fault. */
export function cellsOf(bytes: Uint8Array, delimiter: string): readonly string[] | CsvFault {
  if (!isUtf8(bytes)) {
    const at = invalidUtf8At(bytes);
    const cell = cellAt(bytes.subarray(0, at), delimiter);
    const says = `the row is not valid UTF-8 at its byte ${at}, in cell ${cell + 1}${lookOf(bytes)}; save the file as UTF-8`;
    return { code: 'encoding_invalid', inFile: 'characters_damaged', cell, says };
  }
  const decoded = decoder.decode(bytes);
  const text = decoded.endsWith('\r') ? decoded.slice(0, -1) : decoded;
  if (!text.includes('"') && !text.includes('\r')) return text.split(delimiter);
  return quotedCells(text, delimiter);
}

function quotedCells(text: string, delimiter: string): readonly string[] | CsvFault {
  const cells: string[] = [];
  const invalid = (inFile: CsvFault['inFile'], says: string): CsvFault => ({
    ...{ code: 'csv_invalid', inFile, cell: cells.length },
    says: `cell ${cells.length + 1} ${says}`,
  });
  for (let at = 0; ; at += 1) {
    const isQuoted = text[at] === '"';
    const next = isQuoted ? endOfQuoted(text, at + 1) : text.indexOf(delimiter, at);
    if (isQuoted && next < 0)
      return invalid(
        'quote_unclosed',
        'begins with a quote that nothing closes; add the closing quote',
      );
    const end = next < 0 ? text.length : next;
    const cell = text.slice(isQuoted ? at + 1 : at, end);
    at = isQuoted ? end + 1 : end;
    if (at < text.length && text[at] !== delimiter)
      return invalid(
        'quote_ended_early',
        'goes on after its closing quote; write a quote within a cell as two quotes',
      );
    if (!isQuoted && cell.includes('"'))
      return invalid(
        'quote_alone',
        'has a quote and is not enclosed in quotes; enclose it, and write the quote as two quotes',
      );
    if (!isQuoted && cell.includes('\r'))
      return invalid(
        'return_alone',
        'has a carriage return and is not enclosed in quotes; enclose it, or end lines with a line feed',
      );
    cells.push(isQuoted ? cell.replaceAll('""', '"') : cell);
    if (at >= text.length) return cells;
  }
}

/** The place of the cell that follows those bytes of a record, or goes on there. */
function cellAt(bytes: Uint8Array, delimiter: string): number {
  const separator = delimiter.charCodeAt(0);
  let isQuoted = false;
  let cell = 0;
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === separator && !isQuoted) cell += 1;
  }
  return cell;
}

function endOfQuoted(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0 || text[at + 1] !== '"') return at;
  }
}

/**
 * Finds the ends of records that arrive in pieces of any size. A quote at the start of a cell encloses it; elsewhere it
 * is an ordinary character here, and the record is refused when its cells are read.
 */
export class RecordEnds implements Ends {
  readonly #delimiter: number;
  readonly #end: number;
  #state: 'start of a cell' | 'plain' | 'quoted' | 'after a quote' = 'start of a cell';
  #within = 0;

  /** `delimiter` is one ASCII character, and so is the `end` of a record. */
  constructor(delimiter: string, end = '\n') {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#end = end.charCodeAt(0);
  }

  find(bytes: Uint8Array, from: number): number {
    let state = this.#state;
    const delimiter = this.#delimiter;
    const recordEnd = this.#end;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (state === 'quoted') {
        if (byte === QUOTE) state = 'after a quote';
        else if (byte === recordEnd) this.#within += 1;
      } else if (byte === recordEnd) {
        this.#state = 'start of a cell';
        return at;
      } else if (byte === delimiter) {
        state = 'start of a cell';
      } else if (byte === QUOTE && state !== 'plain') {
        state = 'quoted';
      } else {
        state = 'plain';
      }
    }
    this.#state = state;
    return -1;
  }

  linesWithin(): number {
    const within = this.#within;
    this.#within = 0;
    return within;
  }

  /** Whether the record is blank: all of its cells are empty. */
  isBlank(bytes: Uint8Array): boolean {
    return bytes.every(
      (byte) => byte === this.#delimiter || byte === 0x20 || byte === 0x09 || byte === 0x0d,
    );
  }
}
