/** A follow-up: what somebody of a home means to do about a record, and what came of it. */
import {
  count,
  identifier,
  json,
  openChoice,
  resourceName,
  time,
} from '../../core/objects/kinds.ts';
import {
  arrayOf,
  derived,
  field,
  nullable,
  type ObjectOf,
  ownObject,
  type StateNotifications,
} from '../../core/objects/own-object.ts';
import { followerTable } from '../../core/objects/records/follower.ts';
import { text } from '../../core/schema/fields/index.ts';

/** The right of keys and people, by its name. */
export const RIGHT = 'follow_up';

export const rights = {
  [RIGHT]: 'to see follow-ups of records, and to claim, change and close them',
};

export const roles = { [RIGHT]: { of: ['editor', 'administrator'], limited: true } } as const;

export const REASONS = ['asked_for_call', 'interested', 'arrangement_begun', 'by_hand'] as const;
export const STATES = ['open', 'claimed', 'scheduled', 'closed'] as const;
export const CHANNELS = ['call', 'email', 'letter', 'visit'] as const;
export const ATTEMPTED = ['reached', 'message_left', 'no_answer', 'sent'] as const;
export const OUTCOMES = [
  ...(['done', 'appointment', 'not_now', 'no', 'do_not_contact', 'wrong_number'] as const),
  ...(['unreachable', 'at_need'] as const),
];

export const MAX_ATTEMPTS = 50;
export const MAX_NOTE = 2_000;

const EXAMPLE_TIME = '2026-11-20T14:30:00Z';

const attempt = {
  at: field(text(), 'When it was, in UTC', { example: EXAMPLE_TIME }),
  by: field(text(), 'Who tried: a person or an API key', {
    example: 'stf_036Vq1rXbU9kTqPpLw3aZc',
  }),
  channel: field(openChoice(...CHANNELS), 'The way', { example: 'call' }),
  outcome: field(openChoice(...ATTEMPTED), 'What came of it', { example: 'no_answer' }),
  note: nullable(text(), 'A note', { example: null }),
};

export type FollowUpAttempt = ObjectOf<typeof attempt>;

type ShownFollowUp = Readonly<
  Record<'unique_identifier' | 'state', string> & Record<'outcome' | 'next_at', string | null>
>;

type Placed = Readonly<{ unique_identifier: string; due_at: number }>;

function cursorOf({ unique_identifier, due_at }: Placed): string {
  return `${unique_identifier}.${due_at}`;
}

/** The place that a cursor names; `undefined` where it is not one. */
export function placeNamed(cursor: string): Placed | undefined {
  const [, unique_identifier, due_at] = /^(fup_\w{22})\.(\d{1,15})$/.exec(cursor) ?? [];
  return unique_identifier === undefined
    ? undefined
    : { unique_identifier, due_at: Number(due_at) };
}

