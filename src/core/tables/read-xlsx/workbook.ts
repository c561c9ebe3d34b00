/** A workbook: its sheets, and the rows of one. https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import {
  type NumberFormat,
  numberFormat,
  readSharedStrings,
  type SharedStrings,
  type SheetRow,
  sheetRows,
} from './sheet-rows.ts';
import { readXml } from './xml.ts';

const MIB = 1_048_576;
/** Bytes of parts that are stored in part: Excel's own stay far below. */
const MOST_LINK_BYTES = 4 * MIB;
const MOST_BOOK_BYTES = 16 * MIB;
const MOST_STYLE_BYTES = 64 * MIB;
/** The most links, sheets, and formats of numbers: Excel keeps 250 of these. */
const MOST_KEPT = 10_000;
/** Excel keeps 65,490. */
const MOST_CELL_FORMATS = 65_536;
/** Characters of the code of a format: Excel takes 255. */
const LONGEST_CODE = 1_024;

interface Link {
  readonly id: string | undefined;
  /** The last word of it: versions of the standard differ in the rest. */
  readonly type: string | undefined;
  readonly part: string;
}

export type Workbook = Awaited<ReturnType<typeof openWorkbook>>;

/** Throws for a file that is not a workbook, and says why. Shared strings are on disk until it is disposed of. */
export async function openWorkbook(path: string) {
  using archive = await openArchive(path);
  const book = (await linksOf(archive, '')).find(({ type }) => type === 'officeDocument')?.part;
  if (book === undefined)
    throw new Error('it is something else. Save it as CSV, or as an Excel workbook (.xlsx)');
  const links = await linksOf(archive, book);
  const partOf = (kind: string) =>
    links.find(({ type, part }) => type === kind && archive.has(part))?.part;
  const sheets = new Map<string, string>();
  let startsIn1904 = false;
  let listed = 0;
  await readXml(archive.read(book, MOST_BOOK_BYTES), {
    opened(element, { date1904, name = '', ...others }) {
      if (element === 'workbookPr') startsIn1904 = date1904 === '1' || date1904 === 'true';
      if (element !== 'sheet') return;
      listed += 1;
      checkMost(listed, 'sheets', MOST_KEPT);
      const id = Object.entries(others).find(([key]) => key.endsWith(':id'))?.[1];
      const link = links.find((one) => one.type === 'worksheet' && one.id === id);
      if (link !== undefined) sheets.set(name, link.part);
    },
  });
  const styles = partOf('styles');
  const formats = styles === undefined ? [] : await formatsIn(archive, styles, startsIn1904);
  const shared = partOf('sharedStrings');
  let strings: SharedStrings | undefined;
  return {
    sheets: [...sheets.keys()],
    /** The rows that are not empty, read on request; one with more than `longest` characters comes as too large. */
    async *rows(sheet: string, longest: number): AsyncGenerator<readonly SheetRow[], void> {
      using again = await openArchive(path);
      if (shared !== undefined) strings ??= await readSharedStrings(again.read(shared), again.most);
      const part = sheets.get(sheet);
      if (part === undefined) throw new Error(`it has no sheet ${JSON.stringify(sheet)}`);
      yield* sheetRows(again.read(part), { strings, formats, longest, most: again.most });
    },
    [Symbol.dispose](): void {
      strings?.[Symbol.dispose]();
      strings = undefined;
    },
  };
}

async function linksOf(archive: Archive, part: string): Promise<readonly Link[]> {
  const folder = posix.dirname(part);
  const own = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!archive.has(own)) return [];
  const links: Link[] = [];
  await readXml(archive.read(own, MOST_LINK_BYTES), {
    opened(name, { Id, Type, Target }) {
      if (name !== 'Relationship' || Target === undefined) return;
      const target = Target.startsWith('/') ? Target : posix.join(folder, Target);
      links.push({ id: Id, type: Type?.split('/').at(-1), part: target });
      checkMost(links.length, 'links between its parts', MOST_KEPT);
    },
  });
  return links;
}

