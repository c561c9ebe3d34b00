/** Which bytes of a page of a SQLite file are content, and which are left over from what was there before. */
import type { Buffer } from 'node:buffer';

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;
const TYPES: ReadonlySet<number | undefined> = new Set([
  ...[INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE],
]);
/** The first page begins with the header of the file. */
const FILE_HEADER = 100;

/**
 * Whether a byte of a page is in one of its cells; `undefined`: the page has none, it continues a large row or is
 * unused. `usable` is how much of a page SQLite uses.
 */
export function isInCell(
  page: Buffer,
  number: number,
  usable: number,
  at: number,
): boolean | undefined {
  const start = number === 1 ? FILE_HEADER : 0;
  const type = page[start];
  if (!TYPES.has(type)) return undefined;
  const count = page.readUInt16BE(start + 3);
  const cells = start + (type === INTERIOR_INDEX || type === INTERIOR_TABLE ? 12 : 8);
  // It is being written.
  if (cells + 2 * count > page.length) return undefined;
  // Cells, and what they are listed in.
  if (at < cells + 2 * count) return true;
  for (let index = 0; index < count; index += 1) {
    const cell = page.readUInt16BE(cells + 2 * index);
    if (at >= cell && at < cell + sizeOf(page, cell, type, usable)) return true;
  }
  return false;
}

/** See "B-tree Pages" in the description of SQLite's file format. */
function sizeOf(page: Buffer, cell: number, type: number | undefined, usable: number): number {
  let at = cell + (type === INTERIOR_INDEX || type === INTERIOR_TABLE ? 4 : 0);
  const skip = (): number => {
    let value = 0;
    for (let length = 1; ; length += 1) {
      const byte = page[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128 || length === 9) return value;
    }
  };
  const payload = skip();
  if (type === INTERIOR_TABLE) return at - cell;
  if (type === LEAF_TABLE) skip();
  const most = type === LEAF_TABLE ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload <= most) return at - cell + payload;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const local = least + ((payload - least) % (usable - 4));
  // With the number of the page where it goes on.
  return at - cell + (local <= most ? local : least) + 4;
}
