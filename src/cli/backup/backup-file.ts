/** A backup that a command reads. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { momentOf } from '../../services/backup/file.ts';
import {
  asFollowed,
  type Chain,
  chainAt,
  readFollowed,
} from '../../services/backup/folder/chain.ts';
import {
  candidates,
  filesOf,
  type Listed,
  listBackups,
  type OfStore,
  type OwnStore,
  withPlain,
} from '../../services/backup/folder/listed.ts';
import { type Broken, isSealed } from '../../services/backup/folder/usable.ts';
import {
  BackupNewer,
  BackupUnusable,
  isKnown,
  type Positions,
} from '../../services/backup/format.ts';
import { partsOf } from '../../services/backup/parts.ts';
import type { Backup } from '../../services/backup/read.ts';
import { isAhead } from '../../store/books/backups.ts';
import { openStoreAlone } from '../../store/open.ts';
import { type Store, StoreUnusable } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { storeSettings } from '../store.ts';

/** The part of a backup that has the accounts. */
export const ROOT = partsOf(resources)[0]?.name ?? '';

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

interface PassedOver extends Broken {
  /** The time of its name. */
  readonly moment: number;
}

export interface NamedBackup {
  readonly file: string;
  readonly chain?: Chain;
  /** The other stores that have backups in the folder. */
  readonly others: readonly OfStore[];
  /** Files of the folder with the name of a later backup, which are none. */
  readonly passedOver: readonly PassedOver[];
}

export interface WhichBackup {
  /** The last moment that is wanted. */
  readonly until?: number | undefined;
  /** The store whose backup is wanted, as its backups name it. */
  readonly of?: string | undefined;
  /** The store that the settings name, which that folder is for. */
  readonly own?: OwnStore | undefined;
}

/**
 * A file, or - for standard input, stands for itself, a folder for the last backup that was made in it, or the last one
 * up to that time: a whole backup, with what follows it there. Throws a `Mistake` where there is none, or where it could be that of
 * several stores; and `BackupUnusable` where a file is missing.
 */
export async function namedBackup(file: string, which: WhichBackup): Promise<NamedBackup> {
  const damaged = new Set<string>();
  if (!isFolder(file)) {
    if (which.of === undefined) return { file, others: [], passedOver: [] };
    throw new Mistake('--store works only with a folder, of which it says whose backup is meant.');
  }
  for (;;) {
    const found = await lastIn(file, which, damaged);
    if (await isSealed(found.file)) return found;
    damaged.add(basename(found.file));
  }
}

/** The last one of a folder, but for those that are damaged. */
async function lastIn(
  file: string,
  { until, of, own }: WhichBackup,
  damaged: ReadonlySet<string>,
): Promise<NamedBackup> {
  const now = Date.now();
  const { stores, unknown, broken } = await listBackups(file, ROOT, now, until, damaged);
  const group = oneOf(file, stores, { until, of, own });
  const made = group === undefined ? unknown : withPlain(group.backups, unknown, now);
  const newest = made.at(-1);
  const last = broken.at(-1);
  if (newest === undefined && last !== undefined) {
    const more = broken.length > 1 ? ` ${brokenWords(file, broken.slice(0, -1))}` : '';
    throw new BackupUnusable(`${join(file, last.name)}: ${last.message}${more}`);
  }
  if (newest !== undefined && !isKnown(newest.version))
    throw new BackupUnusable(
      `${join(file, newest.name)}: ${new BackupNewer(newest.version).message}${fromBefore(file, made)}`,
    );
  const isBroken = new Set(broken.map(({ name }) => name));
  const others = stores.filter((one) => one !== group);
  const passedOver = broken
    .map((one) => ({ ...one, moment: nameMoment(one.name) }))
    .filter(({ name, moment }) => damaged.has(name) || moment > (newest?.moment ?? 0));
  const files = (
    stores.length > 1 && group !== undefined ? filesOf(group) : readFollowed(file)
  ).filter(({ name }) => !isBroken.has(name));
  if (newest === undefined || newest.chain !== undefined) {
    const chain = chainAt(files, until ?? Number.POSITIVE_INFINITY);
    if (chain !== undefined)
      return { file: join(file, chain.base.name), chain, others, passedOver };
    throw new Mistake(
      until === undefined
        ? `There is no backup in ${file}.`
        : `No backup in ${file} goes back to ${presentTime(until)}.`,
    );
  }
  return { file: join(file, newest.name), others, passedOver };
}

