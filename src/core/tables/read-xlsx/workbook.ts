/** A workbook: its sheets, and the rows of one. https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { faultOf, WorkbookFault } from './fault.ts';
import { type NumberFormat, numberFormats } from './formats.ts';
import {
  isOn,
  readSharedStrings,
  SHEETS,
  type SharedStrings,
  type SheetFacts,
  type SheetRow,
  sheetRows,
} from './sheet-rows.ts';
import { place, readXml, type XmlPlace } from './xml.ts';

const MIB = 1_048_576;
/** Bytes of parts that are stored in part: Excel's own stay far below. */
const MOST_LINK_BYTES = 4 * MIB;
const MOST_BOOK_BYTES = 16 * MIB;
const MOST_STYLE_BYTES = 64 * MIB;
/** The most links, sheets, and formats of numbers: Excel keeps 250 of these. */
const MOST_KEPT = 10_000;
/** Excel keeps 65,490. */
const MOST_CELL_FORMATS = 65_536;
/** Characters of the code of a format that are stored: Excel takes 255, and of a longer one nothing is shown. */
const LONGEST_CODE = 256;

/** The namespaces of links between parts, and of those that parts name, by the two editions of the standard. */
const LINKS: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/package/2006/relationships',
]);
const FIRST_LINKED = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const LINKED: ReadonlySet<string> = new Set([
  FIRST_LINKED,
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
]);

interface Link {
  readonly id: string | undefined;
  /** The kind of part that it leads to; `undefined`: one of none that is read. */
  readonly type: string | undefined;
  readonly part: string;
}

export type Workbook = Awaited<ReturnType<typeof openWorkbook>>;

