/** A file that was brought along, for as long as a request takes: on disk, since it is read more than once. */
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { temporaryFolder } from '../../../temporary.ts';

export interface BroughtFile {
  /** Of it alone: what is made beside it goes with it. */
  readonly path: string;
}

/** Readable by this process alone; it is gone when `work` has ended. */
export async function withFile<T>(
  name: string,
  bytes: Uint8Array,
  work: (file: BroughtFile) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder('import');
  try {
    // Its name is the caller's, and only its ending says anything.
    const ending = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(name))?.[0] ?? '';
    const path = join(folder.path, `file${ending}`);
    await writeFile(path, bytes, { mode: 0o600 });
    return await work({ path });
  } finally {
    folder.remove();
  }
}
