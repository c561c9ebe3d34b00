/** The book of whom nobody is to contact, over the tables of a store. */
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { Book } from '../../store/books/book.ts';
import type { Contact, ContactRegister, ContactSigns } from '../../store/books/contacts.ts';
import {
  columnTypes,
  inserted,
  newRow,
  rowReader,
  selected,
} from '../../store/books/rows/own-rows.ts';
import { accountLock, notErased } from '../../store/books/sql/account-lock.ts';
import { is, namesOf, ofRows, says, when } from '../../store/books/sql/lists.ts';
import {
  type BookParts,
  type BookTables,
  type BookWrite,
  erasing,
  type FindSaid,
  statements,
} from '../../store/books/tables.ts';
import { ENDED_MS } from '../../store/promises/erasing/book.ts';
import { parseDocument } from '../../store/records/records.ts';
import { MARKABLE, type NoContact, noContact } from './declares.ts';
import { allows, entered, legacy, standing, unentered } from './store/finding.ts';
import {
  type LeftNo,
  type Legacy,
  type NoContactQuery,
  type SaidNo,
  unsaid,
} from './store/said.ts';
import { canonical, contactsIn, createMarks, kindOf } from './store/signs.ts';

const toEntry = rowReader(noContact);
const FOUND = `SELECT ${selected(noContact)} FROM no_contact`;
const AT_ONCE = 500;

const columns = columnTypes(noContact);
/** Who says it again says it anew: for longer, and of all channels where it is of others. */
const AGAIN = `ON CONFLICT (account, value, kind) WHERE lifted_at IS NULL DO UPDATE SET
  until = CASE WHEN no_contact.until > excluded.until THEN no_contact.until
    WHEN no_contact.until IS NULL THEN NULL ELSE excluded.until END,
  channels = CASE WHEN no_contact.channels = excluded.channels THEN no_contact.channels END,
  reason = coalesce(excluded.reason, no_contact.reason), source = excluded.source,
  record = coalesce(excluded.record, no_contact.record),
  record_version = coalesce(excluded.record_version, no_contact.record_version),
  follow_up = excluded.follow_up, said_by = excluded.said_by`;

export const sql = statements({
  lock: accountLock(' AND closed_at IS NULL'),
  wait: accountLock(),
  stands: notErased,
  add: ofRows(
    columns,
    `${inserted(noContact)} ${AGAIN}`,
    `INSERT INTO no_contact (${namesOf(columns)}) SELECT ${namesOf(columns)} FROM NOTED ${AGAIN}`,
  ),
  find: `${FOUND} WHERE unique_identifier = $1`,
  /** Entries of account $1 with one of values $2 or hashes $3 that stand at $4. */
  known: (dialect) => standing(dialect, selected(noContact), 'account = $1').join(' UNION ALL '),
  wasKnown: ({ among, by }) => `${FOUND}${by('no_contact_was')}
      WHERE account = $1 AND ${among('value', '$2')} AND lifted_at IS NOT NULL
    UNION ALL ${FOUND}${by('no_contact_was_hashed')}
      WHERE account = $1 AND ${among('mark', '$3')} AND value IS NULL AND lifted_at IS NOT NULL`,
  /** The signs among values $2 and hashes $3 that stand at $4 in one of accounts $1. */
  standing: (dialect) => {
    const [values, marks] = ['account, value', 'account, mark'].map((what) =>
      standing(dialect, what, dialect.among('account', '$1')),
    );
    return `${values?.[0]} UNION ALL ${marks?.[1]}`;
  },
  some: ({ among, by }) => `SELECT 1 FROM no_contact${by('no_contact_listed')}
    WHERE ${among('account', '$1')} AND lifted_at IS NULL LIMIT 1`,
  allows,
  saying: (dialect) => standing(dialect, 'follow_up', 'account = $1').join(' UNION ALL '),
  /** Lifts those among $2 of account $1. */
  lift: ({ among }) => `UPDATE no_contact SET lifted_at = $3, lifted_by = $4, lifted_because = $5
    WHERE account = $1 AND ${among('unique_identifier', '$2')} AND lifted_at IS NULL`,
  liftSaid: `UPDATE no_contact SET lifted_at = $3, lifted_by = $4, lifted_because = $5
    WHERE account = $1 AND follow_up = $2 AND lifted_at IS NULL`,
  forgetMarks: erasing('DELETE FROM do_not_contact WHERE of_account = $1 AND follow_up = $2'),
  due: 'SELECT 1 FROM no_contact WHERE lifted_at IS NULL AND until <= $1 LIMIT 1',
  lapse: 'UPDATE no_contact SET lifted_at = until WHERE lifted_at IS NULL AND until <= $1',
  ended: ({ limit }) =>
    `SELECT unique_identifier FROM no_contact WHERE lifted_at < $1 LIMIT ${limit('$2')}`,
  remove: erasing(
    ({ among }) => `DELETE FROM no_contact WHERE ${among('unique_identifier', '$1')}`,
  ),
  count: 'SELECT count(*) FROM no_contact WHERE lifted_at IS NULL',
  /** The names of keys that hashes need. */
  needed: `SELECT DISTINCT mark_key FROM no_contact
    WHERE lifted_at IS NULL AND value IS NULL AND mark_key IS NOT NULL`,
  /** Values that have no hash by key $1. */
  unmarked: ({ limit }) =>
    `${['IS NULL', '< $1', '> $1']
      .map((is) => `${FOUND} WHERE mark_key ${is} AND ${MARKABLE}`)
      .join(' UNION ALL ')} LIMIT ${limit('$2')}`,
  mark: ofRows(
    { account: 'text', unique_identifier: 'text', mark: 'text', mark_key: 'text' },
    `UPDATE no_contact SET mark = $3, mark_key = $4
      WHERE account = $1 AND unique_identifier = $2 AND value IS NOT NULL`,
    `UPDATE no_contact SET mark = noted.mark, mark_key = noted.mark_key FROM NOTED
      WHERE no_contact.account = noted.account AND no_contact.value IS NOT NULL
        AND no_contact.unique_identifier = noted.unique_identifier`,
  ),
  /** Some of account $1 that are known, after $2. */
  plain: ({ limit }) => `${FOUND} WHERE account = $1 AND unique_identifier > $2
    AND value IS NOT NULL AND kind IN ('phone', 'email')
    ORDER BY unique_identifier LIMIT ${limit('$3')}`,
  /** Keeps of those among $2 no more than a hash, where there is one. */
  hash: erasing(
    ({ among }) => `UPDATE no_contact SET value = NULL, record = NULL,
      record_version = NULL, reason = NULL, lifted_because = NULL
    WHERE account = $1 AND ${among('unique_identifier', '$2')} AND mark IS NOT NULL`,
  ),
  legacy,
  entered,
  isLegacy: (dialect) => `SELECT 1 WHERE ${unentered(dialect)}`,
  legacyMarks: `SELECT mark FROM do_not_contact WHERE of_account = $1 AND follow_up = $2 ORDER BY mark`,
});

