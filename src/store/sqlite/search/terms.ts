/** The search index in its file. */

import type { DatabaseSync } from 'node:sqlite';
import { BoundedMap } from '../../../core/bounded.ts';
import type { TermRange } from '../../../core/schema/search/searching.ts';
import {
  MAX_LOOKED_AT,
  MAX_NEAR,
  MAX_NEAR_EACH,
  MAX_TAKEN,
  type NearQuery,
  type SearchHits,
  type SearchQuery,
} from '../../promises/search.ts';
import type { Scope, Store } from '../../promises/store.ts';
import {
  type IndexedRecord,
  type IndexMark,
  type IndexStep,
  type TermTable,
  toIndexMark,
} from '../../terms.ts';
import { elementsOf, prepare, type Statement } from '../statements/prepare.ts';

/** Records to clear per step. */
const CLEARED_AT_ONCE = 500;
const MAX_HOMES = 10_000;
/** How long removed content may stay in the log of the file while there is always more to do. */
const FORGOTTEN_MS = 10_000;

type KnownRow = readonly [number: number, account: number, terms: string];

export class SqliteTerms implements TermTable {
  readonly #database: DatabaseSync;
  readonly #store: Pick<Store, 'accounts' | 'log'>;
  readonly #statements: ReturnType<typeof statementsOf>;
  /** Numbers of accounts that were looked up. */
  readonly #homes = new BoundedMap<string, number>(MAX_HOMES);
  #removed = false;
  #forgot = Number.NEGATIVE_INFINITY;

  constructor(database: DatabaseSync, store: Pick<Store, 'accounts' | 'log'>) {
    this.#database = database;
    this.#store = store;
    this.#statements = statementsOf(database);
  }

  async behind(): Promise<readonly (readonly [string, number])[]> {
    const accounts = (await this.#store.accounts.list()).map((one) => one.unique_identifier);
    const positions = await this.#store.log.positions(accounts);
    const marks = new Map(this.#statements.marks.all());
    const behind = [...positions].filter(([account, position]) => marks.get(account) !== position);
    // The file may belong to an earlier store at this path.
    for (const [account] of marks) if (!positions.has(account)) behind.push([account, 0]);
    if (behind.length === 0 || performance.now() - this.#forgot > FORGOTTEN_MS) this.#forget();
    return behind;
  }

  async mark(account: string): Promise<IndexMark | undefined> {
    return this.#mark(account);
  }

  #mark(account: string): IndexMark | undefined {
    const row = this.#statements.mark.get(account);
    return row && toIndexMark(row);
  }

  async step({ account, from, to, put, gone }: IndexStep): Promise<boolean> {
    return this.#write(() => {
      const is = this.#mark(account);
      if (JSON.stringify(is) !== JSON.stringify(from)) return false;
      const { position, place, token, building, terms } = to;
      this.#statements.setMark.run(account, position, place, token, building, terms);
      const owner = this.#homeOf(account);
      for (const one of put) this.#put(owner, one);
      for (const record of gone) this.#remove(this.#statements.find.get(owner, record));
      return true;
    });
  }

  async clear(account: string): Promise<boolean> {
    const rows = this.#statements.ofAccount.all(account, CLEARED_AT_ONCE);
    this.#write(() => {
      for (const row of rows) this.#remove(row);
    });
    return rows.length === CLEARED_AT_ONCE;
  }

  async forget(account: string): Promise<void> {
    this.#statements.forget.run(account);
  }

  has(account: string, records: readonly string[]): number {
    const owner = this.#statements.home.get(account)?.[0];
    if (owner === undefined) return 0;
    return records.filter((record) => this.#statements.find.get(owner, record) !== undefined)
      .length;
  }

  findNear({ scope, near }: NearQuery): readonly string[] {
    const found = new Set<string>();
    const below = anchorsIn(scope);
    for (const account of scope.accounts) {
      for (const { starts, holding } of near) {
        const [from, required] = [JSON.stringify(starts), JSON.stringify(holding)];
        const rows = this.#statements.near.all(
          account,
          from,
          below,
          required,
          MAX_NEAR_EACH,
          MAX_NEAR,
        );
        for (const [record] of rows) found.add(record);
      }
    }
    return [...found].sort().reverse();
  }

  find({ scope, ranges }: SearchQuery): SearchHits {
    const found = new Set<string>();
    let all = true;
    const below = anchorsIn(scope);
    for (const account of scope.accounts) {
      const looksThrough = (range: TermRange) => this.#look(account, range, below, found);
      for (const { whole, likely } of ranges) {
        if (whole.some(looksThrough)) continue;
        for (const range of likely) looksThrough(range);
        all = false;
      }
    }
    return { records: [...found].sort().reverse(), all };
  }

  /** Takes the records of a range, and returns whether it was read to its end. */
  #look(account: string, range: TermRange, below: string | null, found: Set<string>): boolean {
    const { from, to, holding } = range;
    const { search, isLong } = this.#statements;
    const required = JSON.stringify(holding);
    const rows = search.all(account, from, to, below, required, MAX_LOOKED_AT, MAX_TAKEN);
    for (const [record] of rows) found.add(record);
    return rows.length < MAX_TAKEN && isLong.get(account, from, to, MAX_LOOKED_AT) === undefined;
  }

  #put(account: number, { record, anchor, terms }: IndexedRecord): void {
    const { find, insert, setTerms, removeTerm, addTerm } = this.#statements;
    const text = JSON.stringify(terms);
    const known = find.get(account, record);
    if (known?.[2] === text) return;
    if (known === undefined && terms.length === 0) return;
    const home = anchor === null ? null : this.#homeOf(anchor);
    const number = known?.[0] ?? Number(insert.run(account, record, text).lastInsertRowid);
    if (known !== undefined) {
      this.#removed = true;
      const current = new Set(terms);
      for (const term of termsIn(known)) {
        if (!current.has(term)) removeTerm.run(account, term, number);
      }
      setTerms.run(text, number);
    }
    for (const term of terms) addTerm.run(account, term, number, home);
  }

  #remove(row: KnownRow | undefined): void {
    if (row === undefined) return;
    const [number, account] = row;
    for (const term of termsIn(row)) this.#statements.removeTerm.run(account, term, number);
    this.#statements.remove.run(number);
    this.#removed = true;
  }

  #homeOf(identifier: string): number {
    const known = this.#homes.get(identifier);
    if (known !== undefined) return known;
    const { home, addHome } = this.#statements;
    const number = home.get(identifier)?.[0] ?? Number(addHome.run(identifier).lastInsertRowid);
    this.#homes.set(identifier, number);
    return number;
  }

  #write<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // A number may have been given that is not stored.
      this.#homes.clear();
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Whether removed content may still be in the log of the file: the next look at what is behind takes it out. */
  get isForgetting(): boolean {
    return this.#removed;
  }

  /** Makes removed content leave the log of the file, too. */
  #forget(): void {
    if (!this.#removed) return;
    this.#removed = false;
    this.#forgot = performance.now();
    this.#statements.emptyLog.get();
  }
}

