/** The body of an import: a line of JSON with its options, followed by the unchanged file. */

import { createReadStream, existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ApiError, Faults } from '../../../core/errors.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import type { ImportRun } from '../../../core/objects/transfer/import-run.ts';
import {
  boolean,
  choice,
  optional,
  required,
  text,
  textMap,
  timeZone,
  wholeNumber,
} from '../../../core/schema/fields/index.ts';
import type { Field } from '../../../core/schema/fields/kind.ts';
import { readMembers } from '../../../core/schema/fields/members.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import { isObject, type JsonObject } from '../../../core/schema/values.ts';
import { temporaryFolder } from '../../../core/temporary.ts';
import type { ImportOptions } from '../../../services/import/plan.ts';
import type { Mode } from '../../../services/import/run.ts';
import { isNoRoom } from '../../../services/transfer/refused.ts';
import type { Store } from '../../../store/promises/store.ts';
import { RETRY_SOON } from '../../response/retry-after.ts';
import type { Answer } from '../../rows/answer.ts';

export interface ImportRequest
  extends Omit<ImportOptions, 'resources' | 'resource' | 'ask' | 'remedies' | 'places'> {
  readonly name: string;
  readonly resource: string;
  readonly mode?: Mode;
}

const LONGEST_LINE = 65_536;
const LINE_FEED = 0x0a;

const short = text({ max: 500 });
const shorts = textMap({ maxBytes: LONGEST_LINE });

const members: Readonly<Record<keyof ImportRequest, Field>> = {
  name: required(short, 'The name of the file, with its ending'),
  resource: required(short, 'What the rows are, by its name in paths'),
  account: optional(short, 'The account of rows that name none'),
  map: optional(shorts, 'For each column the name of a field, or null'),
  set: optional(shorts, 'For each of these fields its value in every row'),
  encoding: optional(short, 'The encoding of the file'),
  delimiter: optional(short, 'What separates its cells'),
  sheet: optional(short, 'The sheet of a workbook'),
  header_row: optional(wholeNumber({ min: 1 }), 'The row that names the columns'),
  dates: optional(choice('mdy', 'dmy', 'ymd'), 'The order of the parts of dates'),
  time_zone: optional(timeZone(), 'The time zone of times without an offset'),
  us_phones: optional(boolean(), 'Whether phone numbers of ten digits are US numbers'),
  empty: optional(choice('keep', 'remove'), 'What an empty cell does'),
  mode: optional(choice('create_only', 'update_only'), 'Whether only to create, or to update'),
  chosen: optional(shorts, 'For each name of a location its identifier'),
};

/** Throws `json_invalid`, and every fault of the options. */
export function readImport(body: Uint8Array) {
  const end = body.indexOf(LINE_FEED);
  if (end < 0 || end > LONGEST_LINE) throw malformed();
  const sent = parsed(Buffer.from(body.subarray(0, end)).toString());
  const faults = new Faults();
  const reading = { encoding: 'json', faults, unknown: 'refuse', always: 'here' } as const;
  const values = Object.entries(readMembers(members, sent, '', reading));
  const options = Object.fromEntries(values.filter(([, value]) => value !== null));
  faults.throwIfAny();
  return { options: options as unknown as ImportRequest, file: body.subarray(end + 1) };
}

function parsed(line: string): JsonObject {
  try {
    // Columns are named as their sender likes.
    const value = parseStored(line);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw malformed();
}

function malformed(): ApiError {
  const message = 'The body must begin with a line of JSON that says what the file is.';
  return new ApiError('json_invalid', { message });
}

/** Stores it in a folder of its own, readable by this process alone, and removed when `work` has ended. Throws `service_unavailable` where the disk has no room for it, or for what `work` makes next to it. */
export async function withFile<T>(
  name: string,
  bytes: Uint8Array,
  work: (path: string) => Promise<T>,
): Promise<T> {
  try {
    using folder = temporaryFolder('import');
    // Its name is the caller's, and only its ending says anything.
    const ending = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(name))?.[0] ?? '';
    const path = join(folder.path, `file${ending}`);
    await writeFile(path, bytes, { mode: 0o600 });
    return await work(path);
  } catch (cause) {
    if (!isNoRoom(cause)) throw cause;
    throw new ApiError('service_unavailable', {
      cause,
      headers: RETRY_SOON,
      message:
        'The service has no room for files: its folder for temporary files (TMPDIR) is full or cannot be written to. Tell the operator, and import the file again later: rows that are imported by then are left unchanged.',
    });
  }
}

/** The most bytes of rejected rows: of more, as many whole rows as fit. */
const MOST_BYTES = 1_048_576;
/** On disk, until the person has read them: of one import, and how many may be read at a time. */
export const KEPT_BYTES = 33_554_432;
const READERS = { slots: 32, ofGroup: 4 };
const READ_MINUTES = 5;
const QUOTE = 0x22;

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
