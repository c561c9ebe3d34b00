/**
 * The thread that updates the search index and queries it. It reads the store by its own connection, so that it needs
 * neither the serving thread nor the writer.
 */
import { closeSync, existsSync, fstatSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { BoundedMap } from '../../../core/bounded.ts';
import { noting } from '../../../core/each-account.ts';
import { collectGarbage } from '../../../core/garbage.ts';
import { CUT, endOf, type TermRange } from '../../../core/schema/search/searching.ts';
import {
  createFeeder,
  type IndexedRecord,
  type IndexPosition,
  type IndexStep,
  type TermTable,
  toIndexPosition,
} from '../../feeder.ts';
import {
  MAX_LOOKED_AT,
  MAX_NEAR,
  MAX_NEAR_EACH,
  MAX_TAKEN,
  type NearQuery,
  type ScanQuery,
  type SearchHits,
  type SearchQuery,
} from '../../promises/search.ts';
import { type Scope, type Store, StoreUnavailable } from '../../promises/store.ts';
import { scan } from '../../scan.ts';
import { createContext } from '../context.ts';
import { createConnection, openDatabase } from '../file/connection.ts';
import { BUSY, resultCode } from '../file/failure.ts';
import { createFilePlaces } from '../file/file-places.ts';
import { elementsOf, preparing } from '../statements/prepare.ts';
import { sqliteStore } from '../store.ts';
import { performEach } from '../threads/performing.ts';
import { openIndex, removeIndex, searchFile, warm } from './file.ts';
import type { SearchData } from './searcher.ts';

const CLEARED_AT_ONCE = 500;
const MAX_HOMES = 10_000;
/** How long removed content may stay in the log of the file while there is always more to do. */
const FORGOTTEN_MS = 10_000;

type KnownRow = readonly [number: number, account: number, terms: string];

function createSqliteTerms(database: DatabaseSync, store: Pick<Store, 'accounts' | 'log'>) {
  const homes = new BoundedMap<string, number>(MAX_HOMES);
  let removed = false;
  let forgot = Number.NEGATIVE_INFINITY;
  const statements = statementsOf(database);

  function positionOf(account: string): IndexPosition | undefined {
    const row = statements.mark.get(account);
    return row && toIndexPosition(row);
  }

  /** Takes the records of a range, and returns whether it was read to its end. */
  function look(account: string, range: TermRange, below: string | null, found: Set<string>) {
    const { from, to, holding } = range;
    const { search, isLong } = statements;
    const required = JSON.stringify(holding);
    const rows = search.all(account, from, to, below, required, MAX_LOOKED_AT, MAX_TAKEN);
    for (const [record] of rows) found.add(record);
    return rows.length < MAX_TAKEN && isLong.get(account, from, to, MAX_LOOKED_AT) === undefined;
  }

  function putRecord(account: number, { record, anchor, terms }: IndexedRecord): void {
    const { find, insert, setTerms, removeTerm, addTerm } = statements;
    const text = JSON.stringify(terms);
    const known = find.get(account, record);
    if (known?.[2] === text) return;
    if (known === undefined && terms.length === 0) return;
    const home = anchor === null ? null : homeOf(anchor);
    const number = known?.[0] ?? Number(insert.run(account, record, text).lastInsertRowid);
    if (known !== undefined) {
      removed = true;
      const current = new Set(terms);
      for (const term of termsIn(known)) {
        if (!current.has(term)) removeTerm.run(account, term, number);
      }
      setTerms.run(text, number);
    }
    for (const term of terms) addTerm.run(account, term, number, home);
  }

  function remove(row: KnownRow | undefined): void {
    if (row === undefined) return;
    const [number, account] = row;
    for (const term of termsIn(row)) statements.removeTerm.run(account, term, number);
    statements.remove.run(number);
    removed = true;
  }

  function homeOf(identifier: string): number {
    const { home, addHome } = statements;
    return homes.getOrInsertComputed(identifier, () => {
      return home.get(identifier)?.[0] ?? Number(addHome.run(identifier).lastInsertRowid);
    });
  }

  function write<Result>(work: () => Result): Result {
    try {
      database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      // Another process is at the index: that is no error of an account, which would rest for it.
      if (resultCode(error) === BUSY) throw new StoreUnavailable('The index of search is in use.');
      throw error;
    }
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // A number may have been given that is not stored.
      homes.clear();
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Makes removed content leave the log of the file, too. */
  function forget(): void {
    if (!removed) return;
    removed = false;
    forgot = performance.now();
    statements.emptyLog.get();
  }

  return {
    /** Whether removed content may still be in the log of the file: the next look at what is behind takes it out. */
    get isForgetting() {
      return removed;
    },
    async behind(all: boolean): ReturnType<TermTable['behind']> {
      const accounts = (await store.accounts.list()).map((one) => one.unique_identifier);
      const positions = await store.log.positions(accounts);
      const marks = new Map(statements.marks.all());
      const behind = [...positions].filter(
        ([account, position]) => all || marks.get(account) !== position,
      );
      // The file may belong to an earlier store at this path.
      for (const [account] of marks) if (!positions.has(account)) behind.push([account, 0]);
      if (behind.length === 0 || performance.now() - forgot > FORGOTTEN_MS) forget();
      return behind;
    },
    position: async (account: string) => positionOf(account),
    async step({ account, from, to, put, gone }: IndexStep) {
      return write(() => {
        const is = positionOf(account);
        if (JSON.stringify(is) !== JSON.stringify(from)) return false;
        const { position, place, token, building, terms } = to;
        statements.setMark.run(account, position, place, token, building, terms);
        const owner = homeOf(account);
        for (const one of put) putRecord(owner, one);
        for (const record of gone) remove(statements.find.get(owner, record));
        return true;
      });
    },
    async clear(account: string) {
      const rows = statements.ofAccount.all(account, CLEARED_AT_ONCE);
      write(() => {
        for (const row of rows) remove(row);
      });
      return rows.length === CLEARED_AT_ONCE;
    },
    async forget(account: string) {
      write(() => statements.forget.run(account));
    },
    has(account: string, records: readonly string[]) {
      const owner = statements.home.get(account)?.[0];
      if (owner === undefined) return 0;
      return records.filter((record) => statements.find.get(owner, record) !== undefined).length;
    },
    cut: () => statements.cut.get(CUT, endOf(CUT))?.[0] ?? 0,
    findNear({ scope, near }: NearQuery): readonly string[] {
      const found = new Set<string>();
      const below = anchorsIn(scope);
      for (const account of scope.accounts) {
        for (const { starts, holding } of near) {
          const [from, required] = [JSON.stringify(starts), JSON.stringify(holding)];
          const rows = statements.near.all(account, from, below, required, MAX_NEAR_EACH, MAX_NEAR);
          for (const [record] of rows) found.add(record);
        }
      }
      return [...found].sort().reverse();
    },
    find({ scope, ranges }: SearchQuery): SearchHits {
      const found = new Set<string>();
      let all = true;
      const below = anchorsIn(scope);
      for (const account of scope.accounts) {
        const looksThrough = (range: TermRange) => look(account, range, below, found);
        for (const { whole, likely } of ranges) {
          if (whole.some(looksThrough)) continue;
          for (const range of likely) looksThrough(range);
          all = false;
        }
      }
      return { records: [...found].sort().reverse(), all };
    },
  };
}

function anchorsIn({ anchors }: Scope): string | null {
  return anchors === undefined ? null : JSON.stringify([...anchors]);
}

function termsIn([, , terms]: KnownRow): readonly string[] {
  return JSON.parse(terms) as string[];
}

function statementsOf(database: DatabaseSync) {
  const sql = preparing(database);
  return {
    /** No position while it is being built. */
    marks: sql<readonly [account: string, position: number | null]>`SELECT account,
      iif(building IS NULL, position, NULL) FROM mark`,
    emptyLog: sql`PRAGMA wal_checkpoint(TRUNCATE)`,
    forget: sql`DELETE FROM mark WHERE account = ?`,
    mark: sql<readonly unknown[]>`SELECT position, place, token, building, terms FROM mark
      WHERE account = ?`,
    setMark: sql`INSERT OR REPLACE INTO mark (account, position, place, token, building, terms)
      VALUES (?, ?, ?, ?, ?, ?)`,
    home: sql<readonly [number: number]>`SELECT number FROM home WHERE identifier = ?`,
    addHome: sql`INSERT INTO home (identifier) VALUES (?)`,
    find: sql<KnownRow>`SELECT number, account, terms FROM record WHERE account = ?
      AND identifier = ?`,
    insert: sql`INSERT INTO record (account, identifier, terms) VALUES (?, ?, ?)`,
    setTerms: sql`UPDATE record SET terms = ? WHERE number = ?`,
    remove: sql`DELETE FROM record WHERE number = ?`,
    addTerm: sql`INSERT OR IGNORE INTO term (account, term, record, anchor) VALUES (?, ?, ?, ?)`,
    removeTerm: sql`DELETE FROM term WHERE account = ? AND term = ? AND record = ?`,
    ofAccount: sql<KnownRow>`SELECT number, account, terms FROM record
      WHERE account = (SELECT number FROM home WHERE identifier = ?) LIMIT ?`,
    /**
     * Takes account ?1, terms from ?2 to ?3, under anchors ?4 where these are given,
     * holding all of ?5; of ?6 terms no more than ?7.
     */
    search: sql<readonly [record: string]>`SELECT DISTINCT identifier FROM (
        SELECT record FROM (
          SELECT term, record, anchor FROM term
          WHERE account = (SELECT number FROM home WHERE identifier = ?1) AND term >= ?2 AND term < ?3
          ORDER BY term LIMIT ?6)
        WHERE (?4 IS NULL OR anchor IN (SELECT number FROM home WHERE identifier IN ${elementsOf('?4')}))
          AND NOT EXISTS (SELECT 1 FROM json_each(?5) WHERE instr(term, value) = 0)
        LIMIT ?7)
      JOIN record ON number = record`,
    /**
     * Takes account ?1, terms that begin with one of ?2, under anchors ?3 where these are given, holding all of ?4:
     * of each beginning no more than ?5 are looked at, and no more than ?6 records are taken.
     */
    near: sql<readonly [record: string]>`SELECT DISTINCT identifier FROM (
        SELECT each.value AS number FROM (
          SELECT (
            SELECT json_group_array(record) FROM (
              SELECT term, record, anchor FROM term
              WHERE account = home.number AND term >= start.value AND term < start.value || char(1114111)
              ORDER BY term LIMIT ?5)
            WHERE (?3 IS NULL OR anchor IN (SELECT number FROM home WHERE identifier IN ${elementsOf('?3')}))
              AND NOT EXISTS (SELECT 1 FROM json_each(?4) WHERE instr(term, value) = 0)) AS records
          FROM home CROSS JOIN json_each(?2) AS start WHERE home.identifier = ?1) AS found
        CROSS JOIN json_each(found.records) AS each LIMIT ?6) AS taken
      CROSS JOIN record ON record.number = taken.number`,
    /** How many terms from ?1 to ?2 there are in all accounts. */
    cut: sql<readonly [count: number]>`SELECT sum((SELECT count(*) FROM term
      WHERE account = home.number AND term >= ?1 AND term < ?2))
      FROM mark JOIN home ON identifier = mark.account`,
    /** Whether account ?1 has more than ?4 terms from ?2 to ?3. */
    isLong: sql`SELECT 1 FROM term
      WHERE account = (SELECT number FROM home WHERE identifier = ?1) AND term >= ?2 AND term < ?3
      LIMIT 1 OFFSET ?4`,
  };
}

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
  createContext(connection, shapes, { now: Date.now, machine: Date.now, historyDays }),
  {
    historyDays,
  },
);
// What the start has left behind.
setTimeout(collectGarbage, 1_000).unref();

let index: ReturnType<typeof open> | undefined;

/** The index at its path: another process, or a person, may have removed the file that was there. */
function opened() {
  if (index !== undefined && !index.isThere()) {
    index.close();
    index = undefined;
  }
  index ??= open();
  return index;
}

function open() {
  const database = openIndex(searchFile(path));
  const terms = createSqliteTerms(database, store);
  const file = openSync(searchFile(path), 'r');
  const { ino } = fstatSync(file);
  const closing = new AbortController();
  // Without it, the first searches wait for the disk.
  warm(file, closing.signal).catch(() => undefined);
  return {
    terms,
    feeder: createFeeder(store, shapes, terms),
    isThere: () => statSync(searchFile(path), { throwIfNoEntry: false })?.ino === ino,
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
    // Asking makes no index where there is none yet.
    cut: () => (existsSync(searchFile(path)) ? opened().terms.cut() : 0),
    scan: (query: ScanQuery) => scan(store, shapes, query, SCANNED),
    async feed() {
      const { terms, feeder } = opened();
      const piece = await noting((watch) => feeder.feed(watch))();
      return { ...piece, more: piece.more || terms.isForgetting, rests: feeder.rests };
    },
    close() {
      index?.close();
      connection.database.close();
    },
  },
  begin,
);
