/** The file of rejected rows, each as it was, with the reason. Once corrected, it can be imported as it is. */
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from '../../../core/owners.ts';
import { APOSTROPHES, csvLine, inertLine } from '../../../core/schema/csv/write.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';

const MARK = '\ufeff';
/** Characters that are written at a time: rows may each be as wide as the header. */
const PIECE = 1_048_576;

export interface RejectedRow {
  readonly number: number;
  readonly cells: readonly string[];
  readonly error: string;
}

export interface RejectedHeader {
  readonly names: readonly string[];
  /** Whether a cell of the file would be run as a formula. */
  readonly hasFormulas: boolean;
}

/** A path that does not exist yet: an existing file may contain corrections. */
export function freePath(wanted: string): string {
  const dot = wanted.lastIndexOf('.');
  let path = wanted;
  // Also taken by a link that leads nowhere: what is written through it would be elsewhere.
  for (let next = 2; lstatSync(path, { throwIfNoEntry: false }) !== undefined; next += 1)
    path = `${wanted.slice(0, dot)}-${next}${wanted.slice(dot)}`;
  return path;
}

/**
 * The file at that path, with the header of a table; a file of JSON lines has none. `begun` bytes of what is there are
 * of rows that are done; the rest is written again. It grows to `most` bytes.
 */
export function createRejectedFile(
  path: string,
  header: RejectedHeader | undefined,
  begun: number,
  most = Number.POSITIVE_INFINITY,
) {
  let file: FileHandle | undefined;
  let bytes = begun;
  let isFull = false;

  const openFile = async () => {
    const { O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
    // An existing file is that of this import, which was stopped. Links are not followed.
    const opened = await open(path, 'ax', 0o600).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
      return open(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
    });
    syncPath(dirname(path));
    await opened.truncate(bytes);
    return opened;
  };

  return {
    get bytes(): number {
      return bytes;
    },
    /** Adds rows durably, making the file for the first, and returns how many: none after the first that does not fit. */
    async add(rows: readonly RejectedRow[]): Promise<number> {
      if (rows.length === 0 || isFull) return 0;
      let added = 0;
      const head = bytes === 0 ? headOf(header) : '';
      const texts = function* () {
        let piece = '';
        for (const [at, row] of rows.entries()) {
          const text = (at === 0 ? head : '') + lineOf(row, header);
          const size = bytes + Buffer.byteLength(text);
          isFull = size > most;
          if (isFull) break;
          bytes = size;
          piece += text;
          added += 1;
          if (piece.length < PIECE) continue;
          yield piece;
          piece = '';
        }
        yield piece;
      };
      try {
        file ??= await openFile();
        await file.appendFile(texts());
        await file.datasync();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new TransferRefused(`${path} cannot be written (${code}).`, undefined, error);
      }
      return added;
    },
    async close(): Promise<void> {
      await file?.close();
      file = undefined;
    },
  };
}

function headOf(header: RejectedHeader | undefined): string {
  if (header === undefined) return '';
  return MARK + lineIn(header, ['_row', '_error', ...header.names.map(nameOf)], APOSTROPHES);
}

/** In a file of ours that spreadsheet programs open, nothing is run as a formula. */
function lineIn({ names, hasFormulas }: RejectedHeader, cells: readonly string[], last: string) {
  // Where the file had apostrophes before, its cells have them still.
  const isInert = !hasFormulas || names.includes(APOSTROPHES);
  return isInert ? csvLine(cells) : inertLine([...cells, last]);
}

function lineOf({ number, cells, error }: RejectedRow, header: RejectedHeader | undefined) {
  if (header !== undefined) {
    // As wide as the header, so that the table stays one.
    const missing = Math.max(0, header.names.length - cells.length);
    return lineIn(header, [String(number), error, ...cells, ...Array(missing).fill('')], '');
  }
  const own = `"_row":${number},"_error":${JSON.stringify(error)}`;
  const [text = ''] = cells;
  const inside = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
  if (inside === undefined) return `{${own},"_line":${JSON.stringify(text)}}\n`;
  // Without what an earlier import has noted.
  const rest = inside.replace(/^\s*"_row":\d+,"_error":"(?:[^"\\]|\\.)*",?/, '');
  return `{${own}${rest.trim() === '' ? '' : `,${rest}`}}\n`;
}

/** Renames the columns that an earlier import has added. */
function nameOf(name: string): string {
  return name === '_row' || name === '_error' ? `_earlier${name}` : name;
}
