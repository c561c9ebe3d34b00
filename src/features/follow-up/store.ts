/** The book of follow-ups, over the tables of a store: what is to be done, and how far the log was read. */

import type { FollowerPlace } from '../../core/objects/records/follower.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { Contact } from '../../store/books/contacts.ts';
import { FollowerBook, followerSources } from '../../store/books/followers.ts';
import { inserted, newRow, renewed, rowReader, selected } from '../../store/books/rows/own-rows.ts';
import { notErased } from '../../store/books/sql/account-lock.ts';
import { among, beyond, is, list, says, when } from '../../store/books/sql/lists.ts';
import type { OwnWalk } from '../../store/books/sql/walks.ts';
import {
  type BookParts,
  type BookTables,
  type BookWrite,
  erasing,
  statements,
} from '../../store/books/tables.ts';
import { named } from '../../store/images.ts';
import {
  type FollowUp,
  type FollowUpCount,
  followUp,
  followUpReader,
  type Tick,
  tick,
} from './declares.ts';
import { contactsFrom, known, openWith } from './store/known.ts';

const toFollowUp = rowReader(followUp);
const toTick = rowReader(tick);
const TICKS = `SELECT ${selected(tick)} FROM tick`;
const toCount = named<FollowUpCount & { readonly resource: string }>(
  ...(['location', 'reason', 'resource', 'open', 'overdue'] as const),
);
const FOUND = `SELECT ${selected(followUp)} FROM follow_up`;
const toGlance = named<GlancedFollowUp>(
  ...(['unique_identifier', 'account', 'resource', 'record', 'state', 'owner', 'due_at'] as const),
);
const GLANCED =
  'SELECT unique_identifier, of_account, resource, record, state, owner, due_at FROM follow_up';
const ORDER = ['due_at', 'unique_identifier'];
const OPEN = says("state <> 'closed'");

