/** The operations on follow-ups: what somebody of a home means to do about a record, and what came of it. */
import type { Faults } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import { choice, datetime, optional, required, text } from '../../core/schema/fields/index.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { type Operation, operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import {
  ATTEMPTED,
  CHANNELS,
  followUp,
  followUpColleagues,
  followUpCounts,
  MAX_NOTE,
  MEANINGS,
  OUTCOMES,
  REASONS,
  RIGHT,
  STATES,
  tick,
} from './declares.ts';
import type { Act } from './serves/acts.ts';

export const tag = {
  name: 'Follow-ups',
  description: 'What is to be done about records, and what came of it.',
};

export const command = 'follow-ups';
export const takes = ['query'] as const;

const on = operationsOn(followUp, {
  tag: tag.name,
  needs: { permission: 'read', right: RIGHT },
  conditional: true,
});

const onTicks = operationsOn(tick, {
  tag: tag.name,
  needs: { permission: 'read', right: RIGHT, whole: true },
});

const PERSON = 'a person from `GET /v1/follow_ups/colleagues?record=`';
const EXAMPLE_PERSON = 'stf_036Vq1rXbU9kTqPpLw3aZc';

const note = optional(text({ max: MAX_NOTE }), 'A note; `""` removes it');

function act(
  verb: Act,
  {
    errors = [],
    ...says
  }: Pick<Operation, 'summary' | 'description' | 'body' | 'errors' | 'check'>,
): Operation {
  const refusals = [
    ...(['follow_up_claimed', 'follow_up_closed', 'do_not_contact', 'record_changed'] as const),
  ];
  return on.act(verb, {
    audits: 'follow_up',
    ...says,
    body: says.body ?? {},
    errors: ['resource_missing', ...refusals, 'idempotency_key_reused', ...errors],
    run: ({ followUp }, { caller, id, params, conditions }) =>
      followUp.act(caller, id, verb, { said: params(), ...conditions() }),
  });
}

