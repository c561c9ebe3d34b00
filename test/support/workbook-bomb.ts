/** Workbooks that are small as files and huge when they are unpacked: each part a beginning, a piece many times over, and an end. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

export interface Bloated {
  readonly head: string;
  /** Left out: there is nothing between head and tail. */
  readonly piece?: string;
  /** How many bytes of pieces there are, nearly. */
  readonly bytes?: number;
  readonly tail: string;
}

const BLOCK = 1_048_576;

/** Made without ever unpacking it: blocks that were packed once follow each other. */
export function bloatedArchive(parts: Readonly<Record<string, Bloated>>): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, part] of Object.entries(parts)) {
    const { packed, size, sum } = bloated(part);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(sum, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name));
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, directory, end]);
}

function bloated({ head, piece = '', bytes = 0, tail }: Bloated) {
  const block = Buffer.from(piece.repeat(Math.ceil(Math.min(BLOCK, bytes) / (piece.length || 1))));
  const times = block.length === 0 ? 0 : Math.ceil(bytes / block.length);
  const flushed = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
  const packed = Buffer.concat([
    deflateRawSync(head, flushed),
    ...Array<Buffer>(times).fill(deflateRawSync(block, flushed)),
    deflateRawSync(tail),
  ]);
  let sum = crc32(head);
  for (let nth = 0; nth < times; nth += 1) sum = crc32(block, sum);
  const size = Buffer.byteLength(head) + times * block.length + Buffer.byteLength(tail);
  return { packed, size, sum: crc32(tail, sum) };
}

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const link = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="${target}"/>`;
const whole = (element: string, inside: string): Bloated => ({
  head: `<${element}>${inside}`,
  tail: `</${element}>`,
});

/** A workbook with a sheet of locations; `parts` take the place of its own, by their names. */
export function bloatedWorkbook(parts: Readonly<Record<string, Bloated>>): Buffer {
  return bloatedArchive({
    '_rels/.rels': whole('Relationships', link('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': whole(
      'workbook',
      '<sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets>',
    ),
    'xl/_rels/workbook.xml.rels': whole('Relationships', LINKS),
    'xl/worksheets/sheet1.xml': whole('worksheet', `<sheetData>${HEADER}</sheetData>`),
    ...parts,
  });
}

const cell = (text: string) => `<c t="str"><v>${text}</v></c>`;
export const HEADER = `<row>${cell('External Identifier')}${cell('Location Name')}</row>`;
export const LINKS = [
  link('r1', 'worksheet', 'worksheets/sheet1.xml'),
  link('r2', 'styles', 'styles.xml'),
  link('r3', 'sharedStrings', 'sharedStrings.xml'),
].join('');
