/** The operations on the register of whom nobody is to contact. */
import { present } from '../../core/objects/own-object.ts';
import {
  boolean,
  choice,
  datetime,
  list,
  object,
  optional,
  required,
  text,
} from '../../core/schema/fields/index.ts';
import { type Operation, operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import { CHANNELS, KINDS, MAX_REASON, noContact, noContactAdded, RIGHT } from './declares.ts';

export const tag = {
  name: 'Do not contact',
  description: 'The register of whom nobody is to contact.',
};

export const command = 'do-not-contact';

/** Rows of one request. */
export const MAX_ROWS = 1_000;
const MAX_TEXT = 320;
const ONE = 'Send one of phone_number, email_address and record';

const on = operationsOn(noContact, {
  called: ['entry', 'entries'],
  tag: tag.name,
  needs: { permission: 'read', right: RIGHT },
});

const says = {
  phone_number: optional(
    text({ max: MAX_TEXT }),
    'The phone number, as +14155550123; without a country code it is one of the country of the account’s time zone, and of the United States where it has none',
    '+14155550123',
  ),
  email_address: optional(text({ max: MAX_TEXT }), 'The email address', 'jane@example.com'),
  channels: optional(
    list(choice(...CHANNELS), { min: 1, max: CHANNELS.length }),
    'What is refused; all of it where it is left out',
    ['calls', 'texts'],
  ),
  reason: optional(text({ max: MAX_REASON }), 'Why', 'Asked at the door'),
  until: optional(
    datetime(),
    'Until when; until it is lifted where it is left out',
    '2027-03-20T00:00:00Z',
  ),
};

export const operations = (): readonly Operation[] => [
  on.list({
    audits: 'list',
    summary: 'Ask who is in the register',
    description:
      'Asks who is in the register: with `phone_number`, `email_address` or `record`, whether one person is, also where only a hash of them is kept; without, all entries of your accounts that stand, the newest first. An empty `data` says that nothing stands. A caller who is limited to some locations or resources asks of one person.',
    query: {
      account: optional(text({}), 'Only entries of this account'),
      phone_number: optional(
        text({ max: MAX_TEXT }),
        'Only entries of this phone number, as +14155550123, or as it is entered',
      ),
      email_address: optional(text({ max: MAX_TEXT }), 'Only entries of this email address'),
      record: optional(
        text({}),
        'Only entries of this record, and of its phone numbers and email addresses',
      ),
      kind: optional(choice(...KINDS), 'Only entries of this kind'),
      lifted: optional(boolean(), '`true`: only entries that were lifted, or have ended'),
    },
    limit: 50,
    max: 1000,
    errors: ['resource_missing', 'value_invalid', 'whole_account_needed'],
    find: ({ doNotContact }, { caller }, asked) => doNotContact.list(caller, asked),
  }),
  on.get({
    audits: 'read',
    summary: 'Read an entry',
    description: 'Answers the entry, also a lifted one.',
    run: ({ doNotContact }, { caller, id }) => doNotContact.find(caller, id),
  }),
  on.create({
    audits: 'do_not_contact',
    summary: 'Enter somebody',
    description:
      'Enters a phone number, an email address, or the person of a `record`: its phone numbers and email addresses, and the record itself, which is answered. It may be repeated: an entry that stands already is updated. From then on `expand[]=do_not_contact` of records is true, and nobody can work on follow-ups of the person.',
    body: {
      account: optional(
        text({}),
        'unique_identifier of the account; optional if the API key has only one, or with `record`',
      ),
      record: optional(text({}), 'The record of the person, by its unique_identifier'),
      ...says,
    },
    sends: { phone_number: '+14155550123', reason: 'Asked at the door' },
    check: ({ record, phone_number, email_address }, faults) => {
      const sent = [record, phone_number, email_address].filter((one) => typeof one === 'string');
      if (sent.length > 1) faults.add('record', 'parameters_conflict', `${ONE}, and not several.`);
    },
    errors: ['resource_missing', 'value_invalid', 'parameter_missing', 'parameters_conflict'],
    run: ({ doNotContact }, { caller, params }) => {
      const { account, record, ...sent } = params();
      return doNotContact.add(caller, { account, record, ...sent });
    },
  }),
  operation({
    on: noContactAdded,
    tag: tag.name,
    needs: { permission: 'read', right: RIGHT },
    audits: 'do_not_contact',
    name: 'add_do_not_contact_list',
    command: 'import',
    route: 'POST /v1/do_not_contact/add_many',
    summary: 'Enter a list',
    description: `Enters up to ${MAX_ROWS} phone numbers and email addresses: a list of your own, or what a provider sends. What is neither is told in \`refused\`, and the rest is entered. It may be repeated: an entry that stands already is updated.`,
    body: {
      account: optional(
        text({}),
        'unique_identifier of the account; optional if the API key has only one',
      ),
      entries: required(
        list(object(says), { min: 1, max: MAX_ROWS }),
        'Each with `phone_number` or `email_address`',
      ),
    },
    sends: {
      entries: [{ phone_number: '+14155550123' }, { email_address: 'jane@example.com' }],
    },
    answers: { schema: 'DoNotContactAdded', says: 'How many were entered.' },
    refusesIdempotencyKey:
      'Lists take no Idempotency-Key: send the request without it. It may be repeated.',
    errors: ['resource_missing'],
    run: async ({ doNotContact }, { caller, params, done }) => {
      const { account, entries } = params();
      const made = await doNotContact.addMany(caller, account ?? undefined, entries);
      done({ account: made.account });
      return present(noContactAdded, made, 'api', 0);
    },
  }),
  on.act('lift', {
    audits: 'do_not_contact',
    summary: 'Lift an entry',
    description:
      'Says that the person may be contacted again: the entry is kept, with when, why and by whom. Other entries of the same value are lifted with it, and those of the records that have it. Lifting it again does nothing.',
    body: {
      reason: required(text({ max: MAX_REASON }), 'Why', 'They asked us to call'),
    },
    run: ({ doNotContact }, { caller, id, params }) =>
      doNotContact.lift(caller, id, params().reason),
  }),
];
