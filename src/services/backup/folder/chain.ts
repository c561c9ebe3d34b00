/**
 * The files of a folder that follows a store: whole backups, and increments with the changes since the file before.
 * They are numbered in the order of the moments that they show. A whole backup is written while increments continue: it
 * has the number and the moment of the last increment before it.
 */
import { readdirSync } from 'node:fs';
import { timeOf } from '../file.ts';
import { BackupUnusable } from '../format.ts';

const NAME = /^ledgerstone-(\d{9})-(\d{8}T\d{6}\.\d{3}Z)(-whole)?\.ndjson\.zst$/;

/** A file each ten seconds has less for 150 years: names with a higher number are not those of a follower. */
const MAX_NUMBER = 500_000_000;

export interface FollowedFile {
  readonly name: string;
  readonly number: number;
  /** The moment that it restores, in milliseconds since 1970. */
  readonly moment: number;
  readonly whole: boolean;
}

export interface Chain {
  readonly base: FollowedFile;
  /** The increments after the whole backup, in order. */
  readonly increments: readonly FollowedFile[];
}

export function followedName({ number, moment, whole }: Omit<FollowedFile, 'name'>): string {
  const time = new Date(moment).toISOString().replaceAll(/[-:]/g, '');
  return `ledgerstone-${String(number).padStart(9, '0')}-${time}${whole ? '-whole' : ''}.ndjson.zst`;
}

/** `undefined` if the name is not that of a backup. */
export function asFollowed(name: string): FollowedFile | undefined {
  const [, number, time, whole] = NAME.exec(name) ?? [];
  const moment = timeOf(time);
  return moment === undefined || Number(number) > MAX_NUMBER
    ? undefined
    : { name, number: Number(number), moment, whole: whole !== undefined };
}

/** By their numbers, a whole backup after the increment with the same number. Other files of the folder are left out. */
export function readFollowed(folder: string): readonly FollowedFile[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => asFollowed(name) ?? [])
    .sort((one, other) => one.number - other.number || Number(one.whole) - Number(other.whole));
}

/** Whether the file is left over from a follower that was killed. */
export function isLeft(name: string): boolean {
  return name.endsWith('.partial') && asFollowed(name.slice(0, -'.partial'.length)) !== undefined;
}

/** The oldest first. Increments whose whole backup is missing are left out. */
export function chainsOf(files: readonly FollowedFile[]): readonly Chain[] {
  const chains: { base: FollowedFile; increments: FollowedFile[] }[] = [];
  for (const file of files) {
    if (file.whole) chains.push({ base: file, increments: [] });
    else chains.at(-1)?.increments.push(file);
  }
  return chains;
}

/** Why a file does not follow another one; `undefined` if it does. */
export function gapBetween(before: FollowedFile, file: FollowedFile): string | undefined {
  const { number } = before;
  if (file.number === number + 1 || isBeside(before, file)) return undefined;
  return file.number === number
    ? `${before.name} and ${file.name} have the same number`
    : `What follows ${before.name} is missing (number ${number + 1})`;
}

/** Whether it is a whole backup of the moment of that increment: a file that follows one follows the other, too. */
export function isBeside(increment: FollowedFile, file: FollowedFile): boolean {
  return (
    file.whole &&
    !increment.whole &&
    file.number === increment.number &&
    file.moment === increment.moment
  );
}

/**
 * The chain for the last moment at or before `at`; `undefined` if nothing goes back that far. If a clock was
 * set back, times occur twice: the later files count. Throws `BackupUnusable` if a missing file leaves open which one
 * is the last.
 */
export function chainAt(files: readonly FollowedFile[], at: number): Chain | undefined {
  const last = files.findLastIndex(({ moment }) => moment <= at);
  if (last < 0) return undefined;
  const from = files.findLastIndex(({ whole }, index) => whole && index <= last);
  const base = files[from];
  if (base === undefined) {
    throw new BackupUnusable(
      `The whole backup that ${files[0]?.name} follows is missing: nothing in the folder goes back to that time.`,
    );
  }
  const until = files[last] ?? base;
  const next = until.moment === at ? undefined : files[last + 1];
  for (let index = from; index < last || (index === last && next !== undefined); index++) {
    const [before, file] = [files[index], files[index + 1]];
    const gap = before && file && gapBetween(before, file);
    if (gap !== undefined) throw new BackupUnusable(`${gap}. ${insteadOf(before)}`);
  }
  return { base, increments: files.slice(from + 1, last + 1) };
}

/** Advice for an unusable file; `before` is the one before it. */
export function insteadOf(before: FollowedFile | undefined): string {
  return before === undefined
    ? 'Name an earlier time.'
    : `To restore what was before it, say --at ${new Date(before.moment).toISOString()}.`;
}