export const operations = (): readonly Operation[] => [
  on.list({
    audits: 'list',
    description:
      'Lists follow-ups of your locations, the first due first. They are opened within a second or two by what arrives: a card that asks for a call, a visitor or next of kin who turns interested in pre-planning, an arrangement that is begun. What is imported, added by people in the console, sent in the first sync of a source, or older than 14 days opens none. The first request for an account begins that.',
    query: {
      account: optional(text({}), 'Only those of this account'),
      location: optional(text({}), 'Only those at this location, by its unique_identifier'),
      region: optional(text({ max: 120 }), 'Only those at locations of this region'),
      record: optional(text({}), 'Only those of this record'),
      state: optional(
        choice(...STATES, 'unfinished'),
        'Only those in this state; `unfinished`: not closed',
      ),
      owner: optional(text({}), 'Only those of this person or API key; `me`: your own'),
      reason: optional(choice(...REASONS), 'Only those for this reason'),
      due_before: optional(datetime(), 'Only those that are due before'),
      opened_since: optional(datetime(), 'Only those that were opened since'),
    },
    limit: 50,
    max: 1000,
    cursor: 'cursor',
    beside: ({ followUp }, caller) => followUp.leftOut(caller),
    errors: ['resource_missing', 'value_invalid'],
    find: (
      { followUp, locationsIn, reads },
      { caller },
      { location, region, due_before, opened_since, ...query },
    ) =>
      reads.run(caller.key, async () => {
        const locations = await locationsIn(caller.scope, location, region);
        const times = { due_before: timeOf(due_before), opened_since: timeOf(opened_since) };
        return followUp.list(caller, { ...query, ...times, locations });
      }),
  }),
  operation({
    tag: tag.name,
    needs: { permission: 'read', right: RIGHT },
    audits: 'list',
    name: 'count_follow_ups',
    command: 'counts',
    route: 'GET /v1/follow_ups/counts',
    summary: 'Count follow-ups',
    description:
      'Counts the follow-ups of your locations that are not closed, and how many of these are overdue, by location and reason.',
    query: {
      account: optional(text({}), 'Only those of this account'),
      location: optional(text({}), 'Only those at this location, by its unique_identifier'),
      region: optional(text({ max: 120 }), 'Only those at locations of this region'),
    },
    answers: { schema: 'FollowUpCounts', says: 'The counts.' },
    errors: ['resource_missing', 'value_invalid'],
    run: ({ followUp, locationsIn, reads }, { caller, params }) => {
      const { account, location, region } = params();
      return reads.run(caller.key, async () => {
        const locations = await locationsIn(caller.scope, location, region);
        const counts = await followUp.counts(caller, { account, locations });
        return present(followUpCounts, counts, 'api', 0);
      });
    },
  }),
  operation({
    tag: tag.name,
    needs: { permission: 'read', right: RIGHT },
    audits: 'list',
    name: 'get_follow_up_colleagues',
    command: 'colleagues',
    route: 'GET /v1/follow_ups/colleagues',
    summary: 'List whom follow-ups can be handed over to',
    description:
      'Lists the people who sign in and may work on follow-ups of that record: those with the right, at its location.',
    query: { record: required(text({}), 'The record: its unique_identifier') },
    answers: { schema: 'FollowUpColleagues', says: 'The people.' },
    errors: ['resource_missing'],
    run: ({ followUp, reads }, { caller, params }) =>
      reads.run(caller.key, async () => {
        const colleagues = await followUp.colleagues(caller, params().record);
        return present(followUpColleagues, { colleagues }, 'api', 0);
      }),
  }),
  on.get({
    audits: 'read',
    description: 'Answers the follow-up.',
    run: ({ followUp }, { caller, id }) => followUp.find(caller, id),
  }),
  on.create({
    audits: 'follow_up',
    summary: 'Begin a follow-up',
    description:
      'Begins a follow-up of a mail reply, a visitor, a next of kin or an arrangement by hand. It is yours then, or that of the `owner` you name. A record has one that is not closed at most.',
    body: {
      record: required(text({}), 'The record: its unique_identifier', 'dmr_036Vq1rXbU9kTqPpLw3aZc'),
      owner: optional(text({}), `Who does it: ${PERSON}; by default you`, EXAMPLE_PERSON),
      due_at: optional(datetime(), 'Until when; by default a working day from now'),
      note,
    },
    errors: [
      'resource_missing',
      'value_invalid',
      'follow_up_open',
      'do_not_contact',
      'idempotency_key_reused',
    ],
    run: ({ followUp }, { caller, params, conditions }) => {
      const { record, owner, due_at, note } = params();
      return followUp.create(
        caller,
        {
          ...{ record, owner: owner ?? null },
          ...{ due_at: due_at ? Date.parse(due_at) : null, note: note || null },
        },
        conditions(),
      );
    },
  }),
  act('claim', {
    summary: 'Claim a follow-up',
    description:
      'Makes it yours. Of two at the same time one has it, and the other is told who. A claim ends after 24 hours in which its owner does nothing about it, and when its owner may no longer work on it.',
  }),
  act('release', {
    summary: 'Release a follow-up',
    description: 'Leaves it to others, also what somebody else has claimed.',
  }),
  act('hand_over', {
    summary: 'Hand over a follow-up',
    description:
      'Makes it that of a colleague, also what somebody else has claimed. It stays theirs until it is due, and for 24 hours at least, unless they may no longer work on it.',
    body: {
      owner: required(text({}), `Who does it: ${PERSON}`, EXAMPLE_PERSON),
      due_at: optional(datetime(), 'Until when; by default as it was'),
      note,
    },
    errors: ['value_invalid'],
  }),
  act('attempt', {
    summary: 'Report an attempt',
    description:
      'Adds an attempt to reach the person; a follow-up that nobody has claimed is yours then.',
    body: {
      channel: required(choice(...CHANNELS), 'The way', 'call'),
      outcome: required(choice(...ATTEMPTED), 'What came of it', 'no_answer'),
      note: optional(text({ max: MAX_NOTE }), 'A note'),
    },
    errors: ['attempts_too_many'],
  }),
  act('schedule', {
    summary: 'Schedule a follow-up',
    description: 'Says when to try again.',
    body: { next_at: required(datetime(), 'When to try again', '2026-12-01T14:00:00Z'), note },
    errors: ['value_invalid'],
  }),
  act('close', {
    summary: 'Close a follow-up',
    description:
      'Closes it with its outcome. After `not_now` it is open again at `next_at`. `do_not_contact` is remembered for the phone numbers and email addresses of the record: other follow-ups with one of them are seen as closed so for as long, none of them can be worked on, and none is opened.',
    body: {
      outcome: required(choice(...OUTCOMES), 'What came of it', 'appointment'),
      next_at: optional(datetime(), 'Required for `not_now`, and only for that: when to try again'),
      note,
    },
    check: checkOutcome,
    errors: ['value_invalid', 'parameter_missing'],
  }),
  act('reopen', {
    summary: 'Reopen a follow-up',
    description: 'Opens a closed one again. What was closed with `do_not_contact` is lifted by it.',
    body: {
      reason: required(text({ max: MAX_NOTE }), 'Why; its note then', 'They called us back'),
    },
    errors: ['follow_up_open'],
  }),
  ...tickOperations(),
];

const tickOperations = (): readonly Operation[] => [
  onTicks.list({
    audits: 'list',
    command: 'ticks',
    description:
      'Lists ticks on mail cards that are about calls but do not say what the person wants, such as *Phone number is right*. Say once what each means. Needs a key of the whole account.',
    query: {
      account: optional(text({}), 'Only those of this account'),
      meaning: optional(
        choice(...MEANINGS, 'unsaid'),
        'Only those with this meaning; `unsaid`: nobody has said it',
      ),
    },
    limit: 50,
    max: 1000,
    errors: ['resource_missing', 'value_invalid'],
    find: ({ followUp }, { caller }, query) => followUp.ticks(caller, query),
  }),
  onTicks.change({
    audits: 'administer',
    command: 'tick <tick>',
    summary: 'Say what a tick means',
    description:
      'Says what a tick means on every card that has it, however its name is spelt. New cards are read so at once, and existing ones within seconds: `call` opens follow-ups for cards of the last 14 days; `no_call` and `no_contact` enter everybody who ticked it in the register of whom nobody is to contact. You can change it later: entries stay until they are lifted, and follow-ups until they are closed.',
    body: { meaning: required(choice(...MEANINGS), 'What it means', 'nothing') },
    errors: ['resource_missing'],
    run: ({ followUp }, { caller, id, params }) => followUp.means(caller, id, params().meaning),
  }),
];

const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

function checkOutcome({ outcome, next_at }: JsonObject, faults: Faults): void {
  const isLater = outcome === 'not_now';
  if (isLater && typeof next_at !== 'string')
    faults.add('next_at', 'parameter_missing', 'next_at is missing: say when to try again.');
  if (!isLater && typeof next_at === 'string')
    faults.add(
      'next_at',
      'value_invalid',
      'next_at goes with the outcome not_now alone: leave it out.',
    );
}
