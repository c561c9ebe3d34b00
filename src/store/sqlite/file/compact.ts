/** Rewrites a store's file, so that nothing is left in it of what was removed and no page is unused. */
import { statSync } from 'node:fs';
import { StoreUnusable } from '../../promises/store.ts';
import { noStore } from '../open.ts';
import { openIndex, searchFile } from '../search/file.ts';
import { openDatabase } from './connection.ts';
import { asUnusable, DISK_FULL, resultCode } from './failure.ts';
import { checkFile, locate } from './files.ts';
import { checkIdentity, checkVersion, holdFile } from './held-file.ts';
import { takeServingLock } from './serving-lock.ts';

/** The result of compacting a store. */
export interface CompactionResult {
  /** Where the records are, for people; holds no password. */
  readonly place: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

const TRUNCATE = 'PRAGMA wal_checkpoint(TRUNCATE)';
const REWRITE = `VACUUM; ${TRUNCATE}`;
/** Once both files are rewritten: certificates tell of it. */
const NOTE = 'UPDATE seen_time SET rewritten_at = ?';

/** Throws `StoreUnusable`, having changed nothing, where the store is being served or the disk has no room. */
export async function compactSqlite(given: string): Promise<CompactionResult> {
  const path = locate(given);
  if (checkFile(path) !== 'present') throw noStore(path);
  using file = holdFile(path);
  let unlock = (): void => {};
  try {
    checkIdentity(path, file.header);
    unlock = await takeServingLock(path, file.inode);
    using database = openDatabase(path);
    checkVersion(path, database);
    const { size: bytesBefore } = statSync(path);
    database.exec(REWRITE);
    const index = searchFile(path);
    if (checkFile(index) === 'present') rewriteIndex(index);
    database.prepare(NOTE).run(Date.now());
    database.exec(TRUNCATE);
    return { place: `sqlite:${path}`, bytesBefore, bytesAfter: statSync(path).size };
  } catch (error) {
    if (resultCode(error) !== DISK_FULL) throw asUnusable(error, path);
    throw new StoreUnusable(
      `The store at ${path} cannot be compacted: the disk is full. There must be room for the file twice, beside it and in the folder for temporary files (SQLITE_TMPDIR). Nothing was changed.`,
      { cause: error },
    );
  } finally {
    unlock();
  }
}

/** The search index can have copies, too. */
function rewriteIndex(path: string): void {
  using index = openIndex(path);
  index.exec(REWRITE);
}
