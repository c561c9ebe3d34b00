/** The book of follow-ups, over the tables of a store: what is to be done, whom nobody is to contact, how far the log was read. */
import { Book } from '../../store/books/book.ts';
import { inserted, newRow, renewed, rowReader, selected } from '../../store/books/rows/own-rows.ts';
import { among, beyond, is, list, says, when } from '../../store/books/sql/lists.ts';
import {
  type BookParts,
  type BookTables,
  type BookWrite,
  erasing,
  type FindSaid,
  statements,
} from '../../store/books/tables.ts';
import { parseDocument } from '../../store/records/records.ts';
import {
  doNotContact,
  type FollowUp,
  type FollowUpReader,
  followUp,
  followUpReader,
  type LeftOut,
} from './declares.ts';
import { createMarks } from './store/marks.ts';

const toFollowUp = rowReader(followUp);
const toReader = rowReader(followUpReader);
const FOUND = `SELECT ${selected(followUp)} FROM follow_up`;
const ORDER = 'due_at, unique_identifier';
const OPEN = says("state <> 'closed'");

export const sql = statements({
  find: `${FOUND} WHERE unique_identifier = $1`,
  ofRecords: ({ among }) => `${FOUND} WHERE of_account = $1 AND ${among('record', '$2')}
    ORDER BY unique_identifier`,
  open: `${inserted(followUp)} ON CONFLICT DO NOTHING`,
  put: renewed(followUp),
  /** Claims that have ended by time $1, and what was put off until then. */
  lapsed: ({ limit }) => `${FOUND} WHERE claim_ends_at <= $1
    UNION ALL ${FOUND} WHERE state = 'closed' AND next_at <= $1 AND gone_at IS NULL LIMIT ${limit('$2')}`,
  leave: ({ among }) => `UPDATE follow_up SET gone_at = $3, revision = revision + 1
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  comeBack: ({ among }) => `UPDATE follow_up SET gone_at = NULL, revision = revision + 1
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  gone: ({ limit }) => `SELECT of_account, resource, record FROM follow_up
    WHERE gone_at IS NOT NULL ORDER BY gone_at LIMIT ${limit('$1')}`,
  forget: erasing(
    ({ among }) => `DELETE FROM follow_up
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  ),
  forgetMarks: erasing(
    ({ among }) => `DELETE FROM do_not_contact
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  ),
  mark: `${inserted(doNotContact)} ON CONFLICT DO NOTHING`,
  lift: erasing('DELETE FROM do_not_contact WHERE of_account = $1 AND follow_up = $2'),
  marks: ({ among }) => `SELECT 1 FROM do_not_contact WHERE ${among('of_account', '$1')} LIMIT 1`,
  /** Finds the signs among $2 that say no: marks, and records. */
  stopped: ({ among }) => `SELECT of_account, mark FROM do_not_contact
    WHERE ${among('of_account', '$1')} AND ${among('mark', '$2')}`,
  readers: 'SELECT of_account, change, left_out FROM follow_up_reader',
  leftOut: ({ among }) =>
    `SELECT left_out FROM follow_up_reader WHERE ${among('of_account', '$1')}`,
  begin: `${inserted(followUpReader)} ON CONFLICT DO NOTHING`,
  read: `UPDATE follow_up_reader SET change = $2, left_out = $4
    WHERE of_account = $1 AND change = $3`,
});

/** Filters of a list; those that are left out find all. `state` may be `unfinished`, too. */
export interface FollowUpQuery
  extends Partial<Record<'state' | 'owner' | 'reason' | 'record', string | undefined>>,
    Partial<Record<'due_before' | 'opened_since', number | undefined>> {
  readonly accounts: readonly string[];
  readonly locations?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  /** The one after which the list goes on. */
  readonly after?: Pick<FollowUp, 'due_at' | 'unique_identifier'> | undefined;
  readonly limit: number;
}

export const book = (tables: BookTables, parts: BookParts) => new FollowUpBook(tables, parts);
export const said = ({ stopped }: FollowUpBook) => ({ do_not_contact: stopped });

export class FollowUpBook extends Book {
  /** The first due first; those of removed records are left out. */
  async list(query: FollowUpQuery): Promise<readonly FollowUp[]> {
    const { accounts, locations, resources, state, due_before, opened_since, after, limit } = query;
    const where = [
      among('of_account', accounts),
      says('gone_at IS NULL'),
      ...when(locations, (some) => among('anchor', some)),
      ...when(resources, (some) => among('resource', some)),
      ...when(state, (one) => (one === 'unfinished' ? OPEN : is('state', one))),
      ...(['owner', 'reason', 'record'] as const).flatMap((name) =>
        when(query[name], (one) => is(name, one)),
      ),
      ...when(due_before, (at) => is('due_at', at, '<')),
      ...when(opened_since, (at) => is('inserted_at', at, '>=')),
      ...when(after, (one) => beyond(ORDER, '>', [one.due_at, one.unique_identifier])),
    ];
    const listed = list(FOUND, where, { order: ORDER, limit });
    return this.all(toFollowUp, listed.statement, ...listed.values);
  }

