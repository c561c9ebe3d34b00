/**
 * The backups of a folder: of which store each one is, and in which order they were made. Both are in the backups
 * themselves, since a clock may have been wrong, and a folder may be used by several stores. 1.0.0 wrote neither:
 * such backups belong to the store with whose backups they share an account, and their times count, unless they are
 * still to come.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAhead, type StoreIdentity } from '../../../store/books/backups.ts';
import { momentOf } from '../file.ts';
import { BackupUnusable, type Header, type Made } from '../format.ts';
import type { Head } from '../read.ts';
import { type Chain, chainsOf, type FollowedFile, readFollowed } from './chain.ts';
import { type Broken, brokenBy, isDamaged, readUsable, usableIn } from './usable.ts';

export interface Listed {
  readonly name: string;
  /** The moment that it shows, by the clock of then. */
  readonly moment: number;
  /** The release that wrote it. */
  readonly version: string;
  readonly of: Made | undefined;
  readonly accounts: Head['accounts'];
  /** A whole backup of a folder that follows a store, with its later files. */
  readonly chain?: Chain;
}

/** A store that is there, and its accounts. */
export interface OwnStore extends Pick<StoreIdentity, 'store'> {
  readonly accounts: ReadonlySet<string>;
}

/** The backups of one store, in the order in which they were made. */
export interface OfStore extends Pick<StoreIdentity, 'origins'> {
  /** `undefined`: 1.0.0 has written all of them. */
  readonly store: string | undefined;
  readonly backups: readonly Listed[];
  readonly accounts: ReadonlyMap<string, string>;
}

/**
 * Lists the backups that show a moment up to `until`, and the files that have the name of one and are none. `root`: the name of
 * the part with the accounts; `damaged`: names of those that are known to be none. Throws file system errors.
 */
export async function listBackups(
  folder: string,
  root: string,
  now: number,
  until = Number.POSITIVE_INFINITY,
  damaged: ReadonlySet<string> = new Set(),
) {
  const listed: Listed[] = [];
  const broken: Broken[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    const moment = momentOf(name);
    if (moment === undefined) continue;
    try {
      if (damaged.has(name)) throw isDamaged();
      listed.push(await listedAs(folder, name, moment, root));
    } catch (error) {
      const one = brokenBy(name, error);
      if (one !== undefined) broken.push(one);
    }
  }
  const followed = await usableIn(folder, readFollowed(folder), root, damaged);
  for (const { base, ...chain } of chainsOf(followed.files)) {
    const increments = chain.increments.filter(({ moment }) => moment <= until);
    const last = increments.at(-1) ?? base;
    const whole = await listedAs(folder, base.name, base.moment, root);
    const { of = whole.of } = last === base ? whole : await headOf(folder, last.name, root);
    listed.push({ ...whole, of, moment: last.moment, chain: { base, increments } });
  }
  const all = listed.filter(({ moment }) => moment <= until);
  return { ...byStore(all, now), broken: [...broken, ...followed.broken] };
}

/** Says whose the file is; nothing where it is no backup. */
async function headOf(folder: string, name: string, root: string): Promise<Pick<Header, 'of'>> {
  try {
    return (await readUsable(join(folder, name), root)).header;
  } catch (error) {
    if (error instanceof BackupUnusable) return {};
    throw error;
  }
}

async function listedAs(
  folder: string,
  name: string,
  moment: number,
  root: string,
): Promise<Listed> {
  const { header, accounts } = await readUsable(join(folder, name), root);
  const taken_at = Date.parse(header.taken_at);
  const { version, of } = header;
  return { name, moment: Number.isNaN(taken_at) ? moment : taken_at, version, of, accounts };
}

