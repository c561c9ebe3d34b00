/** The book of holds, over the tables of a store. */
import { Book } from '../../store/books/book.ts';
import { inserted, newRow, rowReader, selected } from '../../store/books/rows/own-rows.ts';
import { accountLock } from '../../store/books/sql/account-lock.ts';
import { is } from '../../store/books/sql/lists.ts';
import { type BookParts, type BookTables, erasing, statements } from '../../store/books/tables.ts';
import { ENDED_MS } from '../../store/promises/erasing/book.ts';
import { hold, type StoredHold } from './declares.ts';

const toHold = rowReader(hold);
const PURGED_AT_ONCE = 100;
const select = `SELECT ${selected(hold)} FROM hold`;

export const sql = statements({
  lock: accountLock(' AND closed_at IS NULL'),
  place: inserted(hold),
  find: `${select} WHERE unique_identifier = $1`,
  active: `${select} WHERE account = $1 AND released_at IS NULL ORDER BY unique_identifier`,
  count: 'SELECT count(*) FROM hold WHERE released_at IS NULL',
  release: `UPDATE hold SET released_at = $2, released_by = $3, released_because = $4
    WHERE unique_identifier = $1 AND released_at IS NULL`,
  due: 'SELECT 1 FROM hold WHERE released_at IS NULL AND until <= $1 LIMIT 1',
  lapse: 'UPDATE hold SET released_at = $1 WHERE released_at IS NULL AND until <= $1',
  ended: ({ limit }) =>
    `SELECT unique_identifier FROM hold WHERE released_at < $1 LIMIT ${limit('$2')}`,
  remove: erasing(({ among }) => `DELETE FROM hold WHERE ${among('unique_identifier', '$1')}`),
});

/** The keeping of the records of account $1: by which hold, on what, and what that belongs to. */
export const keeper = `SELECT unique_identifier, record, above, NULL, NULL FROM "hold"
  WHERE account = $1 AND released_at IS NULL`;

export const book = (tables: BookTables, parts: BookParts) => new HoldBook(tables, parts);

export class HoldBook extends Book {
  /**
   * Places a hold while its account is locked for other writers: what is removed or erased there afterwards sees it.
   * `false` if there is no such account, or it is closed. `above`: what the record belongs to, up to the account.
   */
  async place(one: StoredHold, above: readonly string[]): Promise<boolean> {
    return this.wrote([
      [sql.lock, one.account],
      [sql.place, ...newRow(hold, { ...one, above })],
    ]);
  }

  readonly find = (unique_identifier: string) => this.first(toHold, sql.find, unique_identifier);

  /** The newest first, before that one. */
  readonly list = (accounts: readonly string[], before: string, limit: number) =>
    this.along(
      toHold,
      select,
      accounts.map((account) => ({
        ...{ table: 'hold', order: ['unique_identifier'], descending: true, limit },
        lead: [is('account', account), is('unique_identifier', before, '<')],
        rest: [],
      })),
    );

  readonly active = (account: string) => this.all(toHold, sql.active, account);

  readonly count = () => this.counted(sql.count);

  /** Does nothing to one that was released. */
  readonly release = (
    unique_identifier: string,
    { at, by, because }: { at: number; by: string; because: string | null },
  ) => this.did(sql.release, unique_identifier, at, by, because);

  /** Releases those that were to last until then. */
  async lapse(now: number): Promise<void> {
    const due = await this.tables.rows<readonly [number]>(sql.due, now);
    if (due.length > 0) await this.tables.change(sql.lapse, now);
  }

  /** Removes some that were released two years before that; returns whether there may be more. */
  readonly purge = (now: number) =>
    this.purgedAmong(sql.ended, sql.remove, now - ENDED_MS, PURGED_AT_ONCE);
}
