/**
 * Reads the index once from its beginning, so that the system has its pages in memory. A search looks at a thousand
 * pages here and there: each would wait for the disk in the first search after a start.
 */
import { readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Bytes that are read in one go, between which searches are answered. */
const PIECE = 1_048_576;
/** Of a larger index, as much as this. */
const MOST_BYTES = 1_073_741_824;
/** Of the memory that is there, in which others keep pages, too. */
const MOST_OF_MEMORY = 0.5;
const MOST_MS = 30_000;

/** Ends where the open file does, at the bounds, or soon after `signal`; returns how many bytes were read. */
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
    // Others get half of what the disk can do.
    await pause(now - began);
  }
  return read;
}
