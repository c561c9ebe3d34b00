/** Where SQLite stores are in tests. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL } from './all.ts';
import { whenOver } from './at-end.ts';
import { memoryFolders } from './memory-folders.ts';
import type { Ground } from './store-world.ts';

export interface SqliteGround extends Ground {
  /** A folder that is there and empty. */
  readonly folder: string;
  /** The file of the store, which is not there yet. */
  readonly path: string;
}

/** With all that is tested, a disk. */
const BASE = (ALL ? undefined : memoryFolders()[0]) ?? tmpdir();

/** Removed with the test, the suite or the file that makes it. */
export async function sqliteGround(): Promise<SqliteGround> {
  const folder = await mkdtemp(join(BASE, 'ledgerstone-'));
  const path = join(folder, 'store');
  const remove = whenOver(() => rm(folder, { recursive: true, force: true }));
  return { folder, path, url: `sqlite:${path}`, remove };
}
