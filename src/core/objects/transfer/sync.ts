/** A sync: everything that a source has of a resource at a place, sent again, so that what it left out can be removed. */

import { boolean, choice, text } from '../../schema/fields/index.ts';
import type { Cursor } from '../../schema/id.ts';
import { presentTime } from '../../schema/present/present.ts';
import { inThousands } from '../../schema/present/words.ts';
import type { JsonObject } from '../../schema/values.ts';
import {
  blankable,
  count,
  counts,
  identifier,
  instant,
  json,
  number,
  resourceName,
  time,
} from '../kinds.ts';
import {
  arrayOf,
  derived,
  field,
  given,
  local,
  nullable,
  type ObjectOf,
  ownObject,
  ownTable,
} from '../own-object.ts';

/** For how long a sync takes rows, and for how long its removals can be undone. */
export const SYNC_OPEN_MS = 86_400_000;
export const SYNC_UNDO_MS = 30 * 86_400_000;
/** The most records that a sync names, of those that it removes and of those that it leaves. */
export const SYNC_NAMED = 100;
/** The most records that a dry run looks at one by one, with what is below them. */
export const SYNC_CLOSELY = 50_000;

const named = {
  resource: field(resourceName(1), 'What kind of record it is'),
  record: field(text(), 'Its unique_identifier'),
};

const leftOne = {
  ...named,
  reason: field(
    choice(
      'changed_by_other',
      'children_of_other',
      'changed_since',
      'children_too_many',
      'pinned',
      'held',
      'refused',
      'newer',
      'replaced',
      'parent_gone',
      'erased',
      'past_retention',
      'not_restored',
    ),
    'Why it stays: another source, or a person, changed it last; others made or changed records below it; it was written after the sync began, without the sync; more than 5,000 records are below it; staff corrected something of it; a hold keeps it, or something below it; it cannot be removed now; or its source, or that of something below it, changed it after the data was taken (`as_of`). Or why it stays removed when the sync is undone: another record has its identifiers now; what it belonged to is gone; it was erased; it is too old by a retention rule; or its content is damaged',
  ),
};

const callersOwn = nullable(
  text(),
  'Its external_identifier; null: in lists of syncs, and where nothing is stored of the record any more',
);

/** The most doubts that an answer names. */
export const DOUBTS_NAMED = 100;
/** The most requests of a sync whose doubts are kept; what is beyond them is counted. */
export const DOUBTS_KEPT = 1_000;

const doubt = {
  request: field(text(), 'The request, by its Request-Id'),
  reason: field(
    choice('row', 'refused', 'cut', 'under_way'),
    'What happened: a row was refused and does not say which record it is; the whole request was refused; it broke off, or its end never came; or it has not ended, also because the service was killed meanwhile',
  ),
  row: nullable(count(), 'The line of the row, or its index in an array; null: unknown'),
  rows: field(count(), 'How many rows of the request had come'),
  status: nullable(count(), 'The status that it was answered with; null: none'),
  code: nullable(text(), 'The error code; null: none'),
  at: field(time(), 'When, in UTC'),
};

export type SyncDoubt = ObjectOf<typeof doubt>;

export type SyncRecord = ObjectOf<typeof named>;
export type SyncLeft = ObjectOf<typeof leftOne>;

/** How far the removals of a sync have come. All records of the source are looked at in an order that stays. */
export interface SyncProgress {
  /** The last one that was looked at. */
  readonly after: string | null;
  /** Records that are removed next. */
  readonly going: readonly SyncRemoval[];
  /** How far the undoing has come, instead of all that. */
  readonly undoing?: {
    /** Removals at positions below this one are looked at next. */
    readonly before: number;
    /** Removals that are being restored, and how many records they had removed when that began. */
    readonly removals: readonly Cursor[];
    readonly records: number;
    readonly more: boolean;
  };
}

export const SYNC_START: SyncProgress = { after: null, going: [] };

export interface SyncRemoval {
  readonly record: string;
  readonly version: number;
  /** How many records are below it, by resource. */
  readonly below: Readonly<Record<string, number>>;
}

const inside = { to: [] } as const;
const EXAMPLE = { resource: 'event', record: 'evt_0350hLTg4Qw7ghih1EWE8N' };

interface PrintedSync
  extends Readonly<
    Record<'source' | 'account', string> & Record<'source_name' | 'location', string | null>
  > {
  readonly removed: Readonly<Record<string, number>>;
}

