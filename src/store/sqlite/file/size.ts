/** The size of a store's files. */
import { stat } from 'node:fs/promises';
import type { StoreSize } from '../../../core/observe/observers.ts';
import { searchFile } from '../search/file.ts';
import { codeOf } from './files.ts';

export async function sizeOf(path: string): Promise<StoreSize> {
  const index = searchFile(path);
  const [records, log, ...search] = await Promise.all([
    bytesOf(path),
    bytesOf(`${path}-wal`),
    bytesOf(index),
    bytesOf(`${index}-wal`),
  ]);
  return { records, log, search: search[0] + search[1] };
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
