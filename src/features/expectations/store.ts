/** The book of expectations, over the tables of a store. */
import type { ObjectOf } from '../../core/objects/own-object.ts';
import type { Activity } from '../../core/objects/requests/activity.ts';
import { Book, inOrder } from '../../store/books/book.ts';
import { inserted, newRow, rowReader, selected } from '../../store/books/rows/own-rows.ts';
import { ofRows } from '../../store/books/sql/lists.ts';
import {
  type BookParts,
  type BookTables,
  type BookWrite,
  statements,
} from '../../store/books/tables.ts';
import { named } from '../../store/images.ts';
import { EXPECTATION_STATES, type Expectation, expectation, expectationWatch } from './declares.ts';

const FOUND = `SELECT ${selected(expectation)} FROM expectation`;
const SET = ['hours', 'every', 'silent_after', 'status', 'learned_days', 'kept_days'];
const excluded = (names: readonly string[]) =>
  names.map((name) => `${name} = excluded.${name}`).join(', ');

/** Keys, and files that were imported as a source of their own. */
const BY_KEY = "substr(key, 1, 4) IN ('key_', 'imp_')";
const WRITTEN = "outcome IN ('created', 'updated', 'unchanged', 'deleted')";
const REFUSED = "CASE WHEN outcome = 'refused' THEN 1 ELSE 0 END";

export const sql = statements({
  /** With source $1, state $2 and status $3, each NULL for any; of accounts $5 and locations $7, if $4 and $6 say so; after $8. */
  list: ({ among, as, limit }) => `${FOUND}
    WHERE (${as('$1', 'text')} IS NULL OR source = $1) AND (${as('$2', 'text')} IS NULL OR state = $2)
      AND (${as('$3', 'text')} IS NULL OR status = $3)
      AND (${as('$4', 'text')} = '' OR ${among('of_account', '$5')})
      AND (${as('$6', 'text')} = '' OR ${among('anchor', '$7')})
      AND unique_identifier > $8 ORDER BY unique_identifier LIMIT ${limit('$9')}`,
  find: `${FOUND} WHERE unique_identifier = $1`,
  put: `${inserted(expectation)} ON CONFLICT (of_account, source, anchor) DO UPDATE
    SET ${excluded([...SET, 'closed_days', 'updated_at'])}`,
  learn: `${inserted(expectation)} ON CONFLICT (of_account, source, anchor) DO UPDATE
    SET ${excluded(SET)} WHERE expectation.status = 'learned'`,
  remove: 'DELETE FROM expectation WHERE unique_identifier = $1',
  move: `UPDATE expectation SET state = $4, since = $5, silent_since = $6, last_at = $7, refused_at = $8, refusal = $9
    WHERE unique_identifier = $1 AND state = $2 AND since = $3`,
  note: ofRows(
    { name: 'text', last_at: 'bigint', refused_at: 'bigint' },
    'UPDATE expectation SET last_at = $2, refused_at = $3 WHERE unique_identifier = $1',
    `UPDATE expectation SET last_at = noted.last_at, refused_at = noted.refused_at FROM NOTED
      WHERE unique_identifier = noted.name`,
  ),
  states: `SELECT source, state, count(*) FROM expectation WHERE status <> 'off'
    GROUP BY source, state`,
  watch: `SELECT ${selected(expectationWatch)} FROM expectation_watch`,
  begin: `${inserted(expectationWatch)} ON CONFLICT (single) DO NOTHING`,
  look: `UPDATE expectation_watch SET looked_at = $1, learned_at = $2, outages = $3
    WHERE looked_at = $4 AND learned_at = $5`,
  lastSeen: `SELECT of_account, key, anchor, ${REFUSED}, max(last_at) FROM request_activity
    WHERE hour >= $1 AND ${BY_KEY} AND (${WRITTEN} OR outcome = 'refused')
    GROUP BY of_account, key, anchor, ${REFUSED}`,
  hoursSeen: `SELECT key, anchor, hour, max(last_at) FROM request_activity
    WHERE of_account = $1 AND hour >= $2 AND hour < $3 AND anchor <> '' AND ${BY_KEY} AND ${WRITTEN}
    GROUP BY key, anchor, hour`,
});

const toExpectation = rowReader(expectation);
const toWatch = rowReader(expectationWatch);
const SEEN = ['account', 'key', 'anchor', 'refused', 'last_at'] as const;
const toSeen = named<
  Pick<Activity, 'account' | 'key' | 'anchor' | 'last_at'> & { readonly refused: number }
