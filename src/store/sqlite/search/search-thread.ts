/**
 * The thread that updates the search index and queries it. It reads the store by its own connection, so that it needs
 * neither the serving thread nor the writer.
 */
import { closeSync, openSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { collectGarbage } from '../../../core/garbage.ts';
import { createIdentifiers } from '../../../core/schema/id.ts';
import { createFeeder } from '../../feeder.ts';
import type { NearQuery, ScanQuery, SearchQuery } from '../../promises/search.ts';
import { scan } from '../../scan.ts';
import { createContext } from '../context.ts';
import { createConnection, openDatabase } from '../file/connection.ts';
import { createFilePlaces } from '../file/file-places.ts';
import { sqliteStore } from '../store.ts';
import { performEach } from '../threads/performing.ts';
import { openIndex, removeIndex, searchFile, warm } from './file.ts';
import type { SearchData } from './searcher.ts';
import { createSqliteTerms } from './terms.ts';

/** Some milliseconds of work: searches wait for it. */
const SCANNED = { count: 2_000, bytes: 1_048_576 };
/** SQLite's words for an index that cannot be read. */
const BROKEN = new Set([11, 26]);

const { path, files, shapes, historyDays } = workerData as SearchData;
const connection = createConnection(openDatabase(path), {
  filePlaces: createFilePlaces(files),
  checkpoints: false,
  onRemoved: () => {},
});
const store = sqliteStore(
  path,
  createContext(connection, shapes, {
    now: Date.now,
    identify: createIdentifiers(Date.now),
    keepsContent: historyDays > 0,
  }),
  { historyDays },
  () => {},
);
// What the start has left behind.
setTimeout(collectGarbage, 1_000).unref();

let index: ReturnType<typeof open> | undefined;

function opened() {
  index ??= open();
  return index;
}

function open() {
  const database = openIndex(searchFile(path));
  const terms = createSqliteTerms(database, store);
  const file = openSync(searchFile(path), 'r');
  const closing = new AbortController();
  // Without it, the first searches wait for the disk.
  warm(file, closing.signal).catch(() => undefined);
  return {
    terms,
    feeder: createFeeder(store, shapes, terms),
    close(): void {
      closing.abort();
      database.close();
      // Closed last: with any of its files, a process gives up its locks on the database.
      closeSync(file);
    },
  };
}

/** A damaged index is rebuilt. */
function begin(error: unknown): void {
  const { errcode } = error as { errcode?: number };
  if (index === undefined || !BROKEN.has((errcode ?? 0) & 0xff)) return;
  index.close();
  index = undefined;
  removeIndex(searchFile(path));
}

performEach(
  {
    find: (query: SearchQuery) => opened().terms.find(query),
    findNear: (query: NearQuery) => opened().terms.findNear(query),
    has: (account: string, records: readonly string[]) => opened().terms.has(account, records),
    lag: (accounts?: readonly string[]) => opened().feeder.lag(accounts),
    scan: (query: ScanQuery) => scan(store, shapes, query, SCANNED),
    async feed() {
      const { terms, feeder } = opened();
      return (await feeder.feed()) || terms.isForgetting;
    },
    close() {
      index?.close();
      connection.database.close();
    },
  },
  begin,
);
