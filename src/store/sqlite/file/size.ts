/** The bytes of a store's files, by part. */
import { stat } from 'node:fs/promises';
import { searchFile } from '../search/file.ts';
import { codeOf } from './files.ts';

export async function sizeOf(path: string): Promise<ReadonlyMap<string, number>> {
  const index = searchFile(path);
  const [records, log, ...search] = await Promise.all([
    bytesOf(path),
    bytesOf(`${path}-wal`),
    bytesOf(index),
    bytesOf(`${index}-wal`),
  ]);
  return new Map(Object.entries({ records, log, search: search[0] + search[1] }));
}

/** A clean end leaves no log. */
async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
