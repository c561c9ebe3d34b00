/** The rejected rows of an import while it runs, stored for a person who leaves the page and comes back. */
import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ApiError } from '../../../core/errors.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import type { ImportRun } from '../../../core/objects/transfer/import-run.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { Answer } from '../../rows/answer.ts';

/** The most bytes of rejected rows: of more, as many whole rows as fit. */
const MOST_BYTES = 1_048_576;
/** On disk, until the person has read them: of one import, and how many may be read at a time. */
export const KEPT_BYTES = 33_554_432;
const READERS = { slots: 32, ofGroup: 4 };
const READ_MINUTES = 5;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;

const refusal = () => new Error('no slot is free');
const slots = new FairSlots({ ...READERS, waiting: { most: 0, ofGroup: 0, refusal } });

/** Returns whether the rejected rows were offered: not if too many of the customer's are being read, since they take disk. */
export async function sendRejected(
  { files }: ImportRun,
  answer: Answer,
  customer: string,
): Promise<boolean> {
  const path = files[0]?.rejected;
  if (path === undefined || !existsSync(path)) return true;
  const release = await slots.acquire(customer).catch(() => undefined);
  if (release === undefined) return false;
  const end = performance.now() + READ_MINUTES * 60_000;
  try {
    for await (const rejected of createReadStream(path, 'utf8')) {
      if (performance.now() > end)
        throw new ApiError('request_timeout', {
          message: `The refused rows are read too slowly: read them within ${READ_MINUTES} minutes.`,
        });
      await answer.write(`${JSON.stringify({ rejected })}\n`);
    }
  } finally {
    release();
  }
  return true;
}

/** Notes how far an import has come, and what it has rejected by then. */
export function noting({ imports }: Pick<Store, 'imports'>): (run: ImportRun) => Promise<void> {
  let written = 0;
  return async (run) => {
    await imports.put(run);
    const bytes = Math.min(run.position.rejected[0] ?? 0, MOST_BYTES);
    if (bytes === written) return;
    written = bytes;
    await using file = await open(run.files[0]?.rejected ?? '');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    const rows = wholeRows(buffer.subarray(0, bytesRead)).toString();
    await imports.keepRejected(run.unique_identifier, rows);
  };
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
