/** The parts of a workbook's file, which is a ZIP archive. They are read from the disk as they are asked for. */
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';

/** A workbook has a part for each sheet, picture and comment. */
const MOST_PARTS = 10_000;
/** Of one part, unpacked. */
const MOST_BYTES = 2_147_483_648;

export interface Archive extends AsyncDisposable {
  has(part: string): boolean;
  /** Its bytes, unpacked no faster than they are taken. Throws where they are not what was packed. */
  read(part: string): AsyncGenerator<Uint8Array, void>;
}

export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false }).catch(async () => {
    throw new Error(
      (await isOle(path))
        ? 'it is encrypted, or of Excel 2003 and before. Open it in a spreadsheet program, and save it without a password as an Excel workbook (.xlsx)'
        : 'it is no workbook, or its end is missing',
    );
  });
  try {
    if (zip.entryCount > MOST_PARTS) throw new Error(`it has more than ${MOST_PARTS} parts`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(keyOf(entry.fileName), entry);
    return {
      has: (part) => entries.has(keyOf(part)),
      async *read(part) {
        const entry = entries.get(keyOf(part));
        if (entry === undefined) throw new Error(`its part ${part} is missing`);
        if (entry.uncompressedSize > MOST_BYTES) {
          throw new Error(`its part ${part} holds more than ${MOST_BYTES} bytes`);
        }
        if (entry.isEncrypted()) throw new Error('it is encrypted');
        let sum = 0;
        for await (const bytes of await zip.openReadStreamPromise(entry)) {
          sum = crc32(bytes, sum);
          yield bytes;
        }
        if (sum !== entry.crc32) throw new Error(`its part ${part} is damaged`);
      },
      async [Symbol.asyncDispose]() {
        zip.close();
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** What encrypted workbooks and those of old are packed in. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

async function isOle(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read({ buffer: Buffer.alloc(OLE.length) });
  return buffer.equals(OLE);
}

/** Parts are found whatever the case of their names. */
function keyOf(name: string): string {
  return name.replace(/^\/+/, '').toLowerCase();
}
