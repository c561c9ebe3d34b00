/**
 * The format of backup files: zstd-compressed lines of JSON, and a seal. The lines are a header; parts, each with a
 * line that names it and its rows; and a trailer with the counts. Without trailer and seal it is not a backup.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:zlib';
import about from '../../../package.json' with { type: 'json' };
import type { StoreIdentity } from '../../store/books/backups.ts';
import { compareReleases, SCHEMA_RELEASE } from '../../store/records/planner.ts';

/** The version of the format: 2 since 1.0.1, by which 1.0.0 refuses what it does not know. */
export const FORMAT = 2;

/** The release that writes here: a store that it has migrated, and a backup that it has written, are for no earlier one. */
export const WRITER = newer(about.version, SCHEMA_RELEASE);

/** The later one of two releases, such as 1.2.3. */
function newer(one: string, other: string): string {
  return compareReleases(one, other) < 0 ? other : one;
}

/** Which store a backup is of, and its place among those that the store has made. */
export interface Made extends Pick<StoreIdentity, 'store' | 'origins'> {
  /** The number of the last backup before a file of a folder that follows a store. */
  readonly number: number;
}

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
  /** Left out by 1.0.0. */
  readonly of?: Made | undefined;
}

/** The additions of a file to the one before it. */
export interface Increment {
  readonly number: number;
  /** `sha256` in the trailer of the file before. */
  readonly follows: string;
}

/** Where the next increment begins. */
export interface Positions {
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
  readonly marks?: Positions | undefined;
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

/** The position of the seal in a file of that many bytes; negative if the file is too short to have one. */
export const sealAt = (size: number): number => size - SEAL_BYTES;

/** Whether a seal begins so: a copy that broke off does not end with one, nor room that was never written. */
export const isSeal = (bytes: Buffer): boolean => bytes.subarray(0, SEAL.length).equals(SEAL);

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

  /** The fault alone, without what to do about it. */
  readonly why: string;

  constructor(message: string, why = message) {
    super(message);
    this.why = why;
  }
}

/** A later release has written it. */
export class BackupNewer extends BackupUnusable {
  constructor(version: string) {
    super(
      `The backup was written by Ledgerstone ${version}, and this is ${WRITER}: use ${version} or a later version.`,
    );
  }
}

/** Whether this release reads what that one has written. */
export function isKnown(version: string): boolean {
  return compareReleases(version, WRITER) <= 0;
}

/** Throws `BackupNewer` where a later release has written it. */
export function assertKnown({ format, version }: Pick<Header, 'format' | 'version'>): void {
  if (format > FORMAT || !isKnown(version)) throw new BackupNewer(version);
}

export function damaged(why: string): BackupUnusable {
  return new BackupUnusable(`The backup is damaged: ${why}. Use another one.`, why);
}

export function notBackup(): BackupUnusable {
  return new BackupUnusable(
    'The file is not a Ledgerstone backup: name one that "ledgerstone backup" wrote.',
    'it does not begin as one',
  );
}