/** Throws for a file that is not a workbook, and says why. Shared strings are on disk until it is disposed of. */
export async function openWorkbook(path: string) {
  using archive = await openArchive(path);
  const book = (await linksOf(archive, '')).find(({ type }) => type === 'officeDocument')?.part;
  if (book === undefined || !archive.has(book) || /\.bin$/i.test(book))
    throw archive.notAWorkbook();
  const links = await linksOf(archive, book);
  const partOf = (kind: string) =>
    links.find(({ type, part }) => type === kind && archive.has(part))?.part;
  const sheets = new Map<string, string>();
  const hidden: string[] = [];
  let isBook = false;
  let startsIn1904 = false;
  let listed = 0;
  const sheet: XmlPlace = {
    opened({ name = '', state, ...others }, namespaceOf) {
      listed += 1;
      checkMost(listed, 'sheets', MOST_KEPT);
      const id = Object.entries(others).find(([key]) => {
        const [prefix = '', local] = key.split(':');
        return local === 'id' && LINKED.has(namespaceOf(prefix) ?? FIRST_LINKED);
      })?.[1];
      const link = links.find((one) => one.type === 'worksheet' && one.id === id);
      if (link === undefined) return;
      sheets.set(name, link.part);
      if (state === 'hidden' || state === 'veryHidden') hidden.push(name);
    },
  };
  const workbook = place(
    {
      workbookPr: {
        opened({ date1904 }) {
          startsIn1904 = isOn(date1904);
        },
      },
      sheets: place({ sheet }),
    },
    {
      opened() {
        isBook = true;
      },
    },
  );
  await readXml(archive.read(book, MOST_BOOK_BYTES), {
    namespaces: SHEETS,
    root: new Map([['workbook', workbook]]),
  });
  if (!isBook) throw archive.notAWorkbook();
  const styles = partOf('styles');
  const formats = styles === undefined ? [] : await formatsIn(archive, styles, startsIn1904);
  const shared = partOf('sharedStrings');
  let strings: SharedStrings | undefined;
  return {
    sheets: [...sheets.keys()],
    /** The names of sheets that nobody sees. */
    hidden: hidden as readonly string[],
    /**
     * The rows that are not empty, read on request; one with more than `longest` characters comes as too large. What the
     * sheet says beside them goes to `facts`.
     */
    async *rows(
      sheet: string,
      longest: number,
      facts?: SheetFacts,
    ): AsyncGenerator<readonly SheetRow[], void> {
      using again = await openArchive(path);
      if (shared !== undefined) strings ??= await readSharedStrings(again.read(shared), again.most);
      const part = sheets.get(sheet);
      if (part === undefined) throw new WorkbookFault(`it has no sheet ${JSON.stringify(sheet)}`);
      const meaning = { strings, formats, startsIn1904, longest, most: again.most, facts };
      yield* sheetRows(again.read(part), meaning);
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
  const link: XmlPlace = {
    opened({ Id, Type = '', Target, TargetMode }) {
      if (Target === undefined || TargetMode === 'External') return;
      const target = Target.startsWith('/') ? Target : posix.join(folder, Target);
      const at = Type.lastIndexOf('/');
      const type = LINKED.has(Type.slice(0, at)) ? Type.slice(at + 1) : undefined;
      links.push({ id: Id, type, part: target });
      checkMost(links.length, 'links between its parts', MOST_KEPT);
    },
  };
  const root = new Map([['Relationships', place({ Relationship: link })]]);
  await readXml(archive.read(own, MOST_LINK_BYTES), { namespaces: LINKS, root });
  return links;
}

/** By the style of a cell. */
async function formatsIn(
  archive: Archive,
  styles: string,
  startsIn1904: boolean,
): Promise<readonly NumberFormat[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  const numFmt: XmlPlace = {
    opened({ numFmtId, formatCode = '' }) {
      codes.set(Number(numFmtId), formatCode.slice(0, LONGEST_CODE));
      checkMost(codes.size, 'formats of numbers', MOST_KEPT);
    },
  };
  const xf: XmlPlace = {
    opened({ numFmtId }) {
      ids.push(Number(numFmtId ?? 0));
      checkMost(ids.length, 'formats of cells', MOST_CELL_FORMATS);
    },
  };
  const sheet = place({ numFmts: place({ numFmt }), cellXfs: place({ xf }) });
  const root = new Map([['styleSheet', sheet]]);
  await readXml(archive.read(styles, MOST_STYLE_BYTES), { namespaces: SHEETS, root });
  const formatOf = numberFormats(startsIn1904);
  // Thousands of styles have a few formats between them.
  const formats = new Map([...new Set(ids)].map((id) => [id, formatOf(id, codes.get(id))]));
  return ids.map((id) => formats.get(id) ?? formatOf(0));
}

function checkMost(count: number, what: string, most: number): void {
  if (count > most) throw new WorkbookFault(`it has more than ${most} ${what}`);
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
    const kind = await oleKind(path);
    if (kind !== undefined) throw new OtherFile(kind);
    throw new WorkbookFault('it is not a workbook, or its end is missing');
  });
  using opened = new DisposableStack();
  opened.defer(() => zip.close());
  if (zip.entryCount > MOST_PARTS) throw new WorkbookFault(`it has more than ${MOST_PARTS} parts`);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(keyOf(entry.fileName), entry);
  } catch (error) {
    throw faultOf(error, 'the list of its parts is damaged');
  }
  const { fileSize } = zip;
  const all = Math.max(MOST_BYTES, MOST_TIMES * fileSize);
  let unpacked = 0;
  /** The archive states the size of each part: one of another size is refused as damaged. */
  const take = (part: string, bytes: number, most: number): void => {
    if (bytes > most) throw new WorkbookFault(`its part ${part} holds more than ${mib(most)}`);
    unpacked += bytes;
    if (unpacked > FREE_BYTES && unpacked > DENSEST * fileSize)
      throw new WorkbookFault(
        `its part ${part} unpacks to more than ${DENSEST} times the size of the file`,
        'Save it as CSV, and import that',
      );
    if (unpacked > all)
      throw new WorkbookFault(
        `with its part ${part} it unpacks to more than ${mib(all)}`,
        'Save it as CSV, or in several files',
      );
  };
  const owned = opened.move();
  return {
    /** Bytes that its parts may unpack to. */
    most: all,
    has: (part: string) => entries.has(keyOf(part)),
    notAWorkbook(): OtherFile {
      const names = [...entries.keys()];
      const found = PARTS_OF_OTHERS.find(([part]) => names.some((name) => part.test(name)));
      return new OtherFile(found?.[1] ?? 'document');
    },
    /**
     * Its bytes, unpacked no faster than they are taken, or `most` at the most. Throws where they are not what was
     * packed, and before the first of them where they are too many.
     */
    async *read(part: string, most = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array, void> {
      const entry = entries.get(keyOf(part));
      if (entry === undefined) throw new WorkbookFault(`its part ${part} is missing`);
      take(part, entry.uncompressedSize, most);
      if (entry.isEncrypted()) throw new WorkbookFault('it is encrypted');
      let sum = 0;
      try {
        for await (const bytes of await zip.openReadStreamPromise(entry)) {
          sum = crc32(bytes, sum);
          yield bytes;
        }
      } catch (error) {
        throw faultOf(error, `its part ${part} is damaged`);
      }
      if (sum !== entry.crc32) throw new WorkbookFault(`its part ${part} is damaged`);
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}

/** Kinds of files that are packed as workbooks are, or were until 2007. */
export type OtherKind = 'old_workbook' | 'other_workbook' | 'locked' | 'document' | 'compressed';

/** The file is something else. */
export class OtherFile extends Error {
  override readonly name = 'OtherFile';
  readonly kind: OtherKind;

  constructor(kind: OtherKind) {
    super(`It is no Excel workbook (${kind}).`);
    this.kind = kind;
  }
}

/** Archives of other programs, by a part that they have. */
const PARTS_OF_OTHERS: readonly (readonly [part: RegExp, kind: OtherKind])[] = [
  [/^(?:xl\/workbook\.bin|content\.xml|index\.zip|index\/.*\.iwa)$/, 'other_workbook'],
  [/^(?:word|ppt|visio)\//, 'document'],
  [/\.(?:csv|tsv|txt|xlsx|xls)$/, 'compressed'],
];

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Bytes of its list of parts that are looked at. */
const LIST_BYTES = 8_192;

/** Names what a file in the packing of Excel 2003 and before is; `undefined`: it is none. */
async function oleKind(path: string): Promise<OtherKind | undefined> {
  await using file = await open(path);
  const { buffer: head } = await file.read({ buffer: Buffer.alloc(512) });
  if (!head.subarray(0, OLE.length).equals(OLE)) return undefined;
  const sector = 1 << (head.readUInt16LE(30) & 15);
  const position = (head.readUInt32LE(48) + 1) * sector;
  const { buffer } = await file.read({ buffer: Buffer.alloc(LIST_BYTES), position });
  const has = (part: string): boolean => buffer.includes(Buffer.from(part, 'utf16le'));
  if (has('EncryptedPackage')) return 'locked';
  return has('WordDocument') || has('PowerPoint Document') ? 'document' : 'old_workbook';
}

/** Parts are found regardless of the case of their names. */
function keyOf(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}

function mib(bytes: number): string {
  return `${Math.floor(bytes / MIB)} MiB`;
}