export const book = (tables: BookTables, parts: BookParts) => new NoContactBook(tables, parts);
export const said = ({ said }: NoContactBook) => ({ do_not_contact: said });
export const register = (store: { readonly doNotContact: NoContactBook }): ContactRegister =>
  store.doNotContact;

export class NoContactBook extends Book implements ContactRegister {
  readonly #marks = createMarks(this.keys);

  readonly find = (unique_identifier: string) => this.first(toEntry, sql.find, unique_identifier);

  /** The newest first, before one. */
  readonly list = (queries: readonly NoContactQuery[]) =>
    this.along(
      toEntry,
      FOUND,
      queries.map(({ account, isLifted, kind, before, limit }) => ({
        ...{ table: 'no_contact', order: ['unique_identifier'], descending: true, limit },
        lead: [
          is('account', account),
          says(`lifted_at IS ${isLifted ? 'NOT ' : ''}NULL`),
          is('unique_identifier', before, '<'),
        ],
        rest: when(kind, (one) => is('kind', one)),
      })),
    );

  /** Finds entries that stand with one of these. */
  known(account: string, { values, marks }: ContactSigns) {
    return this.all(toEntry, sql.known, account, values, marks, this.now());
  }

  /** Finds entries with one of these: those that stand, or those that are lifted. */
  withSigns(account: string, signs: ContactSigns, isLifted: boolean) {
    const { values, marks } = signs;
    if (!isLifted) return this.known(account, signs);
    return this.all(toEntry, sql.wasKnown, account, values, marks);
  }

  readonly signsFor = (contacts: readonly Contact[]): ContactSigns => this.#marks.signsOf(contacts);

  readonly count = () => this.counted(sql.count);

