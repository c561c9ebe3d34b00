/** Opens the store that an address names. The only place that knows the kinds of stores. */
import type { Settings } from '../core/config.ts';
import type { Finding } from '../core/observe/finding.ts';
import { shapes } from '../core/registry.ts';
import type { ClusterOptions } from './postgres/open.ts';
import type { Distribution } from './postgres/schema/distribution.ts';
import type { Loading } from './promises/snapshot.ts';
import { type Store, type StoreOptions, StoreUnusable } from './promises/store.ts';

type Defaulted = 'now' | 'historyDays';

export interface OpenOptions
  extends Omit<StoreOptions, Defaulted>,
    Partial<Pick<StoreOptions, Defaulted>>,
    ClusterOptions {
  /** `sqlite:PATH`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly url: string;
  /** The number of partitions by account into which new tables are divided, if the store supports it; 0: none. */
  readonly partitions?: number;
  /** The extension that distributes the tables over several servers; `StoreUnusable` if it does not, or cannot. */
  readonly distribution?: Distribution | undefined;
  /** Whether a thread of its own writes, if the store supports it. By default like `serve`. */
  readonly threads?: boolean;
}

/** How many days the log of changes is stored by default. */
export const HISTORY_DAYS = 400;

/** The settings of the store. */
export const STORE_SETTINGS = [
  ...(['database_url', 'database_partitions', 'database_distribution'] as const),
  ...(['citus_nodes', 'citus_untested', 'history_days'] as const),
];

export type StoreSettings = Pick<Settings, (typeof STORE_SETTINGS)[number]>;

/** Picks the settings of the store from all settings. */
export function storeOf(settings: StoreSettings): StoreSettings {
  return Object.fromEntries(
    STORE_SETTINGS.map((name) => [name, settings[name]]),
  ) as unknown as StoreSettings;
}

/** The store that the settings name, for the records of the registry. */
export function whichStore(settings: StoreSettings) {
  return {
    url: settings.database_url,
    partitions: settings.database_partitions,
    distribution: settings.database_distribution,
    nodes: settings.citus_nodes,
    untested: settings.citus_untested,
    historyDays: settings.history_days,
    shapes,
  };
}

/** The path of a store that is a file. */
export function fileOf(url: string): string | undefined {
  return /^sqlite:(.*)$/s.exec(url)?.[1];
}

type Which = Pick<OpenOptions, 'url' | 'distribution'>;
/** A store, and how to create it. */
type Made = Which & Pick<OpenOptions, 'shapes' | 'partitions' | 'nodes' | 'untested'>;
/** Settings, and how many processes are to serve the store on this machine. */
type Examined = Made & { readonly processes?: number };

/** Opens a store and brings its schema up to date. Throws `StoreUnusable`, as all below do. */
export async function openStore(given: OpenOptions): Promise<Store> {
  const options = { now: Date.now, historyDays: HISTORY_DAYS, ...given };
  const path = pathOf(options);
  return path === undefined
    ? (await driven()).openPostgres({ partitions: 0, ...options })
    : (await sqlite()).openSqlite({ ...options, path });
}

/** Opens the store for a command next to a process that may be serving it. */
export function openStoreAlone(
  settings: StoreSettings,
  how: Pick<OpenOptions, 'create' | 'threads' | 'erasureKeys'>,
): Promise<Store> {
  return openStore({ ...whichStore(settings), ...how, serve: false });
}

/**
 * The changes to its schema that opening the store would make: none when it is up to date, all when no store exists
 * yet. Changes nothing.
 */
export async function pendingMigrations(made: Made) {
  const path = pathOf(made);
  return path === undefined
    ? (await driven()).pendingPostgres({ partitions: 0, ...made })
    : (await sqlite()).pendingSqlite(path, made.shapes);
}

/** Begins to fill a new store, or one that is empty and not in use. */
export async function openLoading(made: Made): Promise<Loading> {
  const path = pathOf(made);
  return path === undefined
    ? (await driven()).openLoading({ partitions: 0, ...made })
    : (await import('./sqlite/dump/load.ts')).loadSqlite(path, made.shapes);
}

/** Examines the store and its machine. Changes nothing. */
export async function examineStore(made: Examined): Promise<readonly Finding[]> {
  const path = pathOf(made);
  if (path === undefined) {
    const { examinePostgres } = await import('./postgres/dump/examine.ts');
    return examinePostgres({ partitions: 0, processes: 1, ...made });
  }
  const { examineSqlite } = await import('./sqlite/dump/examine.ts');
  return examineSqlite(path, made.shapes);
}

/** Rewrites a store that is not served, so that no removed content is left in its files. Returns its place and sizes. */
export async function compactStore(which: Which) {
  const path = pathOf(which);
  if (path !== undefined) return (await copying()).compactSqlite(path);
  throw new StoreUnusable(
    'Only SQLite stores are compacted. PostgreSQL vacuums its tables by itself; to rewrite them at once, stop the service and run VACUUM FULL in the database.',
  );
}

/**
 * Copies a SQLite store before its schema changes, and returns the path of the copy. `undefined` if there is nothing
 * to copy, or the store is not a SQLite file.
 */
export async function copyStore(which: Which): Promise<string | undefined> {
  const path = pathOf(which);
  return path === undefined ? undefined : (await copying()).copySqlite(path, Date.now());
}

/** Puts back such a copy if no store exists. Returns its place. */
export async function openCopy(which: Which, copy: string): Promise<string> {
  const path = pathOf(which);
  if (path !== undefined) return `sqlite:${await (await copying()).restoreCopy(path, copy)}`;
  throw new StoreUnusable(
    `${copy} is a SQLite file. Restore it with --database-url sqlite:PATH, then write a backup of that store, and restore the backup into PostgreSQL.`,
  );
}

/** Whether the file is a SQLite store, or a copy of one. */
export async function isSqliteFile(file: string): Promise<boolean> {
  return (await copying()).isSqliteFile(file);
}

/** Each is loaded when it is needed: the help of a command needs none. */
const driven = () => import('./postgres/open.ts');
const sqlite = () => import('./sqlite/open.ts');
const copying = () => import('./sqlite/file/copy.ts');

/** The path of a SQLite file; `undefined` for PostgreSQL. Throws `StoreUnusable` if the address is not that of a store. */
function pathOf({ url, distribution }: Which): string | undefined {
  const [, scheme, path] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'postgres' || scheme === 'postgresql') return undefined;
  if (scheme !== 'sqlite') {
    // Anything after the scheme may contain a password.
    const given = scheme === undefined ? 'has no scheme' : `begins with ${scheme}:`;
    throw new StoreUnusable(
      `The address of the store ${given}, which is not supported: write sqlite: and the path of a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.`,
    );
  }
  if (distribution !== undefined) {
    throw new StoreUnusable(
      `A SQLite file cannot be distributed by ${distribution}: name a PostgreSQL database, or leave DATABASE_DISTRIBUTION out.`,
    );
  }
  if (path === undefined || path === '' || path === ':memory:') {
    throw new StoreUnusable(
      'The address of the store names no file: write sqlite: and the path of a file.',
    );
  }
  return path;
}
