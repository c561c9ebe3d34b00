/** The books of erasures and of erased records, over the tables of a store. */

import { ownColumns } from '../../core/objects/own-object.ts';
import { erasure, type StoredErasure } from '../../core/objects/records/erasure.ts';
import { quoteName } from '../names.ts';
import type { ErasedRecord, ErasingBook, ErasureBook } from '../promises/erasing/book.ts';
import { inserted, newRow, rowReader, selected } from './rows/own-rows.ts';
import { type BookTables, statements } from './tables.ts';

const toErasure = rowReader(erasure);
const select = `SELECT ${selected(erasure)} FROM erasure`;
const renewed = ownColumns(erasure)
  .map(({ name }) => quoteName(name))
  .filter((name) => name !== '"by"')
  .map((name) => `${name} = excluded.${name}`);

export const erasureStatements = statements({
  put: `${inserted(erasure)} ON CONFLICT (unique_identifier) DO UPDATE SET ${renewed.join(', ')}`,
  find: `${select} WHERE unique_identifier = $1`,
  list: ({ among, limit, as }) => `${select} WHERE ${among('of_account', '$1')}
    AND unique_identifier < ${as('$2', 'text')} ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`,
  running: `${select} WHERE status = 'running' ORDER BY unique_identifier`,
  open: `SELECT count(*) FROM erasure WHERE of_account = $1 AND status IN ('ready', 'running')`,
});

export class Erasures implements ErasureBook {
  readonly #tables: BookTables;

  constructor(tables: BookTables) {
    this.#tables = tables;
  }

  async put(one: StoredErasure, by: string): Promise<void> {
    await this.#tables.change(erasureStatements.put, ...newRow(erasure, { ...one, by }));
  }

  async find(unique_identifier: string): Promise<StoredErasure | undefined> {
    const [row] = await this.#tables.rows<readonly unknown[]>(
      erasureStatements.find,
      unique_identifier,
    );
    return row && toErasure(row);
  }

  async list(
    accounts: readonly string[],
    before: string,
    limit: number,
  ): Promise<readonly StoredErasure[]> {
    const rows = await this.#tables.rows<readonly unknown[]>(
      erasureStatements.list,
      accounts,
      before,
      limit,
    );
    return rows.map(toErasure);
  }

  async running(): Promise<readonly StoredErasure[]> {
    const rows = await this.#tables.rows<readonly unknown[]>(erasureStatements.running);
    return rows.map(toErasure);
  }

  async open(account: string): Promise<number> {
    const [row] = await this.#tables.rows<readonly [number]>(erasureStatements.open, account);
    return row?.[0] ?? 0;
  }
}

const COLUMNS = 'account, record, resource, anchor, parent, erasure, erased_at';

export const erasedStatements = statements({
  /** Of records $1, in accounts $2. */
  find: ({ among }) =>
    `SELECT ${COLUMNS} FROM erased WHERE ${among('account', '$2')} AND ${among('record', '$1')}`,
  lift: 'DELETE FROM erased WHERE account = $1 AND record = $2',
  progress: `SELECT count(*), count(*) FILTER (WHERE unforgotten > 0) FROM erased WHERE erasure = $1`,
  keys: 'SELECT DISTINCT key FROM erased',
});

/** Erased records, as far as that needs no turn of their accounts. */
export class ErasedRows implements Pick<ErasingBook, 'find' | 'hasLostKeys' | 'lift' | 'progress'> {
  readonly #tables: BookTables;
  readonly #keys: readonly string[];

  /** `keys` are the names of those that the store was opened with. */
  constructor(tables: BookTables, keys: readonly string[]) {
    this.#tables = tables;
    this.#keys = keys;
  }

  async find(
    records: readonly string[],
    accounts: readonly string[],
  ): Promise<readonly ErasedRecord[]> {
    const rows = await this.#tables.rows<
      readonly [string, string, string, string | null, string, string, number]
    >(erasedStatements.find, records, accounts);
    return rows.map(([account, record, resource, anchor, parent, erasure, erased_at]) => ({
      ...{ account, record, resource, anchor, parent, erasure, erased_at },
    }));
  }

  async hasLostKeys(): Promise<boolean> {
    const rows = await this.#tables.rows<readonly [string]>(erasedStatements.keys);
    return rows.some(([key]) => !this.#keys.includes(key));
  }

  async lift(account: string, record: string): Promise<boolean> {
    return (await this.#tables.change(erasedStatements.lift, account, record)).count > 0;
  }

  async progress(erasure: string): Promise<{ readonly erased: number; readonly left: number }> {
    const [[erased, left] = [0, 0]] = await this.#tables.rows<readonly [number, number]>(
      erasedStatements.progress,
      erasure,
    );
    return { erased, left };
  }
}
