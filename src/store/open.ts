/** Opens the store that an address names. The only place that knows which kinds there are. */
import type { Finding } from '../observe/finding.ts';
import type { StoreNotices, StoreObserver } from '../observe/observers.ts';
import type { RecordShape } from '../schema/shape.ts';
import type { Loading } from './loading.ts';
import type { Distribution } from './postgres/schema/distribution.ts';
import { compactSqlite } from './sqlite/file/compact.ts';
import { copySqlite, isSqliteFile, restoreCopy } from './sqlite/file/copy.ts';
import { loadSqlite } from './sqlite/load.ts';
import { openSqlite, pendingSqlite } from './sqlite/open.ts';
import { type Compacted, type Store, StoreUnusable } from './store.ts';

export interface OpenOptions {
  /** `sqlite:PATH`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly url: string;
  /** Parents before children: the root, which has no parent, is the first. */
  readonly shapes: readonly RecordShape[];
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Whether a new store may be made where there is none. */
  readonly create: boolean;
  /** Into how many partitions by account tables are divided when they are made, where a store knows partitions; 0: none. */
  readonly partitions?: number;
  /** What spreads the tables over several servers; `StoreUnusable` where that is not so, or not possible. */
  readonly distribution?: Distribution | undefined;
  /** Whether to serve requests: where `processes` is 'one', only one process at a time may. */
  readonly serve: boolean;
  /** How many bytes the receipts of an API key may take. */
  readonly receiptBytes?: number;
  /** How many days the log of changes is kept; 0: one day, and nothing of what records held. */
  readonly historyDays?: number;
  /** Is told of the store's size and upkeep. */
  readonly observer?: StoreObserver | undefined;
  /** Is told where the operator must know of the store's files. */
  readonly notices?: StoreNotices | undefined;
}

/** How many days the log of changes is kept where nobody says otherwise. */
export const HISTORY_DAYS = 400;

/** Opens a store and brings its schema up to date. Throws `StoreUnusable` where that is impossible. */
export async function openStore({
  url,
  now = Date.now,
  partitions = 0,
  historyDays = HISTORY_DAYS,
  ...options
}: OpenOptions): Promise<Store> {
  const { sqlite } = readAddress(url, options.distribution);
  if (sqlite !== undefined) return openSqlite({ path: sqlite, now, historyDays, ...options });
  const { openPostgres } = await postgres();
  return openPostgres({ url, now, partitions, historyDays, ...options });
}

/**
 * What opening the store would change in its schema, in words: nothing when it
 * is up to date, everything when there is no store yet. Changes nothing.
 */
export async function pendingMigrations({
  url,
  partitions = 0,
  ...options
}: Pick<OpenOptions, 'url' | 'shapes' | 'partitions' | 'distribution'>): Promise<
  readonly string[]
> {
  const { sqlite } = readAddress(url, options.distribution);
  if (sqlite !== undefined) return pendingSqlite(sqlite, options.shapes);
  const { pendingPostgres } = await postgres();
  return pendingPostgres({ url, partitions, ...options });
}

/**
 * Rewrites a store that nobody serves, so that nothing is left in its files of
 * what was removed. Throws `StoreUnusable` where that is impossible.
 */
export async function compactStore({
  url,
  distribution,
}: Pick<OpenOptions, 'url' | 'distribution'>): Promise<Compacted> {
  const { sqlite } = readAddress(url, distribution);
  if (sqlite !== undefined) return compactSqlite(sqlite);
  throw new StoreUnusable(
    'Only SQLite stores are compacted. PostgreSQL vacuums its tables by itself; to rewrite them at once, stop the service and run VACUUM FULL in the database.',
  );
}

/**
 * Begins to fill a new store, or one that is empty and that nobody uses. Throws
 * `StoreUnusable` where there is another.
 */
export async function openLoading({
  url,
  partitions = 0,
  ...options
}: Pick<OpenOptions, 'url' | 'shapes' | 'partitions' | 'distribution'>): Promise<Loading> {
  const { sqlite } = readAddress(url, options.distribution);
  if (sqlite !== undefined) return loadSqlite(sqlite, options.shapes);
  const { openLoading: open } = await postgres();
  return open({ url, partitions, distribution: options.distribution, shapes: options.shapes });
}

/**
 * Copies a SQLite store as it is, before its schema changes: gives the path of the copy.
 * `undefined` where there is nothing to copy, or the store is kept elsewhere.
 */
export function copyStore({
  url,
  distribution,
}: Pick<OpenOptions, 'url' | 'distribution'>): string | undefined {
  const { sqlite } = readAddress(url, distribution);
  return sqlite === undefined ? undefined : copySqlite(sqlite, Date.now());
}

/** Makes such a copy the store, where there is none. Gives its place. Throws `StoreUnusable`. */
export async function openCopy(
  { url, distribution }: Pick<OpenOptions, 'url' | 'distribution'>,
  copy: string,
): Promise<string> {
  const { sqlite } = readAddress(url, distribution);
  if (sqlite !== undefined) return `sqlite:${await restoreCopy(sqlite, copy)}`;
  throw new StoreUnusable(
    `${copy} is a SQLite file. Restore it with --database-url sqlite:PATH, then write a backup of that store, and restore the backup into PostgreSQL.`,
  );
}

/**
 * Looks at the store and at what it stands on, and changes nothing. Throws
 * `StoreUnusable` where there is nothing to be looked at.
 */
export async function examineStore({
  url,
  partitions = 0,
  ...options
}: Pick<OpenOptions, 'url' | 'shapes' | 'partitions' | 'distribution'>): Promise<
  readonly Finding[]
> {
  const { sqlite } = readAddress(url, options.distribution);
  if (sqlite !== undefined) {
    const { examineSqlite } = await import('./sqlite/examine.ts');
    return examineSqlite(sqlite, options.shapes);
  }
  const { examinePostgres } = await import('./postgres/examine.ts');
  return examinePostgres({ url, partitions, ...options });
}

export { isSqliteFile };

/** Loaded only where it is wanted: it brings a driver along. */
function postgres() {
  return import('./postgres/open.ts');
}

/** The path of a SQLite file, unless the address is one of PostgreSQL. */
function readAddress(
  url: string,
  distribution: Distribution | undefined,
): { readonly sqlite: string | undefined } {
  const [, scheme, path] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'postgres' || scheme === 'postgresql') return { sqlite: undefined };
  if (scheme !== 'sqlite') {
    // Whatever follows the scheme may hold a password.
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
  return { sqlite: path };
}
