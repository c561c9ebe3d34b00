/** Refused rows of imports: on disk while they are read, and in the store for those who come back. */
import { createReadStream, existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { ApiError } from '../../../core/errors.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';

const LINE_FEED = 0x0a;
const BRACE = 0x7b;
/** The most bytes of rejected rows: of more, as many whole rows as fit. */
const MOST_BYTES = 1_048_576;
/** On disk, until the person has read them: of one import, and how many may be read at a time. */
export const KEPT_BYTES = 33_554_432;
const READERS = { slots: 32, ofGroup: 4 };
const READ_MINUTES = 5;
const QUOTE = 0x22;

const refusal = () => new Error('no slot is free');
const slots = new FairSlots({ ...READERS, waiting: { most: 0, ofGroup: 0, refusal } });

/** Returns whether the rejected rows were given: not if too many of the customer's are being read, since they take disk. */
export async function giveRejected(
  { files }: ImportRun,
  give: (rejected: string) => Promise<void> | void,
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
      await give(rejected);
    }
  } finally {
    release();
  }
  return true;
}

/** Notes how far an import has come, and before that what it has rejected by then: it may have to go on elsewhere. */
export function noting({ imports }: Pick<Store, 'imports'>): (run: ImportRun) => Promise<void> {
  // However slowly it goes on, each byte is read once.
  let kept = Buffer.alloc(0);
  return async (run) => {
    const more = Math.min(run.position.rejected[0] ?? 0, MOST_BYTES) - kept.length;
    if (more > 0) {
      await using file = await open(run.files[0]?.rejected ?? '');
      const { buffer, bytesRead } = await file.read(Buffer.alloc(more), 0, more, kept.length);
      kept = Buffer.concat([kept, buffer.subarray(0, bytesRead)]);
      await imports.keepRejected(run.unique_identifier, wholeRows(kept).toString());
    }
    await imports.put(run);
  };
}

/** The run as it goes on in a folder of this process, where its rejected rows go on from those that were kept; `cut` were not. */
export async function resumedAt(
  { imports }: Pick<Store, 'imports'>,
  run: ImportRun,
  path: string,
): Promise<{ readonly run: ImportRun; readonly cut: number }> {
  const kept = Buffer.from((await imports.rejected(run.unique_identifier)) ?? '');
  const rows = wholeRows(kept.subarray(0, run.position.rejected[0] ?? 0));
  if (rows.length > 0) await writeFile(path, rows, { mode: 0o600 });
  const files = run.files.map((file) => ({ ...file, rejected: path }));
  const cut = Math.max(0, run.counts.failed - rowsIn(rows));
  return { run: { ...run, files, position: { ...run.position, rejected: [rows.length] } }, cut };
}

/** How many rows there are. The first line names the columns, but for lines of JSON. */
export function rowsIn(csv: Buffer): number {
  const heads = csv.length > 0 && csv[0] !== BRACE ? 1 : 0;
  return endsIn(csv).length - heads;
}

/** Up to the last end of a line that is in no cell. */
export function wholeRows(csv: Buffer): Buffer {
  return csv.subarray(0, endsIn(csv).at(-1) ?? 0);
}

/** Where lines end that are not within a cell. */
function endsIn(csv: Buffer): readonly number[] {
  const ends: number[] = [];
  let quoted = false;
  for (const [at, byte] of csv.entries()) {
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === LINE_FEED && !quoted) ends.push(at + 1);
  }
  return ends;
}
