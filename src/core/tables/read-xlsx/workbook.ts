/** A workbook: its sheets, and the rows of one. https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
import { posix } from 'node:path';
import { type Archive, openArchive } from './archive.ts';
import { type NumberFormat, numberFormat } from './formats.ts';
import { type SheetRow, sheetRows } from './sheet-rows.ts';
import { readSharedStrings, type SharedStrings } from './strings.ts';
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
  await using archive = await openArchive(path);
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
      if (element === 'workbookPr') startsIn1904 = isTrue(date1904);
      if (element !== 'sheet') return;
      listed += 1;
      checkKept(listed, 'sheets', MOST_KEPT);
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
      await using again = await openArchive(path);
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
      checkKept(links.length, 'links between its parts', MOST_KEPT);
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
        checkKept(codes.size, 'formats of numbers', MOST_KEPT);
      } else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells) {
        ids.push(Number(numFmtId ?? 0));
        checkKept(ids.length, 'formats of cells', MOST_CELL_FORMATS);
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

function checkKept(count: number, what: string, most: number): void {
  if (count > most) throw new Error(`it has more than ${most} ${what}`);
}

function isTrue(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}
