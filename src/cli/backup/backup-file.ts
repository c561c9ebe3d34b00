/** A backup that a command reads. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { presentTime } from '../../core/schema/present/present.ts';
import { momentOf } from '../../services/backup/file.ts';
import { type Chain, chainAt, readFollowed } from '../../services/backup/folder/chain.ts';
import type { Marks } from '../../services/backup/format.ts';
import type { Backup } from '../../services/backup/read.ts';
import { openStoreAlone } from '../../store/open.ts';
import { type Store, StoreUnusable } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { storeSettings } from '../store.ts';

/** The bytes of a file, or of standard input for `-`. Throws a `Mistake` where there is no backup. */
export function openBackup(file: string): Readable {
  if (file === '-') {
    if (process.stdin.isTTY)
      throw new Mistake('There is no backup on standard input. Name a file, or pipe one in.');
    return process.stdin;
  }
  if (!existsSync(file)) throw new Mistake(`The file ${file} does not exist.`);
  return createReadStream(file, { highWaterMark: 262_144 });
}

/**
 * A file, or - for standard input, stands for itself, a folder for its last moment up to that time: its whole backup,
 * with what follows it there. Throws a `Mistake` where there is none, and
 * `BackupUnusable` where one is missing.
 */
export function namedBackup(
  file: string,
  until = Number.POSITIVE_INFINITY,
): { readonly file: string; readonly chain?: Chain } {
  if (!isFolder(file)) return { file };
  const chain = chainAt(readFollowed(file), until);
  const alone = readdirSync(file)
    .flatMap((name) => {
      const moment = momentOf(name);
      // The name has the second in which it was taken.
      return moment === undefined || moment + 999 > until ? [] : [{ name, moment }];
    })
    .toSorted((one, other) => one.moment - other.moment)
    .at(-1);
  if (chain !== undefined) {
    const last = (chain.increments.at(-1) ?? chain.base).moment;
    if (alone === undefined || alone.moment <= last)
      return { file: join(file, chain.base.name), chain };
  }
  if (alone !== undefined) return { file: join(file, alone.name) };
  throw new Mistake(
    until === Number.POSITIVE_INFINITY
      ? `There is no backup in ${file}.`
      : `No backup in ${file} goes back to ${presentTime(until)}.`,
  );
}

export function isFolder(path: string): boolean {
  return path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function isFile(path: string): boolean {
  return path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Lets `doctor` and the metrics know that there is a complete backup: if there is a store, and the backup is one of
 * that store, the store notes it. `marks` are those of the backup. `other`: it is one of another store.
 */
export async function noteChecked(
  command: Command,
  { header }: Backup,
  marks: Marks['changes'],
): Promise<'noted' | 'other' | 'none'> {
  try {
    const store = await openStoreAlone(storeSettings(command), { create: false });
    try {
      if (!(await hasBeen(store, marks))) return 'other';
      await store.backups.note({ taken_at: Date.parse(header.taken_at), checked_at: Date.now() });
      return 'noted';
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreUnusable) return 'none';
    throw error;
  }
}

/** Whether the store has passed all these commits, as far as its log still shows. */
async function hasBeen(store: Store, marks: Marks['changes']): Promise<boolean> {
  const accounts = (await store.accounts.list()).map((one) => one.unique_identifier);
  if (Object.keys(marks).length === 0) return accounts.length === 0;
  const known = new Set(accounts);
  for (const [account, [position, token]] of Object.entries(marks)) {
    if (!known.has(account)) return false;
    const mark = await store.log.lastUpTo(account, position);
    if (mark !== undefined && (mark.position !== position || mark.token !== token)) return false;
  }
  return true;
}