export const followUp = ownObject({
  name: 'follow_up',
  says: 'What somebody of a home means to do about a record, and what came of it.',
  path: '/v1/follow_ups',
  table: 'follow_up',
  indexes: {
    due: 'of_account, due_at, unique_identifier',
    unfinished: "of_account, due_at, unique_identifier WHERE state <> 'closed'",
    state: 'of_account, state, due_at, unique_identifier',
    owner: 'of_account, owner, due_at, unique_identifier WHERE owner IS NOT NULL',
    reason: 'of_account, reason, due_at, unique_identifier',
    record: 'of_account, record, due_at, unique_identifier',
    gone: 'gone_at WHERE gone_at IS NOT NULL',
    ends: 'claim_ends_at WHERE claim_ends_at IS NOT NULL',
    ahead: 'claim_ends_at WHERE claim_ends_at > due_at',
    counts:
      "of_account, anchor, reason, resource, due_at WHERE state <> 'closed' AND gone_at IS NULL",
    later: "next_at WHERE state = 'closed' AND next_at IS NOT NULL",
  },
  unique: {
    open: "of_account, record WHERE state <> 'closed'",
    change: 'of_account, record, position',
  },
  listed: {
    left_out: {
      type: 'object',
      description:
        'How many records of your accounts ask for something and opened none so far: because they were imported, added by people in the console, sent in the first sync of a source, or were older than 14 days; `unclear`: how often a card came with a tick about calls of which nobody has said what it means (`GET /v1/ticks`). Begin those that matter by hand. Empty for callers who see only some locations or resources',
      additionalProperties: { type: 'integer' },
      examples: [{ import: 120 }],
    },
  },
  goesWith: 'content',
  about: 'record',
  backup: 'follow_ups',
  holds: 'What is to be done about records, who does it, and what came of it',
  goes: 'With the record',
  identifiers: 'record owner closed_by',
  nothing: 'repeats',
  printed: {
    columns: ['unique_identifier', 'state', 'reason', 'due_at', 'owner', 'location', 'record'],
    none: 'There is nothing to do.',
    told: ({ unique_identifier: id, state, outcome, next_at }: ShownFollowUp) => {
      const when = next_at === null ? '' : `, to be tried again at ${next_at}`;
      return `${id} is ${state}${outcome === null ? '' : `: ${outcome}`}${when}.`;
    },
  },
  fields: {
    unique_identifier: field(identifier('fup_'), 'Identifier of the follow-up'),
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    location: field(identifier('loc_'), 'The location of the record', { column: 'anchor' }),
    resource: field(resourceName(3), 'The resource of the record', {
      example: 'direct_mail_reply',
    }),
    record: field(text(), 'The record: its unique_identifier', {
      example: 'dmr_036Vq1rXbU9kTqPpLw3aZc',
    }),
    reason: field(
      openChoice(...REASONS),
      '`asked_for_call`: the card asks for a call; `interested`: in pre-planning; `arrangement_begun`: online; `by_hand`: somebody began it',
      { example: 'asked_for_call' },
    ),
    state: field(
      openChoice(...STATES),
      '`scheduled`: it is to be tried again at `next_at`; `closed`: also while nobody is to contact the person',
      {
        example: 'claimed',
      },
    ),
    owner: nullable(text(), 'Who does it: a person or an API key; null: nobody yet', {
      example: 'stf_036Vq1rXbU9kTqPpLw3aZc',
    }),
    claim_ends_at: nullable(
      time(),
      'When the claim ends unless its owner does something: 24 hours after the last, and not before `due_at` where it was handed over',
      { example: '2026-11-21T14:30:00Z' },
    ),
    due_at: field(
      time(),
      'Until when somebody is to have tried, in the hours of the home: an hour for an arrangement, a working day for a card, three for interest',
      { example: '2026-11-20T15:30:00Z' },
    ),
    next_at: nullable(time(), 'When to try again; after `not_now`, when it is open again', {
      example: null,
    }),
    attempts: field(
      arrayOf('An attempt to reach the person.', attempt),
      'The attempts so far, the oldest first',
      { personal: true, example: [] },
    ),
    outcome: nullable(openChoice(...OUTCOMES), 'What came of it; null: it is not closed', {
      example: null,
    }),
    note: nullable(text(), 'A note', { personal: true, example: null }),
    version: field(count(1), 'Raised by every change: `If-Match: "2"` changes only this one', {
      column: 'revision',
      example: 2,
    }),
    inserted_at: field(time(), 'When it was opened', { example: EXAMPLE_TIME }),
    updated_at: field(time(), 'When it was last changed', { example: EXAMPLE_TIME }),
    closed_at: nullable(
      time(),
      'When it was closed; null: it is not, or nobody is to contact the person since another one was closed so',
      { example: null },
    ),
    closed_by: nullable(text(), 'Who closed it', { example: null }),
    cursor: derived(text(), 'Its place in a list, to send as `starting_after`', cursorOf, {
      example: 'fup_036Vq1rXbU9kTqPpLw3aZc.1795102200000',
    }),
    /** The commit of the change that opened it. */
    position: nullable(count(), 'The commit that opened it', { to: [] }),
    /** While its record is removed. */
    gone_at: nullable(time(), 'When its record was removed', { to: [] }),
    repeats: field(json<readonly (readonly [key: string, fingerprint: string])[]>(), 'Requests', {
      to: [],
    }),
  },
});

/** Times are milliseconds since 1970. */
export type FollowUp = ObjectOf<typeof followUp.fields>;

const counted = {
  location: field(identifier('loc_'), 'The location of the records'),
  reason: field(openChoice(...REASONS), 'The reason', { example: 'asked_for_call' }),
  open: field(count(), 'How many are not closed', { example: 12 }),
  overdue: field(count(), 'How many of these are overdue', { example: 3 }),
};

export type FollowUpCount = ObjectOf<typeof counted>;

export const followUpCounts = ownObject({
  name: 'follow_up_counts',
  says: 'How many follow-ups are not closed.',
  fields: {
    counts: field(
      arrayOf('Those of a location for a reason.', counted),
      'By location and reason; where there are none, there is no count',
      {
        example: [
          {
            ...{ location: 'loc_0350hLTg4Qw7ghih1EWE8N', reason: 'asked_for_call' },
            ...{ open: 12, overdue: 3 },
          },
        ],
      },
    ),
  },
});

const colleague = {
  unique_identifier: field(identifier('stf_'), 'Identifier of the person'),
  name: field(text(), 'Their name; of a person without one, the email address', {
    example: 'Ada Marsh',
  }),
};

export type Colleague = ObjectOf<typeof colleague>;

export const followUpColleagues = ownObject({
  name: 'follow_up_colleagues',
  says: 'The people to whom follow-ups of a record can be handed over.',
  fields: {
    colleagues: field(arrayOf('A person who signs in.', colleague), 'By name', {
      example: [{ unique_identifier: 'stf_036Vq1rXbU9kTqPpLw3aZc', name: 'Ada Marsh' }],
    }),
  },
});

