/** The rejected rows of an import while it runs, kept for a person who leaves the page and comes back. */
import { open } from 'node:fs/promises';
import type { ImportRun } from '../../../store/imports.ts';
import type { Store } from '../../../store/store.ts';

/** Of an import that rejects more, as many whole rows as fit. */
const MOST_BYTES = 1_048_576;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Notes how far an import has come, and what it has rejected by then. */
export function noting({ imports }: Pick<Store, 'imports'>): (run: ImportRun) => Promise<void> {
  let kept = 0;
  return async (run) => {
    await imports.put(run);
    const bytes = Math.min(run.position.rejected[0] ?? 0, MOST_BYTES);
    if (bytes === kept) return;
    kept = bytes;
    const rows = await beginningOf(run.files[0]?.rejected ?? '', bytes);
    await imports.keepRejected(run.unique_identifier, rows.toString());
  };
}

async function beginningOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return wholeRows(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Up to the last end of a line that is in no cell. */
export function wholeRows(csv: Buffer): Buffer {
  let end = 0;
  let quoted = false;
  for (const [at, byte] of csv.entries()) {
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === LINE_FEED && !quoted) end = at + 1;
  }
  return csv.subarray(0, end);
}