function anchorsIn({ anchors }: Scope): string | null {
  return anchors === undefined ? null : JSON.stringify([...anchors]);
}

function termsIn([, , terms]: KnownRow): readonly string[] {
  return JSON.parse(terms) as string[];
}

type Inserting = Omit<Statement, 'run'> & {
  run(...values: Parameters<Statement['run']>): { readonly lastInsertRowid: number | bigint };
};

function statementsOf(database: DatabaseSync) {
  const inserting = (sql: string): Inserting => prepare(database, sql) as unknown as Inserting;
  return {
    /** No position while it is being built. */
    marks: prepare<readonly [account: string, position: number | null]>(
      database,
      'SELECT account, iif(building IS NULL, position, NULL) FROM mark',
    ),
    emptyLog: prepare(database, 'PRAGMA wal_checkpoint(TRUNCATE)'),
    forget: prepare(database, 'DELETE FROM mark WHERE account = ?'),
    mark: prepare<readonly unknown[]>(
      database,
      'SELECT position, place, token, building, terms FROM mark WHERE account = ?',
    ),
    setMark: prepare(
      database,
      'INSERT OR REPLACE INTO mark (account, position, place, token, building, terms) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    home: prepare<readonly [number: number]>(
      database,
      'SELECT number FROM home WHERE identifier = ?',
    ),
    addHome: inserting('INSERT INTO home (identifier) VALUES (?)'),
    find: prepare<KnownRow>(
      database,
      'SELECT number, account, terms FROM record WHERE account = ? AND identifier = ?',
    ),
    insert: inserting('INSERT INTO record (account, identifier, terms) VALUES (?, ?, ?)'),
    setTerms: prepare(database, 'UPDATE record SET terms = ? WHERE number = ?'),
    remove: prepare(database, 'DELETE FROM record WHERE number = ?'),
    /** Takes account, term, record and anchor. */
    addTerm: prepare(
      database,
      'INSERT OR IGNORE INTO term (account, term, record, anchor) VALUES (?, ?, ?, ?)',
    ),
    removeTerm: prepare(database, 'DELETE FROM term WHERE account = ? AND term = ? AND record = ?'),
    ofAccount: prepare<KnownRow>(
      database,
      `SELECT number, account, terms FROM record
       WHERE account = (SELECT number FROM home WHERE identifier = ?) LIMIT ?`,
    ),
    /**
     * Takes account ?1, terms from ?2 to ?3, under anchors ?4 where these are given,
     * holding all of ?5; of ?6 terms no more than ?7.
     */
    search: prepare<readonly [record: string]>(
      database,
      `SELECT DISTINCT identifier FROM (
         SELECT record FROM (
           SELECT term, record, anchor FROM term
           WHERE account = (SELECT number FROM home WHERE identifier = ?1) AND term >= ?2 AND term < ?3
           ORDER BY term LIMIT ?6)
         WHERE (?4 IS NULL OR anchor IN (SELECT number FROM home WHERE identifier IN ${elementsOf('?4')}))
           AND NOT EXISTS (SELECT 1 FROM json_each(?5) WHERE instr(term, value) = 0)
         LIMIT ?7)
       JOIN record ON number = record`,
    ),
    /**
     * Takes account ?1, terms that begin with one of ?2, under anchors ?3 where these are given, holding all of ?4:
     * of each beginning no more than ?5 are looked at, and no more than ?6 records are taken.
     */
    near: prepare<readonly [record: string]>(
      database,
      `SELECT DISTINCT identifier FROM (
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
    ),
    /** Whether account ?1 has more than ?4 terms from ?2 to ?3. */
    isLong: prepare(
      database,
      `SELECT 1 FROM term
       WHERE account = (SELECT number FROM home WHERE identifier = ?1) AND term >= ?2 AND term < ?3
       LIMIT 1 OFFSET ?4`,
    ),
  };
}
