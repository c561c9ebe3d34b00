/** Tables saved as CSV, with any delimiter. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { cellsOf, RecordEnds } from '../../../core/schema/csv/cells.ts';
import { type Line, readLines } from '../../../core/schema/lines.ts';
import { TransferRefused } from '../../transfer/refused.ts';
import type { Remedies } from '../words.ts';
import {
  type HeaderRules,
  headedTable,
  LOOKED_AT,
  nameOfDelimiter,
  type SourceRow,
  type SourceTable,
} from './table.ts';

const SNIFFED = 1_000;
const DELIMITERS = [',', ';', '\t', '|'] as const;
const TOGETHER = 256;
export const MAX_ROW_BYTES = 1_048_576;

/** `given` is the delimiter from the options. Throws `TransferRefused`. */
export async function csvTable(
  path: string,
  look: FileLook,
  given: string | undefined,
  remedies: Remedies,
  rules: HeaderRules,
): Promise<SourceTable> {
  const delimiter = given ?? (await sniff(path, look, remedies, rules.row));
  const read = { encoding: look.encoding, delimiter };
  const rowsFrom = async function* (after: number) {
    for await (const some of recordsOf(path, look, delimiter))
      yield some.filter(({ number }) => number > after);
  };
  return headedTable(path, read, rowsFrom, rules);
}

async function* recordsOf(path: string, look: FileLook, delimiter: string) {
  const ends = new RecordEnds(delimiter);
  const limits = { longest: MAX_ROW_BYTES, together: TOGETHER, ends };
  await using source = asUtf8(path, look);
  for await (const lines of readLines(source, limits)) {
    if (lines.length > 0) yield lines.map((line) => rowOf(line, delimiter));
  }
}

function rowOf({ number, bytes }: Line, delimiter: string): SourceRow {
  if (bytes === undefined)
    return { number, cells: [], fault: `the row is larger than ${MAX_ROW_BYTES} bytes` };
  const cells = cellsOf(bytes, delimiter);
  return 'says' in cells
    ? { number, cells: [Buffer.from(bytes).toString().trimEnd()], fault: cells.says }
    : { number, cells };
}

/** The one delimiter with which the first records all have as many cells as the header. */
async function sniff(
  path: string,
  look: FileLook,
  remedies: Remedies,
  headerRow: number | undefined,
): Promise<string> {
  const fitting: string[] = [];
  const near: string[] = [];
  let alone = false;
  for (const delimiter of DELIMITERS) {
    const { width, odd } = await widths(path, look, delimiter, headerRow);
    if (width === 1 && odd === undefined) alone = true;
    if (width < 2) continue;
    if (odd === undefined) fitting.push(delimiter);
    else
      near.push(
        `with ${nameOfDelimiter(delimiter)} the header has ${width} cells and row ${odd} does not`,
      );
  }
  const [first, ...others] = fitting;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined && near.length === 0 && alone) return ',';
  const why =
    first === undefined
      ? near.join('; ')
      : `${fitting.map(nameOfDelimiter).join(' and ')} fit alike`;
  throw new TransferRefused(
    `${path}: the delimiter is unclear: ${why}. ${remedies.delimiter}. Rows with another number of cells are then rejected.`,
    { about: 'delimiter', choices: DELIMITERS },
  );
}

/** The width of the header, and the number of the first row that has another one. */
async function widths(path: string, look: FileLook, delimiter: string, headerRow = 1) {
  const found: (readonly [number: number, width: number])[] = [];
  for await (const rows of recordsOf(path, look, delimiter)) {
    for (const { number, cells, fault } of rows)
      if (fault === undefined && number >= headerRow) found.push([number, cells.length]);
    if (found.length > SNIFFED) break;
  }
  // Lines above the header, a title for example, have few cells.
  const widest = Math.max(0, ...found.slice(0, LOOKED_AT).map(([, width]) => width));
  const begin = found.findIndex(([, width]) => 2 * width > widest);
  const [[, width] = [0, 0], ...others] = found.slice(begin);
  return { width, odd: others.find(([, other]) => other !== width)?.[0] };
}