export const sql = statements({
  find: `${FOUND} WHERE unique_identifier = $1`,
  ofRecords: ({ among }) => `${FOUND} WHERE of_account = $1 AND ${among('record', '$2')}
    ORDER BY unique_identifier`,
  /** Counts those of account $1 that are not closed, and of these those that were due before $2. */
  counts: `SELECT anchor, reason, resource, count(*), count(*) FILTER (WHERE due_at < $2)
    FROM follow_up WHERE of_account = $1 AND state <> 'closed' AND gone_at IS NULL
    GROUP BY anchor, reason, resource`,
  open: `${inserted(followUp)} ON CONFLICT DO NOTHING`,
  put: renewed(followUp),
  /** Claims that have ended by time $1, or end after $2 and not because of their due time, and what was put off until $1; but for accounts $4. */
  lapsed: ({
    among,
    limit,
  }) => `${FOUND} WHERE claim_ends_at <= $1 AND NOT ${among('of_account', '$4')}
    UNION ALL ${FOUND} WHERE claim_ends_at > $2 AND claim_ends_at > due_at
      AND NOT ${among('of_account', '$4')}
    UNION ALL ${FOUND} WHERE state = 'closed' AND next_at <= $1 AND gone_at IS NULL
      AND NOT ${among('of_account', '$4')} LIMIT ${limit('$3')}`,
  owners: ({ by }) => `SELECT DISTINCT of_account, owner FROM follow_up${by('follow_up_owner')}
    WHERE owner IS NOT NULL`,
  /** Where account $1 has something that $2 holds. */
  places: ({ by }) => `SELECT DISTINCT anchor, resource FROM follow_up${by('follow_up_owner')}
    WHERE of_account = $1 AND owner = $2 AND gone_at IS NULL`,
  held: ({ by, limit }) => `${FOUND}${by('follow_up_owner')} WHERE of_account = $1 AND owner = $2
    AND anchor = $3 AND resource = $4 AND gone_at IS NULL LIMIT ${limit('$5')}`,
  leave: ({ among }) => `UPDATE follow_up SET gone_at = $3, revision = revision + 1
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  comeBack: ({ among }) => `UPDATE follow_up SET gone_at = NULL, revision = revision + 1
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  gone: ({ among, limit }) => `SELECT of_account, resource, record FROM follow_up
    WHERE gone_at IS NOT NULL AND NOT ${among('of_account', '$2')}
    ORDER BY gone_at LIMIT ${limit('$1')}`,
  forget: erasing(
    ({ among }) => `DELETE FROM follow_up
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  ),
  stands: notErased,
  tick: `${TICKS} WHERE unique_identifier = $1`,
  ticksOf: `${TICKS} WHERE of_account = $1 ORDER BY unique_identifier`,
  unsaid: ({ among }) => `SELECT coalesce(sum(cards), 0) FROM tick
    WHERE ${among('of_account', '$1')} AND meaning IS NULL AND name IS NOT NULL`,
  note: `${inserted(tick)} ON CONFLICT (of_account, folded) DO UPDATE SET name = excluded.name,
    record = excluded.record, last_at = excluded.last_at, counted = excluded.counted, cards = tick.cards + 1
    WHERE excluded.counted >= tick.counted`,
  means: `UPDATE tick SET meaning = $3, said_by = $4, said_at = $5, walked = $6, walks_from = $7
    WHERE unique_identifier = $1 AND of_account = $2`,
  walks: ({ among, limit }) => `${TICKS} WHERE walked IS NOT NULL
    AND NOT ${among('of_account', '$2')} ORDER BY of_account, walks_from LIMIT ${limit('$1')}`,
  /** Goes on from card $3 to $4, unless another process has, or it means something else since $5. */
  walk: `UPDATE tick SET walked = $4
    WHERE unique_identifier = $1 AND of_account = $2 AND walked = $3 AND said_at = $5`,
  clear: erasing(
    ({ among }) => `UPDATE tick SET ${tick.leaves}
    WHERE of_account = $1 AND ${among('record', '$2')}`,
  ),
  ...followerSources(followUpReader),
});

/** Filters of a list; those that are left out find all. `state` may be `unfinished`, too. */
export interface FollowUpQuery
  extends Partial<Record<'state' | 'owner' | 'reason' | 'record', string | undefined>>,
    Partial<Record<'due_before' | 'opened_since', number | undefined>> {
  readonly accounts: readonly string[];
  readonly locations?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  /** The one after which the list goes on. */
  readonly after?: FollowUpPlace | undefined;
  /** The last one that is looked at. */
  readonly upTo?: FollowUpPlace | undefined;
  readonly limit: number;
}

type FollowUpSite = Pick<FollowUp, 'location' | 'resource'>;
type FollowUpPlace = Pick<FollowUp, 'due_at' | 'unique_identifier'>;

/** A follow-up as far as it is read to judge how it is seen, and to find its place in a list. */
export type GlancedFollowUp = FollowUpPlace &
  Pick<FollowUp, 'account' | 'resource' | 'record' | 'state' | 'owner'>;

export const book = (tables: BookTables, parts: BookParts) => new FollowUpBook(tables, parts);

/** The filters that an index has, before its order; the first one that is given leads. */
const LEADS = ['record', 'owner', 'state', 'reason'] as const;

const placeOf = ({ due_at, unique_identifier }: FollowUpPlace) => [due_at, unique_identifier];

/** The walk of a list along the follow-ups of an account. */
export function walkOf(query: FollowUpQuery, account: string): OwnWalk {
  const { locations, resources, due_before, opened_since, after, upTo, limit } = query;
  const conditionOf = (name: (typeof LEADS)[number]) =>
    when(query[name], (one) => (name === 'state' && one === 'unfinished' ? OPEN : is(name, one)));
  const [first, ...others] = LEADS.filter((name) => query[name] !== undefined);
  return {
    table: 'follow_up',
    order: ORDER,
    lead: [
      is('of_account', account),
      ...(first ? conditionOf(first) : []),
      ...when(due_before, (at) => is('due_at', at, '<')),
      ...when(upTo, (last) => beyond(ORDER.join(', '), '<=', placeOf(last))),
    ],
    rest: [
      says('gone_at IS NULL'),
      ...others.flatMap(conditionOf),
      ...when(locations, (some) => among('anchor', some)),
      ...when(resources, (some) => among('resource', some)),
      ...when(opened_since, (at) => is('inserted_at', at, '>=')),
    ],
    after: after && placeOf(after),
    limit,
  };
}

interface TickQuery extends Partial<Record<'meaning' | 'after', string | undefined>> {
  readonly accounts: readonly string[];
  readonly limit: number;
}

/** The walk of a list along the ticks of an account. */
const tickWalkOf = ({ meaning, after, limit }: TickQuery, account: string): OwnWalk => ({
  table: 'tick',
  order: ['unique_identifier'],
  lead: [is('of_account', account)],
  rest: [
    says('name IS NOT NULL'),
    ...when(meaning, (one) => (one === 'unsaid' ? says('meaning IS NULL') : is('meaning', one))),
  ],
  after: after === undefined ? undefined : [after],
  limit,
});

/** One that is not closed, with what the person of its record is known by. */
export interface OpenFollowUp extends Pick<FollowUp, 'location' | 'reason' | 'due_at' | 'record'> {
  readonly contacts: readonly Contact[];
}

export class FollowUpBook extends FollowerBook {
  constructor(tables: BookTables, parts: BookParts) {
    super(tables, parts, followUpReader, sql);
  }

  /** The first due first; those of removed records are left out. */
  readonly list = (query: FollowUpQuery) =>
    this.along(
      toFollowUp,
      FOUND,
      query.accounts.map((account) => walkOf(query, account)),
    );

  /** Lists them in the same order, of each no more than tells how it is seen. */
  readonly glances = (query: FollowUpQuery) =>
    this.along(
      toGlance,
      GLANCED,
      query.accounts.map((account) => walkOf(query, account)),
    );

  /** Some, the first due first. */
  async findAll(ids: readonly string[]): Promise<readonly FollowUp[]> {
    if (ids.length === 0) return [];
    const order = { order: ORDER.join(', '), limit: ids.length };
    const { statement, values } = list(FOUND, [among('unique_identifier', ids)], order);
    return this.all(toFollowUp, statement, ...values);
  }

  /** By what the persons of some records of an account are known; those that are gone are left out. */
  readonly contacts = (shape: RecordShape, account: string, records: readonly string[]) =>
    this.all(
      ([record, ...texts]: readonly [string, ...(string | null)[]]) => ({
        record,
        contacts: contactsFrom(shape, texts),
      }),
      known(shape),
      account,
      records,
    );

  /** How many of an account are not closed, by location, reason and resource, and how many of these were due before a time. */
  readonly counts = (account: string, before: number) =>
    this.all(toCount, sql.counts, account, before);

  /** Some of a resource in an account that are not closed, after a record. */
  readonly openWith = (shape: RecordShape, account: string, after: string, limit: number) =>
    this.all(
      (row: readonly (string | number | null)[]): OpenFollowUp => {
        const [location, reason, due_at, record, ...texts] = row;
        const contacts = contactsFrom(shape, texts);
        return { location, reason, due_at, record, contacts } as OpenFollowUp;
      },
      openWith(shape),
      account,
      shape.resource,
      after,
      limit,
    );

  readonly find = (unique_identifier: string) =>
    this.first(toFollowUp, sql.find, unique_identifier);

  /** All of some records, the oldest first, also of removed ones. */
  readonly ofRecords = (account: string, records: readonly string[]) =>
    this.all(toFollowUp, sql.ofRecords, account, records);

  readonly newIdentifier = () => this.identify('fup_');
  readonly opening = (one: FollowUp): BookWrite => [sql.open, ...newRow(followUp, one)];

  /**
   * Opens one, with what is sent of it, in one commit; `false` where its record has an open one, was erased, or one of `guards`
   * finds nothing.
   */
  open(one: FollowUp, notices: readonly BookWrite[], guards: readonly BookWrite[] = []) {
    const stands: BookWrite = [sql.stands, one.account, one.record];
    const leading = [...guards, stands, this.opening(one)];
    return this.wrote([...leading, ...notices], leading.length);
  }

  /** Changes one, with what else is written then, unless it was changed since it was read, or one of `guards` finds nothing: `false`. */
  put(one: FollowUp, more: readonly BookWrite[], guards: readonly BookWrite[] = []) {
    const leading: BookWrite[] = [...guards, [sql.put, ...newRow(followUp, one)]];
    return this.wrote([...leading, ...more], leading.length);
  }

  /** Finds claims that have ended, and what was put off until now, but for accounts that rest. */
  readonly lapsed = (
    now: number,
    claimed: number,
    limit: number,
    resting: readonly string[] = [],
  ) => this.all(toFollowUp, sql.lapsed, now, claimed, limit, resting);

  /** Who holds something, by account. */
  readonly owners = () =>
    this.all(named<Pick<FollowUp, 'account'> & { owner: string }>('account', 'owner'), sql.owners);

  /** Where somebody holds something in an account. */
  readonly placesOf = (account: string, owner: string) =>
    this.all(named<FollowUpSite>('location', 'resource'), sql.places, account, owner);

  /** Some of what they hold there. */
  readonly heldAt = (account: string, owner: string, site: FollowUpSite, limit: number) =>
    this.all(toFollowUp, sql.held, account, owner, site.location, site.resource, limit);

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

  /** Removes the follow-ups of erased records. */
  forgetting(account: string, records: readonly string[]): readonly BookWrite[] {
    return [
      [sql.forget, account, records],
      [sql.clear, account, records],
    ];
  }

  /** Some removed records that have follow-ups: those that were removed first, but for accounts that rest. */
  readonly gone = (limit: number, resting: readonly string[] = []) =>
    this.tables.rows<readonly [account: string, resource: string, record: string]>(
      sql.gone,
      limit,
      resting,
    );

  /** Ticks come after follow-ups, as in every commit: two that wait for each other would never end. */
  override read(
    before: FollowerPlace,
    to: FollowerPlace,
    writes: readonly BookWrite[],
  ): Promise<boolean> {
    const isNote = (one: BookWrite): boolean =>
      'statement' in one ? one.statement === sql.note : one[0] === sql.note;
    const rest = writes.filter((one) => !isNote(one));
    return super.read(before, to, [...rest, ...writes.filter(isNote)]);
  }

  /** By identifier; `meaning` may be `unsaid`, too. Those whose card was erased are left out. */
  readonly ticks = (query: TickQuery) =>
    this.along(
      toTick,
      TICKS,
      query.accounts.map((account) => tickWalkOf(query, account)),
    );

  readonly tick = (unique_identifier: string) => this.first(toTick, sql.tick, unique_identifier);

  /** All of an account. */
  readonly ticksOf = (account: string) => this.all(toTick, sql.ticksOf, account);

  /** How often cards of these accounts came with a tick of which nobody has said what it means. */
  readonly unsaid = (accounts: readonly string[]) => this.counted(sql.unsaid, accounts);

  /** A card has come with a tick; not again where the log is read again. */
  readonly noting = (
    one: Pick<Tick, 'account' | 'name' | 'folded' | 'record' | 'counted'>,
    at: number,
  ): BookWrite => [
    sql.note,
    ...newRow(tick, {
      ...{ ...tick.nulls, ...one, cards: 1, last_at: at, inserted_at: at },
      unique_identifier: this.identify('tck_'),
    }),
  ];

  /** Says what one means; what that says of earlier cards is to be done up to that commit. */
  readonly means = (
    { unique_identifier, account }: Tick,
    { meaning, by, at, position }: { meaning: string; by: string; at: number; position: number },
  ) => this.did(sql.means, unique_identifier, account, meaning, by, at, '', position);

  /** Some that earlier cards are to be walked for, of each account that was said first; but for accounts that rest. */
  readonly walks = (limit: number, resting: readonly string[] = []) =>
    this.all(toTick, sql.walks, limit, resting);

  /** Notes how far a walk is, with what was found; `null`: to the end. `false` where one of `guards` finds nothing, or another process was first. */
  walking(
    { unique_identifier, account, walked, said_at }: Tick,
    to: string | null,
    { guards, more }: Readonly<Record<'guards' | 'more', readonly BookWrite[]>>,
  ) {
    const step: BookWrite = [sql.walk, unique_identifier, account, walked, to, said_at];
    return this.wrote([...guards, step, ...more], guards.length + 1);
  }

  /** Finds nothing where a record was erased. */
  readonly standing = ({ account, record }: Pick<FollowUp, 'account' | 'record'>): BookWrite => [
    sql.stands,
    account,
    record,
  ];

  async forget(account: string, record: string): Promise<void> {
    await this.tables.write(this.forgetting(account, [record]));
  }
}