>(...SEEN);
const HOUR = ['key', 'anchor', 'hour', 'last_at'] as const;
const toHour = named<Pick<Activity, (typeof HOUR)[number]>>(...HOUR);

export type Watch = Omit<ObjectOf<typeof expectationWatch.fields>, 'single'>;

export interface ExpectationQuery
  extends Partial<Record<'source' | 'state' | 'status', string | undefined>> {
  readonly accounts?: readonly string[] | undefined;
  readonly locations?: readonly string[] | undefined;
  /** The unique identifier after which the list goes on. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export const book = (tables: BookTables, parts: BookParts) => new ExpectationBook(tables, parts);

export class ExpectationBook extends Book {
  /** By unique identifier. */
  async list(query: ExpectationQuery): Promise<readonly Expectation[]> {
    const { source = null, state = null, status = null, accounts, locations } = query;
    const among = (some: readonly string[] | undefined) =>
      some === undefined ? ['', []] : ['some', some];
    const values = [source, state, status, ...among(accounts), ...among(locations)];
    return this.all(toExpectation, sql.list, ...values, query.after ?? '', query.limit);
  }

  /** All of these accounts, by unique identifier. */
  async *pages(limit: number, accounts?: readonly string[]) {
    for (let after: string | undefined; ; ) {
      const page = await this.list({ accounts, after, limit });
      yield page;
      if (page.length < limit) return;
      after = page.at(-1)?.unique_identifier;
    }
  }

  readonly find = (unique_identifier: string) =>
    this.first(toExpectation, sql.find, unique_identifier);

  /**
   * Sets what is expected of a source at a location. One that is there keeps its identifier and what was found out;
   * what was learned never replaces what a person has set.
   */
  async put(one: Omit<Expectation, 'unique_identifier'>): Promise<void> {
    const made = { ...one, unique_identifier: this.identify('exp_') };
    const statement = one.status === 'learned' ? sql.learn : sql.put;
    await this.tables.change(statement, ...newRow(expectation, made));
  }

  /** Returns whether it existed. */
  readonly remove = (unique_identifier: string) => this.did(sql.remove, unique_identifier);

  /**
   * Notes a new state, and what is to be sent of it, in one commit. Writes nothing and gives `false` where another
   * process has moved it first.
   */
  async move(
    { unique_identifier, ...before }: Expectation,
    { state, since, silent_since, last_at, refused_at, refusal }: Expectation,
    notices: readonly BookWrite[],
  ): Promise<boolean> {
    const standing = [state, since, silent_since, last_at, refused_at, refusal];
    const moved = [sql.move, unique_identifier, before.state, before.since, ...standing] as const;
    return this.wrote([moved, ...notices]);
  }

  /** Notes when something last came. */
  async note(seen: readonly Pick<Expectation, 'unique_identifier' | 'last_at' | 'refused_at'>[]) {
    const rows = inOrder(seen, (one) => one.unique_identifier).map((one) => {
      return [one.unique_identifier, one.last_at, one.refused_at];
    });
    if (rows.length > 0) await this.tables.write([{ statement: sql.note, rows }]);
  }

  /** How many of each source are in each state, the worst one first, without those that are off. */
  async states() {
    const rank = (state: string) => (EXPECTATION_STATES as readonly string[]).indexOf(state);
    type Row = readonly [source: string, state: string, count: number];
    const rows = await this.tables.rows<Row>(sql.states);
    return rows.toSorted(([, one], [, other]) => rank(other) - rank(one));
  }

  readonly watch = () => this.first(toWatch, sql.watch);

  /** Replaces the last look; `false`: another process has looked meanwhile. */
  async look(before: Watch | undefined, after: Watch): Promise<boolean> {
    const [single = true, ...values] = newRow(expectationWatch, { ...after, single: true });
    return before === undefined
      ? this.did(sql.begin, single, ...values)
      : this.did(sql.look, ...values, before.looked_at, before.learned_at);
  }

  /** When keys last wrote, and when they were last refused, in the hours from that one on; `''` is no location. */
  readonly lastSeen = (hour: number) => this.all(toSeen, sql.lastSeen, hour);

  /** In which hours from one on, before another, API keys have written at locations of the account. */
  readonly hoursSeen = (account: string, from: number, to: number) =>
    this.all(toHour, sql.hoursSeen, account, from, to);
}