/** Names the files with what is wrong of them; of many alike, the first. */
export function brokenWords(
  folder: string,
  broken: readonly Pick<Broken, 'name' | 'why'>[],
): string {
  const groups = Map.groupBy(broken, ({ why }) => why);
  const some = [...groups].map(([why, all]) => {
    const names = all.slice(0, MAX_BROKEN).map(({ name }) => name);
    const more = all.length > names.length ? ` and ${all.length - names.length} more` : '';
    return `${names.join(', ')}${more} (${why})`;
  });
  return `Files in ${folder} have the name of a backup and are none: ${some.join('; ')}.`;
}

const MAX_BROKEN = 5;

function nameMoment(name: string): number {
  return momentOf(name) ?? asFollowed(name)?.moment ?? 0;
}

/** Says what this release can restore of a folder whose newest backup is of a later one. */
function fromBefore(folder: string, made: readonly Listed[]): string {
  const last = made.findLast(({ version }) => isKnown(version));
  if (last === undefined) return '';
  const { name, moment, chain } = last;
  const how =
    chain === undefined
      ? `restore ${join(folder, name)}`
      : `restore ${folder} --at ${new Date(moment).toISOString()}`;
  return ` The last one that this version can restore shows ${presentTime(moment)}. To go back to it, run "ledgerstone ${how}".`;
}

/**
 * The store to restore: the one named with `--store` or configured here, otherwise the one with the newest backup. The
 * command says which it took; a restore overwrites nothing. Throws a `Mistake` if `--at` fits backups of several stores.
 */
function oneOf(
  folder: string,
  stores: readonly OfStore[],
  { until, of, own }: WhichBackup,
): OfStore | undefined {
  if (of !== undefined) {
    const named = stores.find(({ store }) => store === of);
    if (named !== undefined) return named;
    throw new Mistake(`There is no backup of ${of} in ${folder}. ${toldApart(stores)}`);
  }
  const found = candidates(stores, own);
  if (found.length < 2) return found[0];
  if (until === undefined) return newestOf(found, Date.now());
  throw new Mistake(
    `${folder} has backups of ${stores.length} stores: say which one with --store, or name a file. ${toldApart(stores)} The time alone does not say which.`,
  );
}

/** The one with the newest backup; those whose time is still to come count after all others. */
function newestOf(stores: readonly OfStore[], now: number): OfStore | undefined {
  const shown = ({ backups }: OfStore): number => {
    const moment = backups.at(-1)?.moment ?? 0;
    return isAhead(moment, now) ? -moment : moment;
  };
  return stores.toSorted((one, other) => shown(other) - shown(one))[0];
}

/** Tells the stores of a folder apart. */
export function toldApart(stores: readonly OfStore[]): string {
  return stores
    .map(({ store, backups, accounts }) => {
      const last = backups.at(-1);
      const names = [...accounts.values()].slice(0, 3).map((name) => JSON.stringify(name));
      const holds = names.length === 0 ? '' : `, with the account ${names.join(', ')}`;
      return `${store ?? 'A store without a name'}${holds}: the last one is ${last?.chain?.increments.at(-1)?.name ?? last?.name}.`;
    })
    .join(' ');
}

/** Whether nobody reads it by name alone: the moment is still to come by this clock. */
export function aheadWords(taken_at: string): string | undefined {
  if (!isAhead(Date.parse(taken_at), Date.now())) return undefined;
  return `By this clock, ${taken_at} is still to come: the clock was ahead when the backup was made, or this one is behind. Set it right.`;
}

/** The store that the settings name, if it is there: which one it is, and its accounts. */
export async function ownStore(command: Command): Promise<OwnStore | undefined> {
  try {
    const store = await openStoreAlone(storeSettings(command), { create: false });
    try {
      const known = await store.backups.known();
      const accounts = (await store.accounts.list()).map((one) => one.unique_identifier);
      return { store: known?.store ?? '', accounts: new Set(accounts) };
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreUnusable) return undefined;
    throw error;
  }
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
  marks: Positions['changes'],
): Promise<'noted' | 'other' | 'none'> {
  try {
    const store = await openStoreAlone(storeSettings(command), { create: false });
    try {
      if (!(await hasBeen(store, marks))) return 'other';
      const { of, taken_at } = header;
      const known = await store.backups.known();
      const number = of !== undefined && of.store === known?.store ? of.number : 0;
      const checked_at = Date.now();
      await store.backups.note({ taken_at: Date.parse(taken_at), checked_at, number });
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
async function hasBeen(store: Store, marks: Positions['changes']): Promise<boolean> {
  const accounts = (await store.accounts.list()).map((one) => one.unique_identifier);
  if (Object.keys(marks).length === 0) return accounts.length === 0;
  const known = new Set(accounts);
  for (const [account, [position, token]] of Object.entries(marks)) {
    if (!known.has(account)) return false;
    const cursor = await store.log.lastUpTo(account, position);
    if (cursor !== undefined && (cursor.position !== position || cursor.token !== token))
      return false;
  }
  return true;
}