/** `unknown` are those that could be of any store, since they hold no account. */
export function byStore(
  listed: readonly Listed[],
  now: number,
): { readonly stores: readonly OfStore[]; readonly unknown: readonly Listed[] } {
  const marked = [...Map.groupBy(listed, ({ of }) => of?.store)].flatMap(([store, some]) =>
    store === undefined ? [] : { store, backups: some.sort(inOrder), added: [] as Listed[] },
  );
  const plain: Listed[][] = [];
  const unknown: Listed[] = [];
  for (const one of listed.filter(({ of }) => of === undefined)) {
    if (one.accounts.size === 0) {
      unknown.push(one);
      continue;
    }
    const sharing = marked.filter(({ backups }) => shares(backups, [one]));
    // A store that was restored from another one holds the same accounts.
    const first = sharing.find(({ backups }) => {
      const origins = backups.flatMap(({ of }) => of?.origins ?? []);
      return !sharing.some(({ store }) => origins.some((origin) => origin.store === store));
    });
    const same = first?.added ?? plain.find((some) => shares(some, [one]));
    if (same === undefined) plain.push([one]);
    else same.push(one);
  }
  const stores = [
    ...marked.map(({ store, backups, added }) => ofStore(store, backups, added, now)),
    ...plain.map((some) => ofStore(undefined, [], some, now)),
  ];
  return { stores, unknown };
}

function ofStore(
  store: string | undefined,
  numbered: readonly Listed[],
  plain: readonly Listed[],
  now: number,
): OfStore {
  const backups = withPlain(numbered, plain, now);
  const accounts = new Map(backups.flatMap((one) => [...one.accounts]));
  return { store, backups, accounts, origins: numbered.at(-1)?.of?.origins ?? [] };
}

/** With others among them, of which the time alone tells when they were made. */
export function withPlain(
  ordered: readonly Listed[],
  plain: readonly Listed[],
  now: number,
): readonly Listed[] {
  const [ahead = [], others = []] = [true, false].map((is) =>
    plain
      .filter(({ moment }) => isAhead(moment, now) === is)
      .sort((one, other) => one.moment - other.moment),
  );
  const backups = [...ordered];
  for (const one of others)
    backups.splice(backups.findLastIndex(({ moment }) => moment <= one.moment) + 1, 0, one);
  return [...ahead, ...backups];
}

function shares(some: readonly Listed[], others: readonly Listed[]): boolean {
  return some.some((one) =>
    others.some((other) => [...one.accounts.keys()].some((account) => other.accounts.has(account))),
  );
}

/** A folder that follows a store goes on after the backup with its number. */
function inOrder(one: Listed, other: Listed): number {
  const after = ({ chain }: Listed): number => chain?.base.number ?? 0;
  return (one.of?.number ?? 0) - (other.of?.number ?? 0) || after(one) - after(other);
}

/**
 * The store whose backups a folder has, as far as that is certain; otherwise all that it may be. A store that was
 * restored from another one takes its place, unless that one has made backups since.
 */
export function candidates(
  stores: readonly OfStore[],
  own: OwnStore | undefined,
): readonly OfStore[] {
  const known =
    stores.find(({ store }) => store !== undefined && store === own?.store) ??
    stores.find(
      ({ store, accounts }) =>
        store === undefined && [...accounts.keys()].some((account) => own?.accounts.has(account)),
    );
  if (known !== undefined) return [known];
  return stores.filter((one) => !stores.some((other) => other !== one && replaces(other, one)));
}

/** Whether it was restored from the other one, which has made no backup since. */
export function replaces(one: OfStore, other: OfStore): boolean {
  const origin = one.origins.find(({ store }) => store === other.store);
  if (origin === undefined) return false;
  return other.backups.every(
    ({ of, moment }) => (of?.number ?? 0) <= origin.number || moment < origin.at,
  );
}

/** The files of a folder that follows a store which are of that store alone. */
export function filesOf({ backups }: OfStore): readonly FollowedFile[] {
  return backups.flatMap(({ chain }) => (chain ? [chain.base, ...chain.increments] : []));
}
