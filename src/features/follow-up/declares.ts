/** A follow-up: what somebody of a home means to do about a record, and what came of it; and whom nobody is to contact. */
import {
  count,
  counts,
  identifier,
  json,
  openChoice,
  resourceName,
  time,
} from '../../core/objects/kinds.ts';
import {
  arrayOf,
  field,
  nullable,
  type ObjectOf,
  ownObject,
  ownTable,
  type StateNotifications,
} from '../../core/objects/own-object.ts';
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

export const followUp = ownObject({
  name: 'follow_up',
  says: 'What somebody of a home means to do about a record, and what came of it.',
  path: '/v1/follow_ups',
  table: 'follow_up',
  indexes: {
    due: 'of_account, due_at, unique_identifier',
    record: 'of_account, record',
    ends: 'claim_ends_at WHERE claim_ends_at IS NOT NULL',
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
        'How many records of your accounts ask for something and opened none so far: because they were imported, sent in the first sync of a source, or were older than 14 days. Begin those that matter by hand',
      additionalProperties: { type: 'integer' },
      examples: [{ import: 120 }],
    },
  },
  goesWith: 'content',
  backup: 'follow_ups',
  holds: 'What is to be done about records, who does it, and what came of it',
  goes: 'With the record',
  identifiers: 'record owner closed_by',
  nothing: 'repeats',
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
    state: field(openChoice(...STATES), '`scheduled`: it is to be tried again at `next_at`', {
      example: 'claimed',
    }),
    owner: nullable(text(), 'Who does it: a person or an API key; null: nobody yet', {
      example: 'stf_036Vq1rXbU9kTqPpLw3aZc',
    }),
    claim_ends_at: nullable(
      time(),
      'When the claim ends unless its owner does something: 24 hours after the last',
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
    closed_at: nullable(time(), 'When it was closed', { example: null }),
    closed_by: nullable(text(), 'Who closed it', { example: null }),
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

export const doNotContact = ownTable({
  table: 'do_not_contact',
  key: ['of_account', 'mark', 'follow_up'],
  indexes: { follow_up: 'follow_up', record: 'of_account, record' },
  goesWith: 'content',
  backup: 'do_not_contact',
  holds:
    'Whom nobody is to contact: hashes of phone numbers and email addresses, by a key of the service',
  goes: 'When it is lifted, or the person is erased',
  identifiers: 'record',
  nothing: 'mark',
  fields: {
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    mark: field(text(), 'The hash'),
    follow_up: field(identifier('fup_'), 'The follow-up that was closed so'),
    record: field(text(), 'Its record'),
  },
});

/** How far the log of an account has been read: its follow-ups are made of it. */
export const followUpReader = ownTable({
  table: 'follow_up_reader',
  key: ['of_account'],
  goesWith: 'account',
  backup: 'follow_up_readers',
  holds: 'How far the log of changes was read for follow-ups',
  nothing: 'change left_out',
  fields: {
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    change: field(text(), 'The last change; empty: none yet'),
    left_out: field(counts(), 'How many records opened none, by the reason'),
  },
});

export type FollowUpReader = ObjectOf<typeof followUpReader.fields>;
export type LeftOut = FollowUpReader['left_out'];

export const notifications: StateNotifications = {
  of: 'follow_up',
  says: 'Tells that a follow-up was opened, changed or closed.',
  states: {
    opened: 'A record asks for something to be done, or a person does.',
    changed: 'It was claimed, released, tried, scheduled or reopened.',
    closed: 'It was closed with an outcome.',
  },
  object: followUp,
  asNow: true,
  gone: 'The follow-up is gone with its record.',
  right: RIGHT,
};

export const objects = [followUp];
export const tables = [followUp, doNotContact, followUpReader];
export const actions = ['follow_up'] as const;
