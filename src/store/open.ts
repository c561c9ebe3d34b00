/** Opens the store that an address names. The only place that knows the kinds of stores. */
import type { Settings } from '../core/config.ts';
import type { Finding } from '../core/observe/finding.ts';
import { shapes } from '../core/registry.ts';
import type { ClusterOptions } from './postgres/open.ts';
import type { Distribution } from './postgres/schema/distribution.ts';
import type { Loading } from './promises/snapshot.ts';
import { type Store, type StoreOptions, StoreUnusable } from './promises/store.ts';
import { compactSqlite, copySqlite, isSqliteFile, restoreCopy } from './sqlite/file/copy.ts';
import { openSqlite, pendingSqlite } from './sqlite/open.ts';
import { loadSqlite } from './sqlite/whole/load.ts';

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

/** The operations on stores of one kind. Each throws `StoreUnusable` if it is impossible. */
interface Engine {
  /** Opens a store and brings its schema up to date. */
  open(options: OpenOptions & StoreOptions): Promise<Store>;
  /**
   * The changes to its schema that opening the store would make, in words: none when it is up to date, all when no
   * store exists yet. Changes nothing.
   */
  pending(options: Made): Promise<readonly string[]>;
  /** Begins to fill a new store, or one that is empty and not in use. */
  load(options: Made): Promise<Loading>;
  /** Examines the store and its machine. Changes nothing. */
  examine(options: Examined): Promise<readonly Finding[]>;
  /** Rewrites a store that is not served, so that no removed content is left in its files. Returns its place and sizes. */
  compact(): ReturnType<typeof compactSqlite>;
  /**
   * Copies a SQLite store before its schema changes, and returns the path of the copy. `undefined` if there is nothing
   * to copy, or the store is not a SQLite file.
   */
  copy(): string | undefined;
  /** Puts back such a copy if no store exists. Returns its place. */
  openCopy(copy: string): Promise<string>;
}

function sqlite(path: string): Engine {
  return {
    open: (options) => openSqlite({ ...options, path }),
    pending: async ({ shapes }) => pendingSqlite(path, shapes),
    load: ({ shapes }) => loadSqlite(path, shapes),
    async examine({ shapes }) {
      const { examineSqlite } = await import('./sqlite/whole/examine.ts');
      return examineSqlite(path, shapes);
    },
    compact: () => compactSqlite(path),
    copy: () => copySqlite(path, Date.now()),
    openCopy: async (copy) => `sqlite:${await restoreCopy(path, copy)}`,
  };
}

const postgres: Engine = {
  open: async (options) => (await driven()).openPostgres({ partitions: 0, ...options }),
  pending: async (options) => (await driven()).pendingPostgres({ partitions: 0, ...options }),
  load: async (options) => (await driven()).openLoading({ partitions: 0, ...options }),
  async examine(options) {
    const { examinePostgres } = await import('./postgres/whole/examine.ts');
    return examinePostgres({ partitions: 0, processes: 1, ...options });
  },
  async compact() {
    throw new StoreUnusable(
      'Only SQLite stores are compacted. PostgreSQL vacuums its tables by itself; to rewrite them at once, stop the service and run VACUUM FULL in the database.',
    );
  },
  copy: () => undefined,
  async openCopy(copy) {
    throw new StoreUnusable(
      `${copy} is a SQLite file. Restore it with --database-url sqlite:PATH, then write a backup of that store, and restore the backup into PostgreSQL.`,
    );
  },
};

export async function openStore(options: OpenOptions): Promise<Store> {
  return engineOf(options).open({ now: Date.now, historyDays: HISTORY_DAYS, ...options });
}

/** Opens the store for a command next to a process that may be serving it. Throws `StoreUnusable`. */
export function openStoreAlone(
  settings: StoreSettings,
  how: Pick<OpenOptions, 'create' | 'threads' | 'erasureKeys'>,
): Promise<Store> {
  return openStore({ ...whichStore(settings), ...how, serve: false });
}

export const pendingMigrations = async (made: Made) => engineOf(made).pending(made);
export const openLoading = async (made: Made) => engineOf(made).load(made);
export const examineStore = async (made: Examined) => engineOf(made).examine(made);
export const compactStore = async (which: Which) => engineOf(which).compact();
export const copyStore = (which: Which) => engineOf(which).copy();
export const openCopy = async (which: Which, copy: string) => engineOf(which).openCopy(copy);
export { isSqliteFile };

/** Loaded only when needed, since it loads a driver. */
const driven = () => import('./postgres/open.ts');

/** Throws `StoreUnusable` if the address is not that of a store. */
function engineOf({ url, distribution }: Which): Engine {
  const [, scheme, path] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(url) ?? [];
  if (scheme === 'postgres' || scheme === 'postgresql') return postgres;
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
  return sqlite(path);
}
