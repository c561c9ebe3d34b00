/**
 * The format of backup files: zstd-compressed lines of JSON, and a seal. The lines are a header; parts, each with a
 * line that names it and its rows; and a trailer with the counts. Without trailer and seal it is not a backup.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:zlib';

/** The version of the format. A file with a greater one is for a newer Ledgerstone. */
export const FORMAT = 1;

export interface Header {
  readonly ledgerstone: 'backup';
  readonly format: number;
  readonly version: string;
  /** The moment that it shows, as RFC 3339. */
  readonly taken_at: string;
  /** The kind of the store that it shows. */
  readonly store: string;
  /** Left out of a whole backup. */
  readonly increment?: Increment | undefined;
  /** For a whole backup that was written while increments continued: `sha256` of the increment of the same moment. */
  readonly beside?: string | undefined;
}

/** The additions of a file to the one before it. */
export interface Increment {
  readonly number: number;
  /** `sha256` in the trailer of the file before. */
  readonly follows: string;
}

/** Where the next increment begins. */
export interface Marks {
  /** By account: the position and the token of its last change. */
  readonly changes: Readonly<Record<string, readonly [position: number, token: number]>>;
  /** The last time at which a receipt expires. */
  readonly receipts: number;
}

export interface PartLine {
  readonly part: string;
}

export interface Trailer {
  readonly end: true;
  /** The number of rows and their digest, by the name under which rows are counted. */
  readonly rows: Readonly<Record<string, number>>;
  readonly digests: Readonly<Record<string, string>>;
  /** SHA-256 of all lines before this one, including their ends. */
  readonly sha256: string;
  /** The marks from which increments continue. */
  readonly marks?: Marks | undefined;
}

/** The start of lines of parts and trailers; no row starts like this. */
export const PART = '{"part":';
export const END = '{"end":';

/** No line has more characters. */
export const LONGEST_LINE = 64 * 1024 * 1024;

export const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** A skippable frame of 32 bytes (RFC 8878, 3.1.2). */
const SEAL = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);

const SEAL_BYTES = SEAL.length + 32;

/** Adds the SHA-256 of all bytes, as a frame that zstd skips: it reveals any byte that is wrong, missing or added. */
export async function* sealed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const sha256 = createHash('sha256');
  for await (const chunk of bytes) {
    sha256.update(chunk);
    yield chunk;
  }
  yield Buffer.concat([SEAL, sha256.digest()]);
}

/** All bytes but the seal. Throws `BackupUnusable` at the end if the seal does not match them. */
export async function* unsealed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const sha256 = createHash('sha256');
  let tail = Buffer.alloc(0);
  for await (const chunk of bytes) {
    tail = Buffer.concat([tail, chunk]);
    const free = tail.subarray(0, Math.max(tail.length - SEAL_BYTES, 0));
    if (free.length === 0) continue;
    sha256.update(free);
    yield free;
    tail = tail.subarray(free.length);
  }
  if (!tail.equals(Buffer.concat([SEAL, sha256.digest()])))
    throw damaged('its last bytes are not the hash of those before');
}

/** The file is not a backup, is damaged, or is for a newer Ledgerstone: one clear sentence for the operator. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable';
}

export function damaged(why: string): BackupUnusable {
  return new BackupUnusable(`The backup is damaged: ${why}. Use another one.`);
}

export function notBackup(): BackupUnusable {
  return new BackupUnusable(
    'The file is not a Ledgerstone backup: name one that "ledgerstone backup" wrote.',
  );
}
