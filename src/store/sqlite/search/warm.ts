/**
 * Reads the index once from its beginning, so that the system has its pages in memory. A search looks at a thousand
 * pages here and there: each would wait for the disk in the first search after a start.
 */
import { readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Bytes per read. Searches are answered between reads. */
const PIECE = 1_048_576;
/** The most to read of a larger index. */
const MOST_BYTES = 1_073_741_824;
/** The share of memory to fill, as others cache pages, too. */
const MOST_OF_MEMORY = 0.5;
const MOST_MS = 30_000;

/** Ends with the file, at the limits, or soon after `signal`; returns the number of bytes read. */
export async function warm(file: number, signal: AbortSignal): Promise<number> {
  const ends = performance.now() + MOST_MS;
  const most = Math.min(MOST_BYTES, process.availableMemory() * MOST_OF_MEMORY);
  const piece = Buffer.allocUnsafe(PIECE);
  let read = 0;
  while (read < most && !signal.aborted) {
    const began = performance.now();
    const bytes = readSync(file, piece, 0, PIECE, read);
    const now = performance.now();
    read += bytes;
    if (bytes < PIECE || now > ends) break;
    // Leaves half of the disk's capacity to others.
    await pause(now - began);
  }
  return read;
}