export const sync = ownObject({
  name: 'sync',
  says: 'A sync: all records of a resource that a source has at a place, after which those that it left out are removed.',
  path: '/v1/syncs',
  printed: {
    columns: [
      'unique_identifier',
      ['BEGAN', 'inserted_at'],
      'status',
      ['SOURCE', ({ source, source_name: name }: PrintedSync) => name ?? source],
      'resource',
      ['PLACE', ({ location, account }: PrintedSync) => location ?? account],
      [
        'REMOVED',
        ({ removed }: PrintedSync) => Object.values(removed).reduce((sum, one) => sum + one, 0),
      ],
      ['LEFT', 'left_count'],
    ],
    none: 'There are no syncs in the last 90 days.',
  },
  table: 'sync',
  key: ['account', 'unique_identifier'],
  indexes: {
    marked: 'status, inserted_at WHERE marked = 1',
    idle: "inserted_at WHERE status IN ('open', 'replaced')",
    inserted: 'inserted_at',
    identifier: 'unique_identifier',
    location: 'account, location, unique_identifier',
    going: "unique_identifier WHERE status IN ('finishing', 'undoing')",
  },
  unique: { open: "account, location, resource, source WHERE status = 'open'" },
  goesWith: 'content',
  backup: 'syncs',
  ends: true,
  holds: 'Syncs of sources: what they removed, and what they left',
  goes: 'After 90 days, or when the account is wiped or removed',
  identifiers: 'records left began progress finished_by undone_by',
  nothing: 'removed',
  fields: {
    unique_identifier: field(identifier('syn_'), 'Identifier of the sync'),
    account: field(identifier('acct_'), 'The account'),
    location: nullable(blankable(identifier('loc_')), 'The location; null: the whole account', {
      example: 'loc_0350hLTg4Qw7ghih1EWE8N',
    }),
    resource: field(resourceName(1), 'What is sent', { example: 'event' }),
    source: field(count(1), 'The number of its source', inside),
    from: given(identifier('src_'), 'The source that sends', { as: 'source' }),
    at_most: field(number(), 'The greatest share of the records that it may remove, in percent', {
      example: 5,
    }),
    as_of: nullable(instant(), 'When its data was taken, in UTC; null: when it began', {
      example: '2026-11-20T01:00:00.000Z',
    }),
    stored_status: field(
      choice('open', 'finishing', 'finished', 'stopped', 'replaced', 'undoing', 'undone'),
      'Its status, without the clock',
      { ...inside, column: 'status' },
    ),
    status: derived(
      choice(
        'open',
        'expired',
        'finishing',
        'finished',
        'stopped',
        'replaced',
        'undoing',
        'undone',
      ),
      '`open` takes rows; `expired` after 24 hours; `finishing` while records are removed; `stopped` if the key or the person that finished it may not remove there any more: what went until then can be undone; `replaced` by another one of the same source, resource and place; `undoing` while what it removed is restored; `undone` after that',
      statusOf,
      { example: 'open' },
    ),
    seen: field(count(), 'How many rows it took; one that was sent twice counts twice', {
      example: 1840,
    }),
    repeated: field(
      count(),
      'How many of these named a record that an earlier one had named: rows that were sent again, or two rows with the same identifiers, of which the later one is refused if it differs',
      { example: 0 },
    ),
    /** 0: rows cannot be compared with what it saw, because it ended or was restored from a backup. */
    marked: local(count(), 'Whether the store has marks of what it saw', { initial: 0 }),
    removed: field(
      counts(),
      'How many records it removed, by resource; of a dry run, how many it would',
      { example: { event: 2, event_check_in_record: 31 } },
    ),
    counts_all: derived(
      boolean(),
      `Whether \`removed\` has all: false only of a dry run that would remove more than ${inThousands(SYNC_CLOSELY)} records, of which the others are counted without what is below them`,
      ({ counts_all = true }: { readonly counts_all?: boolean }) => counts_all,
      { example: true },
    ),
    records: field(
      arrayOf('A record.', { ...named, external_identifier: callersOwn }),
      `The first ${SYNC_NAMED} records that it removed, or would, without those below them`,
      { example: [{ ...EXAMPLE, external_identifier: 'service-1041' }] },
    ),
    left: field(
      arrayOf('A record that stays.', { ...leftOne, external_identifier: callersOwn }),
      `The first ${SYNC_NAMED} records of the source that were not sent, and stay; before them those that stay removed after the sync was undone`,
      { example: [{ ...EXAMPLE, reason: 'changed_by_other', external_identifier: 'service-977' }] },
    ),
    left_count: field(count(), 'How many of those there are', { example: 1 }),
    doubts: derived(
      arrayOf('Something that was sent and not taken.', doubt),
      `The first ${DOUBTS_NAMED} doubts: what was sent with it and not taken, so that nobody knows which records that was. Finishing is refused while there are any, unless it says despite; a finished sync has those that it was finished despite of. Empty in lists`,
      ({ doubts = [] }: { readonly doubts?: readonly SyncDoubt[] }) =>
        doubts.map((one) => ({ ...one, at: presentTime(one.at) })),
      {
        example: [
          {
            ...{ request: 'req_0350hLTg4Qw7gh00000001', reason: 'row', row: 57, rows: 500 },
            ...{ status: 200, code: 'parameter_missing', at: '2026-11-20T02:10:00Z' },
          },
        ],
      },
    ),
    doubts_count: derived(
      count(),
      'How many of those there are',
      ({ doubts_count = 0 }: { readonly doubts_count?: number }) => doubts_count,
      { example: 1 },
    ),
    refusal: derived(
      text(),
      'After a dry run: why finishing would be refused as things are, in words; null: it would not be',
      ({ refusal = null }: { readonly refusal?: string | null }) => refusal,
      { nullable: true, example: null },
    ),
    beyond: nullable(
      count(),
      'How many doubts it has beyond those that are kept; null: none',
      inside,
    ),
    restored: nullable(count(), 'How many records an undo restored so far; null: none'),
    /** The last change of the account before it began; `null`: there was none. */
    began: nullable(json<Cursor>(), 'Where its removals are in the log', inside),
    progress: nullable(json<SyncProgress>(), 'How far its removals have come', inside),
    /** Rises with each change but that of `seen`, so that of two processes one makes it. */
    step: field(count(), 'How often it was changed', inside),
    key: field(identifier('key_'), 'Who began it', inside),
    inserted_at: field(time(), 'When it began, in UTC', { example: '2026-11-20T02:00:00Z' }),
    expires_at: field(time(), 'When it expires unless it is finished, in UTC', {
      example: '2026-11-21T02:00:00Z',
    }),
    finished_at: nullable(time(), 'When it was finished, in UTC', {
      example: '2026-11-20T02:14:30Z',
    }),
    finished_by: nullable(text(), 'Who finished it', inside),
    undone_by: nullable(text(), 'Who undoes it', inside),
  },
});

