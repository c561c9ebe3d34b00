/** Reads every backup of a folder, to find whether each is complete, and which moments can be restored. */
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { momentOf } from '../file.ts';
import { BackupUnusable } from '../format.ts';
import type { Part } from '../parts.ts';
import { type Backup, readBackup } from '../read.ts';
import { type FollowedFile, gapBetween, readFollowed } from './chain.ts';
import { asUnusable, usableIn } from './usable.ts';

/** Stretches of moments that were followed without a gap, in milliseconds since 1970, from the names of files. */
function stretchesOf(files: readonly FollowedFile[]) {
  const stretches: { from: number; to: number; files: number }[] = [];
  let before: FollowedFile | undefined;
  let isOpen = false;
  for (const file of files) {
    const { moment, whole } = file;
    const follows: boolean =
      isOpen && before !== undefined && gapBetween(before, file) === undefined;
    isOpen = whole || follows;
    if (follows && (!whole || moment === before?.moment)) {
      const stretch = stretches.at(-1) as (typeof stretches)[number];
      // If the clock was set back, the same times occur again.
      stretch.to = Math.max(stretch.to, moment);
      stretch.files += 1;
    } else if (whole) {
      stretches.push({ from: moment, to: moment, files: 1 });
    }
    before = file;
  }
  return stretches;
}

/** Whether a backup was made after another one: by their numbers where one store made both, as a clock may have been wrong. */
function isLater({ header }: Backup, { header: other }: Backup): boolean {
  if (header.of !== undefined && header.of.store === other.of?.store)
    return header.of.number >= other.of.number;
  return (Date.parse(header.taken_at) || 0) >= (Date.parse(other.taken_at) || 0);
}

/** `onRows` gets how many rows were read so far. */
export async function readFolder(
  folder: string,
  parts: readonly Part[],
  onRows: (rows: number) => void = () => {},
) {
  const faults: string[] = [];
  const good: FollowedFile[] = [];
  /** The whole backup that was made last. */
  let newest: Backup | undefined;
  let rows = 0;

  const read = async (name: string): Promise<Backup | undefined> => {
    const before = rows;
    try {
      return await readBackup({
        bytes: createReadStream(join(folder, name), { highWaterMark: 262_144 }),
        parts,
        onRows(count) {
          rows = before + count;
          onRows(rows);
        },
      });
    } catch (cause) {
      const error = asUnusable(cause);
      if (!(error instanceof BackupUnusable)) throw error;
      faults.push(`${name}: ${error.message}`);
      return undefined;
    }
  };
  const noteNewest = (backup: Backup): void => {
    if (newest === undefined || isLater(backup, newest)) newest = backup;
  };

  /** Backups that stand by themselves, the oldest first. */
  const backups: string[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    if (momentOf(name) === undefined) continue;
    const backup = await read(name);
    if (backup === undefined) continue;
    backups.push(name);
    noteNewest(backup);
  }
  // The seals that a file may name as the one before it.
  let last: readonly (string | undefined)[] | undefined;
  let before: FollowedFile | undefined;
  const followed = await usableIn(folder, readFollowed(folder), parts[0]?.name ?? '');
  for (const { name, message } of followed.broken) faults.push(`${name}: ${message}`);
  for (const file of followed.files) {
    const { name, whole } = file;
    const gap = before && gapBetween(before, file);
    if (gap !== undefined) faults.push(`${gap}.`);
    if (before === undefined && !whole)
      faults.push(`${name}: The whole backup that it follows is missing.`);
    const follows = gap === undefined ? last : undefined;
    before = file;
    last = undefined;
    const backup = await read(name);
    if (backup === undefined) continue;
    const { header, trailer } = backup;
    const { increment } = header;
    const fault =
      whole !== (increment === undefined) || Date.parse(header.taken_at) !== file.moment
        ? 'It is not what its name says.'
        : increment !== undefined && follows !== undefined && !follows.includes(increment.follows)
          ? 'It does not follow the one before it.'
          : undefined;
    if (fault !== undefined) {
      faults.push(`${name}: ${fault}`);
      continue;
    }
    if (whole) noteNewest(backup);
    // The files after an unusable one are of no use, until the next whole backup.
    if (!whole && follows === undefined) continue;
    good.push(file);
    last = [trailer.sha256, header.beside];
  }
  const stretches = stretchesOf(good);
  return { stretches, backups, newest, rows, faults };
}