const PIECE = 262_144;

export interface FileLook {
  readonly sha256: string;
  /** As `TextDecoder` names it. */
  readonly encoding: string;
  readonly isUtf8: boolean;
  readonly bytes: number;
  /** Whether it is a ZIP, as workbooks are, and not text. */
  readonly isPacked: boolean;
}

/** How archives begin, and what workbooks were packed in until 2007. */
const PACKED = ['504b0304', 'd0cf11e0'];

/** Reads all of the file. `given` is the encoding from the options. Throws `TransferRefused`. */
export async function lookAt(path: string, given: string | undefined): Promise<FileLook> {
  const hash = createHash('sha256');
  const wanted = given === undefined ? undefined : encodingNamed(given);
  let utf8: TextDecoder | undefined = new TextDecoder('utf-8', { fatal: true });
  let marked: string | undefined;
  let isPacked = false;
  let bytes = 0;
  for await (const piece of pieces(path)) {
    hash.update(piece);
    if (bytes === 0) {
      marked = markOf(piece);
      isPacked = PACKED.includes(Buffer.from(piece.subarray(0, 4)).toString('hex'));
    }
    bytes += piece.length;
    utf8 = stillReads(utf8, piece);
  }
  utf8 = stillReads(utf8, undefined);
  const encoding = wanted ?? marked ?? (utf8 === undefined ? 'windows-1252' : 'utf-8');
  return { sha256: hash.digest('hex'), encoding, isUtf8: utf8 !== undefined, bytes, isPacked };
}

/** The text of the file as UTF-8, without the mark at its beginning. Each piece is valid until the next one is requested. */
export function asUtf8(path: string, { encoding, isUtf8 }: Pick<FileLook, 'encoding' | 'isUtf8'>) {
  const source = isUtf8 && encoding === 'utf-8' ? withoutMark(path) : transcoded(path, encoding);
  return {
    next: async () => (await source.next()).value,
    async [Symbol.asyncDispose]() {
      await source.return(undefined);
    },
  };
}

async function* withoutMark(path: string): AsyncGenerator<Uint8Array, undefined> {
  let isFirst = true;
  for await (const piece of pieces(path)) {
    yield isFirst && markOf(piece) === 'utf-8' ? piece.subarray(3) : piece;
    isFirst = false;
  }
}

async function* transcoded(path: string, encoding: string): AsyncGenerator<Uint8Array, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces(path))
    yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** Each piece is valid until the next one is requested: all share one buffer. */
async function* pieces(path: string): AsyncGenerator<Uint8Array, undefined> {
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new TransferRefused(`${path} cannot be read: ${why}.`);
  });
  const buffer = Buffer.allocUnsafe(PIECE);
  for (;;) {
    const { bytesRead } = await file.read({ buffer });
    if (bytesRead === 0) return undefined;
    yield buffer.subarray(0, bytesRead);
  }
}

function stillReads(decoder: TextDecoder | undefined, piece: Uint8Array | undefined) {
  try {
    decoder?.decode(piece, { stream: piece !== undefined });
    return decoder;
  } catch {
    return undefined;
  }
}

/** The encoding from the first bytes: by a byte order mark, or, for UTF-16, because every other byte is NUL. */
function markOf(piece: Uint8Array): string | undefined {
  const [first, second, third] = piece;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = piece.subarray(0, 4096);
  const nul = (odd: number) =>
    sample.filter((byte, at) => byte === 0 && at % 2 === odd).length / (sample.length / 2);
  if (nul(1) > 0.5 && nul(0) < 0.1) return 'utf-16le';
  if (nul(0) > 0.5 && nul(1) < 0.1) return 'utf-16be';
  return undefined;
}

function encodingNamed(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new TransferRefused(
      `--encoding ${JSON.stringify(name)} is not known: use utf-8, utf-16le, utf-16be, windows-1252 or another name of the WHATWG Encoding Standard.`,
    );
  }
}