  readonly find = (unique_identifier: string) =>
    this.first(toFollowUp, sql.find, unique_identifier);

  /** All of some records, the oldest first, also of removed ones. */
  readonly ofRecords = (account: string, records: readonly string[]) =>
    this.all(toFollowUp, sql.ofRecords, account, records);

  readonly newIdentifier = () => this.identify('fup_');
  readonly opening = (one: FollowUp): BookWrite => [sql.open, ...newRow(followUp, one)];

  /** Opens one, with what is sent of it, in one commit; `false` where its record has an open one. */
  readonly open = (one: FollowUp, notices: readonly BookWrite[]) =>
    this.wrote([this.opening(one), ...notices]);

  /** Changes one, with what else is written then, unless it was changed since it was read: `false`. */
  readonly put = (one: FollowUp, more: readonly BookWrite[]) =>
    this.wrote([[sql.put, ...newRow(followUp, one)], ...more]);

  /** Makes marks of whom a record is of; `undefined`: there is no key. */
  readonly marksOf = createMarks(this.keys);

  /** Nobody is to contact whom these marks are of, and its record: that follow-up says so. */
  marking(one: FollowUp, marks: readonly string[]): readonly BookWrite[] {
    const { account, record, unique_identifier: follow_up } = one;
    return [record, ...marks].map((mark) => [
      sql.mark,
      ...newRow(doNotContact, { account, mark, follow_up, record }),
    ]);
  }

  /** They may be contacted again, as far as that follow-up said no. */
  readonly lifting = (one: FollowUp): BookWrite => [sql.lift, one.account, one.unique_identifier];

  /** Finds claims that have ended, and what was put off until now. */
  readonly lapsed = (now: number, limit: number) => this.all(toFollowUp, sql.lapsed, now, limit);

  /** Finds records whose person nobody is to contact: by a mark, or by what was said of the record itself. */
  readonly stopped: FindSaid = async (shape, records) => {
    const accounts = [...new Set(records.map(({ account }) => account))];
    if ((await this.tables.rows(sql.marks, accounts)).length === 0) return new Set();
    const signed = records.map((one) => ({
      ...one,
      signs: [one.unique_identifier, ...(this.marksOf?.(shape, parseDocument(one.document)) ?? [])],
    }));
    const signs = signed.flatMap((one) => one.signs);
    const rows = await this.tables.rows<readonly string[]>(sql.stopped, accounts, signs);
    const found = new Set(rows.map((row) => row.join(' ')));
    const some = signed.filter(({ account, signs }) =>
      signs.some((sign) => found.has(`${account} ${sign}`)),
    );
    return new Set(some.map(({ unique_identifier }) => unique_identifier));
  };

  /** How far the log of each account was read that uses follow-ups. */
  readonly readers = () => this.all(toReader, sql.readers);

  /** How many records of these accounts opened none, by the reason. */
  readonly leftOut = (accounts: readonly string[]) =>
    this.all(([text]: readonly [string]) => JSON.parse(text) as LeftOut, sql.leftOut, accounts);

  /** Begins to read the log of an account. */
  readonly begin = (account: string) => this.did(sql.begin, account, '', '{}');

  /** Notes that the log was read, with what follows from it, in one commit; `false` where another process has read it. */
  read(before: FollowUpReader, { change, left_out }: FollowUpReader, writes: readonly BookWrite[]) {
    const values = [before.account, change, before.change, JSON.stringify(left_out)] as const;
    return this.wrote([[sql.read, ...values], ...writes]);
  }

  /** Hides the follow-ups of records that are removed at that time, until they come back. */
  readonly leaving = (account: string, records: readonly string[], at: number): BookWrite => [
    sql.leave,
    account,
    records,
    at,
  ];
  readonly comingBack = (account: string, records: readonly string[]): BookWrite => [
    sql.comeBack,
    account,
    records,
  ];

  /** Removes the follow-ups of erased records, and the marks of whom nobody was to contact. */
  forgetting(account: string, records: readonly string[]): readonly BookWrite[] {
    return [sql.forget, sql.forgetMarks].map((forget) => [forget, account, records] as const);
  }

  /** Some removed records that have follow-ups: those that were removed first. */
  readonly gone = (limit: number) =>
    this.tables.rows<readonly [account: string, resource: string, record: string]>(sql.gone, limit);

  async forget(account: string, record: string): Promise<void> {
    await this.tables.write(this.forgetting(account, [record]));
  }
}