  /** Enters some in one commit; `false` if there is no such account, or it is closed. An entry that stands already is updated. */
  add(account: string, said: readonly SaidNo[]): Promise<boolean> {
    return this.wrote([[sql.lock, account], this.#adding(said)]);
  }

  #adding(said: readonly SaidNo[]): BookWrite {
    const now = this.now();
    // One statement enters each value once; hashes are as many as they are.
    const ones = new Map(said.map((one, at) => [`${one.kind} ${one.value ?? at}`, one]));
    const rows = [...ones.values()].map((one) => {
      const as = one.kind === 'phone' ? 'digits' : 'email';
      const isHashed = one.value !== null && (one.kind === 'phone' || one.kind === 'email');
      return newRow(noContact, {
        ...noContact.nulls,
        ...(isHashed && this.#marks.newest(as, String(one.value))),
        ...{ unique_identifier: this.identify('dnc_'), inserted_at: now },
        ...one,
      });
    });
    return { statement: sql.add, rows };
  }

  /** Lifts one, what else says the same, and what was said of these records themselves. */
  async lift(
    { account, unique_identifier, value, kind }: NoContact,
    {
      at,
      by,
      because,
    }: { readonly at: number; readonly by: string; readonly because: string | null },
    records: readonly string[] = [],
  ): Promise<boolean> {
    const isRecord = value === null || kind === 'record';
    const as = kind === 'phone' ? 'digits' : 'email';
    const { values, marks } = this.signsFor(isRecord ? [] : [{ as, text: value }]);
    const same = await this.known(account, { values: [...values, ...records], marks });
    const ids = new Set([unique_identifier, ...same.map((one) => one.unique_identifier)]);
    const follow_ups = new Set(same.flatMap(({ follow_up }) => follow_up ?? []));
    return this.wrote([
      [sql.lift, account, [...ids], at, by, because],
      ...[...follow_ups].map((one): BookWrite => [sql.forgetMarks, account, one]),
    ]);
  }

  /** Lifts those that were to stand until now. */
  async lapse(): Promise<boolean> {
    const now = this.now();
    const due = await this.tables.rows<readonly [number]>(sql.due, now);
    if (due.length > 0) await this.tables.change(sql.lapse, now);
    return false;
  }

  /** Removes some that were lifted two years before that; returns whether there may be more. */
  readonly purge = (now: number) =>
    this.purgedAmong(sql.ended, sql.remove, now - ENDED_MS, AT_ONCE);

  readonly some = async (accounts: readonly string[]) =>
    (await this.tables.rows(sql.some, accounts)).length > 0;

  readonly said: FindSaid = async (shape, records) => {
    if (records.length === 0) return new Set();
    const accounts = [...new Set(records.map(({ account }) => account))];
    if (!(await this.some(accounts))) return new Set();
    return this.#saidOf(
      records.map(({ account, unique_identifier: record, document }) => ({
        ...{ account, record, contacts: contactsIn(shape, parseDocument(document)) },
      })),
    );
  };

  readonly saidOf: ContactRegister['saidOf'] = (account, ones) =>
    this.#saidOf(ones.map((one) => ({ account, ...one })));

  async #saidOf(
    ones: readonly {
      readonly account: string;
      readonly record: string;
      readonly contacts: readonly Contact[];
    }[],
  ): Promise<ReadonlySet<string>> {
    if (ones.length === 0) return new Set();
    const signed = ones.map(({ account, record, contacts }) => {
      const { values, marks } = this.#marks.signsOf(contacts, record);
      return { account, record, values, marks, signs: [...values, ...marks] };
    });
    const rows = await this.tables.rows<readonly string[]>(
      sql.standing,
      [...new Set(ones.map(({ account }) => account))],
      signed.flatMap(({ values }) => values),
      signed.flatMap(({ marks }) => marks),
      this.now(),
    );
    const found = new Set(rows.map((row) => row.join(' ')));
    const some = signed.filter(({ account, signs }) =>
      signs.some((sign) => found.has(`${account} ${sign}`)),
    );
    return new Set(some.map(({ record }) => record));
  }

  readonly signsOf: ContactRegister['signsOf'] = (shape, { unique_identifier, document }) =>
    this.#marks.signsOf(contactsIn(shape, parseDocument(document)), unique_identifier);

  readonly saying: ContactRegister['saying'] = (account, { values, marks }) =>
    this.column<string | null>(sql.saying, account, values, marks, this.now());

  readonly guarding: ContactRegister['guarding'] = (account, signs) => [
    [sql.wait, account],
    ...(signs ? [[sql.allows, account, signs.values, signs.marks, this.now()] as const] : []),
  ];

