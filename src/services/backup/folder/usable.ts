/** Looks into the files of a folder, whatever their names say: a copy that broke off is no backup, nor is an empty file. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../core/disk-failure.ts';
import type { Pacing } from '../../transfer/pace.ts';
import {
  BackupUnusable,
  damaged as damagedBackup,
  isSeal,
  type Made,
  notBackup,
  sealAt,
  unsealed,
} from '../format.ts';
import { type Head, readHead } from '../read.ts';
import { type FollowedFile, gapBetween, isBeside } from './chain.ts';

/** A file with the name of a backup that is none. */
export interface Broken {
  readonly name: string;
  /** The fault alone, and the sentence for the operator. */
  readonly why: string;
  readonly message: string;
}

/** The fault by which a file is none; `undefined` where it has been removed meanwhile. Throws any other error. */
export function brokenBy(name: string, error: unknown): Broken | undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  if (!(error instanceof BackupUnusable)) throw error;
  return { name, why: error.why, message: error.message };
}

/** The first lines of a file that ends as a backup does. Throws `BackupUnusable` where it is none. */
export async function readUsable(path: string, root: string): Promise<Head> {
  try {
    const head = await readHead(createReadStream(path), root);
    if (!(await hasSeal(path))) throw damagedBackup('its end is missing');
    return head;
  } catch (error) {
    throw asUnusable(error);
  }
}

/** Says that a file is not sealed. */
export const isDamaged = (): BackupUnusable =>
  damagedBackup('its last bytes are not the hash of those before');

/** A folder is no backup; a file that this user may not read may be one. */
export function asUnusable(error: unknown): unknown {
  return codeOf(error) === 'EISDIR' ? notBackup() : error;
}

async function hasSeal(path: string): Promise<boolean> {
  await using file = await open(path);
  const at = sealAt((await file.stat()).size);
  if (at < 0) return false;
  const { buffer } = await file.read({ buffer: Buffer.alloc(8), position: at });
  return isSeal(buffer);
}

/** Whether all bytes of the file are those that were written, by its seal; reads all of it. */
export async function isSealed(path: string, pace?: Pacing): Promise<boolean> {
  try {
    for await (const _ of unsealed(createReadStream(path, { highWaterMark: 262_144 }))) {
      await pace?.();
    }
    return true;
  } catch (error) {
    if (error instanceof BackupUnusable) return false;
    throw error;
  }
}

interface Usable {
  /** In their order. */
  readonly files: readonly FollowedFile[];
  /** The stores of the whole backups, by the names of the files; 1.0.0 did not write it. */
  readonly stores: ReadonlyMap<string, Made | undefined>;
  readonly broken: readonly Broken[];
}

/**
 * The files of a folder that follows a store which are what their names say: looks into each whole backup, and into increments
 * that are the last ones, or do not follow each other.
 */
export async function usableIn(
  folder: string,
  all: readonly FollowedFile[],
  root: string,
  damaged: ReadonlySet<string> = new Set(),
): Promise<Usable> {
  const stores = new Map<string, Made | undefined>();
  const seen = new Set<FollowedFile>();
  const broken = new Map<FollowedFile, Broken | undefined>();
  const look = async (file: FollowedFile): Promise<void> => {
    seen.add(file);
    try {
      if (damaged.has(file.name)) throw isDamaged();
      const { header } = await readUsable(join(folder, file.name), root);
      if (file.whole) stores.set(file.name, header.of);
    } catch (error) {
      broken.set(file, brokenBy(file.name, error));
    }
  };
  let files = all;
  for (let unseen = files.filter(({ whole }) => whole); unseen.length > 0; ) {
    for (const file of unseen) await look(file);
    files = files.filter((file) => !broken.has(file));
    unseen = files.filter((file, at) => !seen.has(file) && isInDoubt(file, files, at));
  }
  return { files, stores, broken: [...broken.values()].filter((one) => one !== undefined) };
}

function isInDoubt(file: FollowedFile, files: readonly FollowedFile[], at: number): boolean {
  const [before, next] = [files[at - 1], files[at + 1]];
  if (next === undefined || (next.whole && !isBeside(file, next))) return true;
  const gaps = [gapBetween(file, next), before && gapBetween(before, file)];
  return gaps.some((gap) => gap !== undefined);
}
