/** The book of expectations, over the tables of a store. */
import { EXPECTATION_STATES, expectation } from '../../../core/objects/requests/expectation.ts';
import type {
  Expectation,
  ExpectationQuery,
  ExpectationState,
  Standing,
  Watch,
} from '../../promises/requests.ts';
import { Book, inOrder } from '../book.ts';
import { inserted, newRow, rowReader, selected } from '../rows/own-rows.ts';
import { ofRows } from '../sql/lists.ts';
import { type BookWrite, statements } from '../tables.ts';

const FOUND = `SELECT ${selected(expectation)} FROM expectation`;
const SET = ['hours', 'every', 'silent_after', 'status', 'learned_days', 'kept_days'];
const excluded = (names: readonly string[]) =>
  names.map((name) => `${name} = excluded.${name}`).join(', ');

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
  states: "SELECT state, count(*) FROM expectation WHERE status <> 'off' GROUP BY state",
  watch: 'SELECT looked_at, learned_at, outages FROM expectation_watch',
  begin: `INSERT INTO expectation_watch (single, looked_at, learned_at, outages) VALUES (true, $1, $2, $3)
    ON CONFLICT (single) DO NOTHING`,
  look: `UPDATE expectation_watch SET looked_at = $1, learned_at = $2, outages = $3
    WHERE looked_at = $4 AND learned_at = $5`,
});

const toExpectation = rowReader(expectation);
const toWatch = ([looked_at, learned_at, outages]: readonly [number, number, string]): Watch => {
  return { looked_at, learned_at, outages: JSON.parse(outages) };
};

export class ExpectationBook extends Book {
  /** By unique identifier. */
  async list(query: ExpectationQuery): Promise<readonly Expectation[]> {
    const { source = null, state = null, status = null, accounts, locations } = query;
    const among = (some: readonly string[] | undefined) =>
      some === undefined ? ['', []] : ['some', some];
    const values = [source, state, status, ...among(accounts), ...among(locations)];
    return this.all(toExpectation, sql.list, ...values, query.after ?? '', query.limit);
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
    after: Standing & Pick<Expectation, 'refusal'>,
    notices: readonly BookWrite[],
  ): Promise<boolean> {
    const { state, since, silent_since, last_at, refused_at, refusal } = after;
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

  /** How many are in each state, without those that are off. */
  async states(): Promise<ReadonlyMap<ExpectationState, number>> {
    type Row = readonly [state: ExpectationState, count: number];
    const none = EXPECTATION_STATES.map((state): Row => [state, 0]);
    return new Map([...none, ...(await this.tables.rows<Row>(sql.states))]);
  }

  readonly watch = () => this.first(toWatch, sql.watch);

  /** Replaces the last look; `false`: another process has looked meanwhile. */
  async look(before: Watch | undefined, after: Watch): Promise<boolean> {
    const values = [after.looked_at, after.learned_at, JSON.stringify(after.outages)];
    return before === undefined
      ? this.did(sql.begin, ...values)
      : this.did(sql.look, ...values, before.looked_at, before.learned_at);
  }
}
