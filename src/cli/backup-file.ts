/** A backup that a command reads. */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { openStoreAlone } from '../open-store.ts';
import { StoreUnusable } from '../store/store.ts';
import { momentOf } from '../transfer/backup/file.ts';
import type { Backup } from '../transfer/backup/read.ts';
import { Mistake } from './mistake.ts';
import { storeSettings } from './store.ts';

/** The bytes of a file, of the newest backup in a folder, or of standard input for `-`. Throws a `Mistake` where there is none. */
export function openBackup(file: string): Readable {
  if (file === '-') {
    if (process.stdin.isTTY)
      throw new Mistake('There is no backup on standard input: name a file.');
    return process.stdin;
  }
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new Mistake(`There is no file ${file}.`);
  return createReadStream(found.isDirectory() ? newestIn(file) : file, { highWaterMark: 262_144 });
}

function newestIn(folder: string): string {
  const newest = readdirSync(folder)
    .filter((name) => momentOf(name) !== undefined)
    .toSorted()
    .at(-1);
  if (newest === undefined) throw new Mistake(`There is no backup in ${folder}.`);
  return join(folder, newest);
}

/**
 * Lets `doctor` and the metrics know that there is a backup that is whole: where there is a
 * store, it notes it. Tells whether it did.
 */
export async function noteChecked(command: Command, { header }: Backup): Promise<boolean> {
  try {
    const store = await openStoreAlone(storeSettings(command), { create: false });
    try {
      await store.backups.note({ taken_at: Date.parse(header.taken_at), checked_at: Date.now() });
      return true;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreUnusable) return false;
    throw error;
  }
}
