/** A backup as a file: written next to its place, synced, and moved there when it is complete; never over another one. */
import {
  constants,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf, diskFailure } from '../../core/disk-failure.ts';
import { accessFault, giveToFolder, syncPath } from '../../core/owners.ts';
import { takeLock } from '../../core/temporary.ts';
import { giveName } from '../transfer/new-files.ts';

/** The file cannot be written: one clear sentence for the operator. */
export class FileUnusable extends Error {
  override readonly name = 'FileUnusable';
}

const ENDING = '.ndjson.zst';
const NAME = /^ledgerstone-(\d{8}T\d{6}Z)\.ndjson\.zst$/;

/** The file name of a backup of a moment. */
export function fileName(taken_at: number): string {
  const text = new Date(taken_at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `ledgerstone-${text}${ENDING}`;
}

/** The moment of the backup of that name, to the second; `undefined` for other names. */
export function momentOf(name: string): number | undefined {
  return timeOf(NAME.exec(name)?.[1]);
}

/** The time of `20270131T180000Z`, or with milliseconds. */
export function timeOf(text = ''): number | undefined {
  const iso = text.replace(/^(.{4})(..)(..T..)(..)/, '$1-$2-$3:$4:');
  const time = Date.parse(iso);
  return Number.isNaN(time) ? undefined : time;
}

/** The file of a backup: the given one, or a new one in the given folder. */
export function placeOf(target: string, taken_at: number): string {
  return target.endsWith('/') || isFolder(target) ? join(target, fileName(taken_at)) : target;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the size in bytes. If it throws, nothing is left of the file. */
export async function writeFile(path: string, bytes: Readable): Promise<number> {
  const partial = `${path}.partial`;
  try {
    if (existsSync(path)) throw taken(path);
    // Left over from an interrupted backup.
    rmSync(partial, { force: true });
    const fd = openSync(partial, 'wx', 0o600);
    giveToFolder(fd, partial);
    await pipeline(bytes, createWriteStream(partial, { fd, flush: true }));
    giveName(partial, path, taken);
    syncPath(dirname(path));
    return statSync(path).size;
  } catch (error) {
    bytes.destroy();
    rmSync(partial, { force: true });
    throw asFileUnusable(error, path);
  }
}

/** Shows that a backup is being written to the file, until it is released: the system ends it with the process. */
export function holdPartial(path: string): { [Symbol.dispose](): void } {
  const lock = `${path}.partial.lock`;
  let release: (() => void) | undefined;
  try {
    release = takeLock(lock);
  } catch {
    // Without locks, as on some network disks, nobody removes the part of another process.
  }
  return {
    [Symbol.dispose]() {
      if (release === undefined) return;
      rmSync(lock, { force: true });
      release();
    },
  };
}

/** How long a part without a lock, as 1.0.1 wrote it, must have been left alone. */
const LEFT_MS = 3_600_000;

/** Removes parts of backups that were killed from a folder; those that are being written stay. Returns their names. */
export function removeLeftPartials(folder: string, now: number): readonly string[] {
  const removed: string[] = [];
  for (const name of isFolder(folder) ? readdirSync(folder) : []) {
    const [, of] = /^(.+)\.partial(?:\.lock)?$/.exec(name) ?? [];
    if (of === undefined || momentOf(of) === undefined) continue;
    const partial = join(folder, `${of}.partial`);
    const lock = `${partial}.lock`;
    const left = statSync(partial, { throwIfNoEntry: false });
    const isOld = left !== undefined && now - left.mtimeMs > LEFT_MS;
    if (!existsSync(lock) && !isOld) continue;
    try {
      const release = takeLock(lock);
      if (release === undefined) continue;
      rmSync(partial, { force: true });
      rmSync(lock, { force: true });
      release();
      if (left !== undefined) removed.push(`${of}.partial`);
    } catch {
      // It may be that of another user, or on a disk without locks.
    }
  }
  return removed;
}

function taken(path: string): FileUnusable {
  return new FileUnusable(`${path} already exists and is not overwritten: name a new file.`);
}

/** The result of work in a folder; throws `FileUnusable` on a disk error. */
export async function orFileUnusable<Result>(folder: string, work: () => Promise<Result>) {
  try {
    return await work();
  } catch (error) {
    throw asFileUnusable(error, folder);
  }
}

const LOCK = 'follower.lock';

/** Another process writes to the folder: one clear sentence for the operator. */
export class FolderLocked extends FileUnusable {}

/** Ensures one follower in a folder, by a lock that the system frees however the process ends; returns what releases it. */
export function lockFolder(folder: string): Promise<() => void> {
  return orFileUnusable(folder, async () => {
    const release = locked(join(folder, LOCK));
    if (release !== undefined) return release;
    throw new FolderLocked(
      `Another process keeps ${folder} up with a store, by BACKUP_TO or "backup --follow": name a folder of its own, or stop the other one.`,
    );
  });
}

function locked(path: string): (() => void) | undefined {
  try {
    return takeLock(path);
  } catch (error) {
    if (codeOf(error) !== 'ERR_SQLITE_ERROR') throw error;
    const why = accessFault(path) ?? (error instanceof Error ? error.message : String(error));
    throw new FileUnusable(`The lock file ${path} cannot be used: ${why}.`, { cause: error });
  }
}

function asFileUnusable(error: unknown, path: string): unknown {
  const why = diskFailure(error);
  if (why === undefined) return error;
  const folder = isFolder(path) ? path : dirname(path);
  const more = accessFault(folder, constants.W_OK | constants.X_OK) ?? why;
  return new FileUnusable(`The backup cannot be written to ${path}: ${more}.`, { cause: error });
}
