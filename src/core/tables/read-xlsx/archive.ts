/** The parts of a workbook's file, which is a ZIP archive. They are read from the disk on request. */
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';

/** A workbook has a part for each sheet, picture and comment. */
const MOST_PARTS = 10_000;
const MIB = 1_048_576;
/**
 * The limit on all parts that are read, unpacked: the larger of a number of bytes and a multiple of the file's size.
 */
const MOST_BYTES = 512 * MIB;
const MOST_TIMES = 100;
/** Beyond this many bytes, a file packed denser than this is not a table that people keep. */
const FREE_BYTES = 64 * MIB;
const DENSEST = 200;

export type Archive = Awaited<ReturnType<typeof openArchive>>;

export async function openArchive(path: string) {
  const zip = await openPromise(path, { autoClose: false }).catch(async () => {
    throw new Error(
      (await isOle(path))
        ? 'it is encrypted, or of Excel 2003 and before. Open it in a spreadsheet program, and save it without a password as an Excel workbook (.xlsx)'
        : 'it is not a workbook, or its end is missing',
    );
  });
  try {
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
      async [Symbol.asyncDispose]() {
        zip.close();
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
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
