/** The files of an archive that was exported. */
import { inflateRawSync } from 'node:zlib';

const CENTRAL = 0x02014b50;
const ENDING = 0x06054b50;

/** The files of an archive by their names, read by its directory as other programs do. */
export function unzipped(archive: Buffer): ReadonlyMap<string, Buffer> {
  const ending = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (ending < 0 || archive.readUInt32LE(ending) !== ENDING) throw new Error('It is no archive.');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(ending + 16);
  while (archive.readUInt32LE(at) === CENTRAL) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [named, extra, said] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place));
    const name = archive.toString('utf8', at + 46, at + 46 + (named ?? 0));
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const kept = archive.subarray(begin, begin + size);
    files.set(name, method === 0 ? kept : inflateRawSync(kept));
    at += 46 + (named ?? 0) + (extra ?? 0) + (said ?? 0);
  }
  return files;
}