export const MEANINGS = ['call', 'no_call', 'no_contact', 'nothing'] as const;

type ShownTick = Readonly<
  Record<'unique_identifier', string> & Record<'name' | 'meaning', string | null>
>;

/** Told on the command line, and of each meaning in the reference. */
const MEANS: Readonly<Record<string, string>> = {
  call: 'that somebody is to call',
  no_call: 'that nobody is to call',
  no_contact: 'that nobody is to contact them',
  nothing: 'nothing for calls',
};

/** Texts of cards are kept as hashes of their letters, so that an erased card leaves none. */
export const tick = ownObject({
  name: 'tick',
  says: 'A tick about calls on cards whose words do not tell what it means, and what a person said that it means.',
  path: '/v1/ticks',
  table: 'tick',
  unique: { name: 'of_account, folded' },
  indexes: {
    listed: 'of_account, unique_identifier',
    record: 'of_account, record',
    walked: 'of_account, walks_from WHERE walked IS NOT NULL',
  },
  goesWith: 'content',
  about: 'record',
  leaves: 'record = NULL, name = NULL',
  backup: 'ticks',
  holds: 'Ticks on cards whose words do not tell what they mean, and what people said',
  goes: 'The text with the card that it was last on',
  identifiers: 'record said_by',
  nothing: 'folded walked',
  printed: {
    columns: ['unique_identifier', 'name', 'meaning', 'cards', 'last_at', 'record'],
    none: 'There is no tick whose words do not tell what it means.',
    told: ({ unique_identifier: id, name, meaning }: ShownTick) =>
      `${name ?? id} means ${MEANS[meaning ?? ''] ?? meaning}.`,
  },
  fields: {
    unique_identifier: field(identifier('tck_'), 'Identifier of the tick'),
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    name: nullable(
      text(),
      'Its name, as on the last card that had it; null: that card was erased',
      { personal: true, example: 'Phone number is right' },
    ),
    meaning: nullable(
      openChoice(...MEANINGS),
      '`call`: somebody is to call; `no_call`: nobody is to call; `no_contact`: nobody is to contact them in any way; `nothing`: nothing of these; null: nobody has said it',
      { example: null },
    ),
    said_by: nullable(text(), 'Who said it: a person or an API key; null: nobody', {
      example: null,
    }),
    said_at: nullable(time(), 'When it was said', { example: null }),
    cards: field(count(), 'How often a card came with it', { example: 12 }),
    record: nullable(text(), 'The last card that had it; null: it was erased', {
      example: 'dmr_036Vq1rXbU9kTqPpLw3aZc',
    }),
    last_at: field(time(), 'When the last card came with it', { example: EXAMPLE_TIME }),
    inserted_at: field(time(), 'When the first card came with it', { example: EXAMPLE_TIME }),
    /** The hash of its letters. */
    folded: field(text(), 'What is the same in each spelling', { to: [] }),
    /** Commits before it are counted, also where the log is read again. */
    counted: field(count(), 'The commit of the last card that was counted', { to: [] }),
    /** The card after which a walk goes on that does for earlier cards what was said; empty: it begins. */
    walked: nullable(text(), 'How far earlier cards are done', { to: [] }),
    /** The commit up to which the log is read before that walk begins: later cards come with it. */
    walks_from: nullable(count(), 'The last commit when it was said', { to: [] }),
  },
});

export type Tick = ObjectOf<typeof tick.fields>;

/** Name of the expansion that says so of a record. */
export const NO = 'do_not_contact';

/** How one is seen while nobody is to contact its person: it is not to be worked on, though nobody has closed it. */
export function seenStopped<One extends Pick<FollowUp, 'state'>>(one: One): One {
  if (one.state === 'closed') return one;
  const idle = { owner: null, claim_ends_at: null, next_at: null } as const;
  return { ...one, ...idle, state: 'closed', outcome: NO };
}

/** How far the log of each account has been read: follow-ups are made of it. */
export const followUpReader = followerTable(
  'follow_up_reader',
  'follow_up_readers',
  'How far the log of changes was read for follow-ups',
);

export const notifications: StateNotifications = {
  of: 'follow_up',
  says: 'Tells that a follow-up was opened, changed or closed.',
  states: {
    opened: 'A record asks for something to be done, or a person does.',
    changed: 'It was claimed, released, handed over, tried, scheduled or reopened.',
    closed: 'It was closed with an outcome.',
  },
  object: followUp,
  asNow: true,
  judged: { says: NO, seen: seenStopped },
  gone: 'The follow-up is gone with its record.',
  right: RIGHT,
};

export const objects = [followUp, followUpCounts, followUpColleagues, tick];
export const tables = [followUp, followUpReader, tick];
export const actions = ['follow_up'] as const;