/** By the style of a cell. */
async function formatsIn(
  archive: Archive,
  styles: string,
  startsIn1904: boolean,
): Promise<readonly (NumberFormat | undefined)[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isOfCells = false;
  await readXml(archive.read(styles, MOST_STYLE_BYTES), {
    opened(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') {
        codes.set(Number(numFmtId), formatCode.slice(0, LONGEST_CODE));
        checkMost(codes.size, 'formats of numbers', MOST_KEPT);
      } else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells) {
        ids.push(Number(numFmtId ?? 0));
        checkMost(ids.length, 'formats of cells', MOST_CELL_FORMATS);
      }
    },
    closed(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  // Thousands of styles have a few formats between them.
  const formats = new Map(
    [...new Set(ids)].map((id) => [id, numberFormat(id, codes.get(id), startsIn1904)]),
  );
  return ids.map((id) => formats.get(id));
}

function checkMost(count: number, what: string, most: number): void {
  if (count > most) throw new Error(`it has more than ${most} ${what}`);
}

/** A workbook has a part for each sheet, picture and comment. */
const MOST_PARTS = 10_000;
/**
 * The limit on all parts that are read, unpacked: the larger of a number of bytes and a multiple of the file's size.
 */
const MOST_BYTES = 512 * MIB;
const MOST_TIMES = 100;
/** Beyond this many bytes, a file packed denser than this is not a table that people keep. */
const FREE_BYTES = 64 * MIB;
const DENSEST = 200;

type Archive = Awaited<ReturnType<typeof openArchive>>;

async function openArchive(path: string) {
  const zip = await openPromise(path, { autoClose: false }).catch(async () => {
    throw new Error(
      (await isOle(path))
        ? 'it is encrypted, or of Excel 2003 and before. Open it in a spreadsheet program, and save it without a password as an Excel workbook (.xlsx)'
        : 'it is not a workbook, or its end is missing',
    );
  });
  using opened = new DisposableStack();
  opened.defer(() => zip.close());
  if (zip.entryCount > MOST_PARTS) throw new Error(`it has more than ${MOST_PARTS} parts`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(keyOf(entry.fileName), entry);
  const { fileSize } = zip;
  const all = Math.max(MOST_BYTES, MOST_TIMES * fileSize);
  let unpacked = 0;
  /** The archive states the size of each part: one of another size is refused as damaged. */
  const take = (part: string, bytes: number, most: number): void => {
    if (bytes > most) throw new Error(`its part ${part} holds more than ${mib(most)}`);
    unpacked += bytes;
    if (unpacked > FREE_BYTES && unpacked > DENSEST * fileSize)
      throw new Error(
        `its part ${part} unpacks to more than ${DENSEST} times the size of the file. Save it as CSV, and import that`,
      );
    if (unpacked > all)
      throw new Error(
        `with its part ${part} it unpacks to more than ${mib(all)}. Save it as CSV, or in several files`,
      );
  };
  const owned = opened.move();
  return {
    /** Bytes that its parts may unpack to. */
    most: all,
    has: (part: string) => entries.has(keyOf(part)),
    /**
     * Its bytes, unpacked no faster than they are taken, or `most` at the most. Throws where they are not what was
     * packed, and before the first of them where they are too many.
     */
    async *read(part: string, most = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array, void> {
      const entry = entries.get(keyOf(part));
      if (entry === undefined) throw new Error(`its part ${part} is missing`);
      take(part, entry.uncompressedSize, most);
      if (entry.isEncrypted()) throw new Error('it is encrypted');
      let sum = 0;
      for await (const bytes of await zip.openReadStreamPromise(entry)) {
        sum = crc32(bytes, sum);
        yield bytes;
      }
      if (sum !== entry.crc32) throw new Error(`its part ${part} is damaged`);
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

async function isOle(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read({ buffer: Buffer.alloc(OLE.length) });
  return buffer.equals(OLE);
}

/** Parts are found regardless of the case of their names. */
function keyOf(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}

function mib(bytes: number): string {
  return `${Math.floor(bytes / MIB)} MiB`;
}