/** The stored form: external identifiers of its records are looked up when it is shown. */
export type StoredSync = Omit<ObjectOf<typeof sync.fields>, 'records' | 'left'> & {
  readonly records: readonly SyncRecord[];
  readonly left: readonly SyncLeft[];
};

function statusOf({ stored_status, expires_at }: JsonObject, now: number) {
  return stored_status === 'open' && Number(expires_at) <= now ? 'expired' : String(stored_status);
}

export const syncSeen = ownTable({
  table: 'sync_seen',
  key: ['account', 'sync', 'mark'],
  goesWith: 'content',
  holds: 'Marks of what an open sync has seen: 72 bits of a hash of each identifier',
  goes: 'When the sync ends, after 48 hours at the latest',
  identifiers: 'mark',
  fields: {
    account: field(identifier('acct_'), 'The account'),
    sync: field(identifier('syn_'), 'The sync'),
    mark: field(text(), 'Of the identifiers of the record'),
    content: nullable(
      count(),
      'A checksum of the first row that names it, and a number of its request; null: none was valid',
    ),
  },
});

export const syncDoubt = ownTable({
  table: 'sync_doubt',
  key: ['account', 'sync', 'request'],
  indexes: { noted: 'at' },
  goesWith: 'content',
  holds:
    'Requests of syncs of which something was not taken: codes and the numbers of rows, and nothing of what was sent',
  goes: 'When the same is sent again and taken, after 90 days, or when the account is wiped or removed',
  nothing: 'request name code lines',
  fields: {
    account: field(identifier('acct_'), 'The account'),
    sync: field(identifier('syn_'), 'The sync'),
    request: field(text(), 'The request, by its Request-Id'),
    name: field(text(), 'A hash of the name that its caller gave it; empty: none'),
    at: field(time(), 'When'),
    reason: field(
      choice('taken', 'refused', 'cut', 'under_way'),
      'What became of it; `taken`: all of it but the rows that name no record',
    ),
    status: nullable(count(), 'The status of its answer'),
    code: nullable(text(), 'The error code'),
    rows: field(count(), 'How many of its rows had come'),
    unnamed: field(count(), 'How many of them were refused and name no record'),
    lines: field(json<readonly DoubtedRow[]>(), 'The first of those: their numbers and codes'),
  },
});

export interface DoubtedRow {
  readonly row: number | null;
  readonly code: string;
}

export type DoubtedRequest = ObjectOf<typeof syncDoubt.fields>;

export const firstSync = ownTable({
  table: 'first_sync',
  key: ['account', 'location', 'resource', 'source'],
  goesWith: 'content',
  backup: 'first_syncs',
  holds: 'When a source had first sent all that it has of a resource at a place',
  goes: 'When the account is wiped or removed',
  fields: {
    account: field(identifier('acct_'), 'The account'),
    location: nullable(blankable(identifier('loc_')), 'The location; null: the whole account'),
    resource: field(resourceName(1), 'What was sent'),
    source: field(count(1), 'The number of the source'),
    finished_at: field(time(), 'When its first sync there was finished'),
  },
});
