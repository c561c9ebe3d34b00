/** The pictures of the pages: PNG files of `docs/pictures/`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../docs/pictures');

/** Each is read once, however often it is requested. */
const kept = new Map<string, Buffer>();

/** `undefined` where no picture has that name. */
export async function readPicture(name: string): Promise<Buffer | undefined> {
  const known = kept.get(name);
  if (known !== undefined || !/^[a-z-]+\.png$/.test(name)) return known;
  try {
    const picture = await readFile(join(FOLDER, name));
    kept.set(name, picture);
    return picture;
  } catch {
    return undefined;
  }
}
