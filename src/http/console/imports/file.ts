/** A file that was brought along, for as long as a request takes: on disk, since it is read more than once. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

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
  const folder = await mkdtemp(join(tmpdir(), 'ledgerstone-import-'));
  try {
    // Its name is the caller's, and only its ending says anything.
    const ending = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(name))?.[0] ?? '';
    const path = join(folder, `file${ending}`);
    await writeFile(path, bytes, { mode: 0o600 });
    return await work({ path });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