  readonly hear: ContactRegister['hear'] = async (shape, record, { known, by, channels }) => {
    const more = { said_by: by, source: 'record', channels } as const;
    const of = (document: string) => this.saidOfRecord(shape, { ...record, document }, more);
    const said = unsaid(of(record.document), known === null ? [] : of(known));
    const stands: BookWrite = [sql.stands, record.account, record.unique_identifier];
    const writes = [[sql.lock, record.account], stands, this.#adding(said)] as const;
    if (said.length > 0) await this.wrote(writes, 2);
  };

  readonly refusing: ContactRegister['refusing'] = (shape, record, { follow_up, by }) => [
    this.#adding(this.saidOfRecord(shape, record, { said_by: by, source: 'follow_up', follow_up })),
  ];

  /** Gives what is said of a record whose person nobody is to contact: of it, and of their numbers and addresses. */
  saidOfRecord(
    shape: RecordShape,
    {
      account,
      unique_identifier: record,
      document,
      version,
    }: Parameters<ContactRegister['refusing']>[1],
    more: Pick<NoContact, 'said_by' | 'source'> & Partial<NoContact>,
  ): readonly SaidNo[] {
    const of = { ...more, account, record, record_version: version };
    const known = this.entriesOf(shape, parseDocument(document), of);
    return [{ ...of, kind: 'record', value: record }, ...known];
  }

  /** Gives what is said of the numbers and addresses in a document. */
  readonly entriesOf = (
    shape: RecordShape,
    document: JsonObject,
    of: Omit<SaidNo, 'kind' | 'value'>,
  ): readonly SaidNo[] =>
    contactsIn(shape, document).flatMap((one) => {
      const value = canonical(one);
      return value === undefined ? [] : [{ ...of, kind: kindOf(one), value }];
    });

  readonly lifting: ContactRegister['lifting'] = (account, follow_up, { at, by, because }) => [
    [sql.liftSaid, account, follow_up, at, by, because],
    [sql.forgetMarks, account, follow_up],
  ];

  /** The names of keys that hashes need and that the store was opened without. */
  async lostKeys(): Promise<readonly string[]> {
    const needed = await this.column<string>(sql.needed);
    return needed.filter((name) => !this.#marks.names.includes(name));
  }

  /** Gives some values a hash by the newest key; returns whether there may be more. */
  async mark(): Promise<boolean> {
    const [newest] = this.#marks.names;
    if (newest === undefined) return false;
    const some = await this.all(toEntry, sql.unmarked, newest, AT_ONCE);
    const rows = some.map(({ account, unique_identifier, kind, value }) => {
      const made = this.#marks.newest(kind === 'phone' ? 'digits' : 'email', String(value));
      return [account, unique_identifier, made.mark, made.mark_key];
    });
    if (rows.length > 0) await this.tables.write([{ statement: sql.mark, rows }]);
    return rows.length === AT_ONCE;
  }

  /** Some entries of an account that have a value, in order, after one. */
  readonly plain = (account: string, after: string) =>
    this.all(toEntry, sql.plain, account, after, AT_ONCE);

  /** Keeps no more than a hash of these, and nothing that was said. */
  readonly hash = async (account: string, ids: readonly string[]) => {
    if (ids.length > 0) await this.tables.change(sql.hash, account, ids);
  };

  /** Reads what version 1.0 has of whom nobody is to contact, in lots. */
  async *legacy(): AsyncGenerator<readonly Legacy[]> {
    let lot: readonly (readonly [string, string, string, string])[];
    let after = ['', '', ''];
    do {
      lot = await this.tables.rows(sql.legacy, ...after, AT_ONCE);
      if (lot.length > 0)
        yield lot.map(([account, , follow_up, record]) => ({ account, follow_up, record }));
      after = lot.at(-1)?.slice(0, 3) ?? after;
    } while (lot.length === AT_ONCE);
  }

  /** Finds those among records of an account of which there are entries, also lifted ones. */
  entered(account: string, records: readonly string[]) {
    return this.column<string>(sql.entered, account, records);
  }

  /** The hashes that version 1.0 has kept of one, beside its record. */
  async legacyMarks(account: string, follow_up: string, record: string) {
    const all = await this.column<string>(sql.legacyMarks, account, follow_up);
    return all.filter((mark) => mark !== record);
  }

  /** Enters what version 1.0 has of some records of an account in one commit, unless another process enters one of them; gives how many hashes are left of which nothing says what they are of. */
  async adopt(account: string, all: readonly LeftNo[]): Promise<number> {
    const [mark_key = null] = this.#marks.names;
    const seen = new Set<string>();
    const unknown = all.flatMap(({ said: [record, ...known], marks }) => {
      const values = known.map(({ kind, value }): Contact => {
        return { as: kind === 'phone' ? 'digits' : 'email', text: String(value) };
      });
      const left = new Set(marks).difference(new Set(this.signsFor(values).marks));
      return [...left.difference(seen)].map((mark) => {
        seen.add(mark);
        return { ...record, kind: 'unknown', value: null, mark, mark_key } as const;
      });
    });
    const guards: BookWrite[] = [
      [sql.wait, account],
      ...all.map(
        ({ said: [{ follow_up = null }] }): BookWrite => [sql.isLegacy, account, follow_up],
      ),
    ];
    const entries = [...all.flatMap(({ said }) => said), ...unknown];
    if (await this.wrote([...guards, this.#adding(entries)], guards.length)) return unknown.length;
    // Another process has entered some of them.
    let left = 0;
    for (const one of all.length > 1 ? all : []) left += await this.adopt(account, [one]);
    return left;
  }
}
