/** How much a store's files hold. */
import { stat } from 'node:fs/promises';
import type { StoreSize } from '../../../observe/observers.ts';
import { codeOf } from './files.ts';

export async function sizeOf(path: string): Promise<StoreSize> {
  const [records, log] = await Promise.all([bytesOf(path), bytesOf(`${path}-wal`)]);
  return { records, log };
}

/** A log that is not there, as after a clean end, holds nothing. */
async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
