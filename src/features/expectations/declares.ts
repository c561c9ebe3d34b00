/** An expectation: how often records come from a source at a location, and whether they do. */
import { count, flag, identifier, json, openChoice, time } from '../../core/objects/kinds.ts';
import {
  derived,
  field,
  nullable,
  type ObjectOf,
  ownObject,
  ownTable,
  type StateNotifications,
} from '../../core/objects/own-object.ts';
import { choice, text } from '../../core/schema/fields/index.ts';

/** From the best to the worst; a source that is only refused is not silent. */
export const EXPECTATION_STATES = ['new', 'on_time', 'back', 'late', 'failing', 'silent'] as const;

export const EVERY = ['hour', 'day'] as const;

const EXAMPLE_TIME = '2026-11-20T14:30:00Z';
const settable = true;

type ShownExpectation = Readonly<
  Record<'unique_identifier' | 'status' | 'state' | 'source' | 'hours' | 'every', string> &
    Record<'last_at' | 'source_name', string | null>
>;

export const expectation = ownObject({
  name: 'expectation',
  says: 'How often records are expected from a source at a location, and whether they arrive.',
  path: '/v1/expectations',
  table: 'expectation',
  unique: { of: 'of_account, source, anchor' },
  goesWith: 'content',
  backup: 'expectations',
  holds: 'What is expected of sources at locations, and whether it comes',
  nothing: 'hours closed_days refusal',
  removable: true,
  printed: {
    columns: [
      'unique_identifier',
      ['STATE', ({ status, state }: ShownExpectation) => (status === 'off' ? '-' : state)],
      'since',
      ['SOURCE', ({ source, source_name: name }: ShownExpectation) => name ?? source],
      'location',
      [
        'EXPECTED',
        ({ hours, every }: ShownExpectation) => (hours ? `${hours}, every ${every}` : ''),
      ],
      'status',
      ['LAST RECORD', ({ last_at }: ShownExpectation) => last_at ?? 'never'],
    ],
    none: 'Nothing is expected: what sources send is learned when they have sent for two weeks.',
    told: ({ unique_identifier: id, status, hours, every }: ShownExpectation) =>
      `${id} expects ${status === 'off' ? 'nothing' : `${hours}, every ${every}`}.`,
  },
  fields: {
    unique_identifier: field(identifier('exp_'), 'Identifier of the expectation'),
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    source: field(identifier('src_'), 'The source'),
    location: field(identifier('loc_'), 'The location', { column: 'anchor' }),
    hours: field(
      text(),
      'Days of the week and hours, by the clock of the location: `mon-fri 8-18` is from 8:00 to 18:00',
      { example: 'mon-fri 8-18, sat 9-12', settable },
    ),
    every: field(
      choice(...EVERY),
      '`hour`: in each of these hours; `day`: once on each of these days, by the end of its hours',
      { example: 'hour', settable },
    ),
    silent_after: field(
      count(1),
      'Number of these hours or days without a record after which the source is silent',
      { example: 3, settable },
    ),
    closed_days: field(
      text(),
      'Days on which nothing is expected: `12-25` in each year, `2026-11-27` in one',
      { example: '12-25', settable },
    ),
    status: field(
      openChoice('learned', 'confirmed', 'off'),
      '`learned` from the activity of the last six weeks, and adapted to it every day; `confirmed` or set by a person; `off`: nothing is expected',
      { example: 'learned', settable },
    ),
    learned_days: nullable(
      count(),
      'Number of such days it was learned from; null: a person set it',
      { example: 30 },
    ),
    kept_days: nullable(count(), 'Number of these days on which records arrived', { example: 29 }),
    reason: derived(text(), 'Why it is expected', reasonOf, {
      example: 'Something came on 29 of the last 30 of these days.',
    }),
    state: field(
      openChoice(...EXPECTATION_STATES),
      '`new`: no record yet; `on_time`; `late`; `silent`; `back`: silent until at most a day ago; `failing`: all requests are refused',
      { example: 'on_time' },
    ),
    since: field(time(), 'When this state began', { example: EXAMPLE_TIME }),
    silent_since: nullable(time(), 'When it fell silent; null: it is not silent', {
      example: null,
    }),
    last_at: nullable(time(), 'When the last record arrived, to within five minutes; null: never', {
      example: EXAMPLE_TIME,
    }),
    refused_at: nullable(time(), 'When the last request was refused; null: never', {
      example: null,
    }),
    refusal: nullable(
      text(),
      'The error code of the first refused request since the last record, if the state is `failing`',
      { example: null },
    ),
    inserted_at: field(time(), 'When it was first learned or set', { example: EXAMPLE_TIME }),
    updated_at: field(time(), 'When it was last set; nothing is missed before', {
      example: EXAMPLE_TIME,
    }),
  },
});

/** Times are milliseconds since 1970. */
export type Expectation = ObjectOf<typeof expectation.fields>;

export type Standing = Pick<
  Expectation,
  'state' | 'since' | 'silent_since' | 'last_at' | 'refused_at'
>;

function reasonOf({
  learned_days: days,
  kept_days: kept,
  status,
}: Readonly<Record<'learned_days' | 'kept_days', number | null> & { status: string }>): string {
  if (status === 'off') return 'A person turned it off.';
  return days === null
    ? 'A person set it.'
    : `Something came on ${kept} of the last ${days} of these days.`;
}

export const expectationWatch = ownTable({
  table: 'expectation_watch',
  key: ['single'],
  holds: 'The last look at what is expected',
  nothing: 'outages',
  fields: {
    single: field(flag(), 'The only row'),
    looked_at: field(time(), 'When it was'),
    learned_at: field(time(), 'When activity was last learned from'),
    outages: field(json<readonly TimeSpan[]>(), 'When no process looked'),
  },
});

/** In milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

export const notifications: StateNotifications = {
  of: 'source',
  says: 'Tells that a source has fallen silent at a location, or is back.',
  states: {
    silent:
      'Nothing has come from a source at a location for longer than expected. Needs an endpoint of an administrator, or of a key with the right `requests`.',
    back: 'A source that was silent has sent something again.',
  },
  object: expectation,
  gone: 'What was expected of this source was removed.',
  right: 'requests',
};

export const objects = [expectation];
export const tables = [expectation, expectationWatch];
