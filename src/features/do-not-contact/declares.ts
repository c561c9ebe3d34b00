/** The register of whom nobody is to contact: phone numbers, email addresses, and records without either. */
import { count, identifier, jsonTexts, openChoice, time } from '../../core/objects/kinds.ts';
import {
  arrayOf,
  derived,
  field,
  nullable,
  type ObjectOf,
  ownObject,
  ownTable,
  secret,
} from '../../core/objects/own-object.ts';
import { text } from '../../core/schema/fields/index.ts';

/** The right of keys and people, by its name. */
export const RIGHT = 'do_not_contact';

export const rights = {
  [RIGHT]: 'to ask whom nobody is to contact, and to add to that register and lift entries of it',
};

export const roles = { [RIGHT]: { of: ['editor', 'administrator'], limited: true } } as const;

export const KINDS = ['phone', 'email', 'record', 'unknown'] as const;
export const CHANNELS = ['calls', 'texts', 'mail'] as const;
export const SOURCES = ['request', 'list', 'record', 'follow_up'] as const;
export const MAX_REASON = 1_000;

const at = '2026-11-20T14:30:00Z';
const by = 'stf_036Vq1rXbU9kTqPpLw3aZc';

type Shown = Readonly<
  Record<'unique_identifier' | 'kind', string> &
    Record<'value' | 'lifted_at' | 'record', string | null>
>;

/** Entries of which a hash is kept beside the value, as SQL. */
export const MARKABLE = "value IS NOT NULL AND kind IN ('phone', 'email')";

export const noContact = ownObject({
  name: 'do_not_contact',
  says: 'An entry of the register: nobody is to contact who has this phone number or email address.',
  path: '/v1/do_not_contact',
  table: 'no_contact',
  key: ['account', 'unique_identifier'],
  indexes: {
    identifier: 'unique_identifier',
    listed: 'account, unique_identifier WHERE lifted_at IS NULL',
    lifted: 'account, unique_identifier WHERE lifted_at IS NOT NULL',
    hashed: 'account, mark WHERE lifted_at IS NULL AND value IS NULL',
    was: 'account, value WHERE lifted_at IS NOT NULL',
    was_hashed: 'account, mark WHERE lifted_at IS NOT NULL AND value IS NULL',
    record: 'account, record WHERE record IS NOT NULL',
    said: 'account, follow_up WHERE follow_up IS NOT NULL',
    key: `mark_key WHERE ${MARKABLE}`,
    ends: 'until WHERE lifted_at IS NULL AND until IS NOT NULL',
    ended: 'lifted_at WHERE lifted_at IS NOT NULL',
  },
  unique: { standing: 'account, value, kind WHERE lifted_at IS NULL' },
  goesWith: 'content',
  about: 'record',
  leaves: `value = CASE WHEN mark IS NULL THEN value END, record = NULL, record_version = NULL,
    reason = NULL, lifted_because = NULL,
    lifted_at = CASE WHEN kind = 'record' THEN coalesce(lifted_at, inserted_at) ELSE lifted_at END`,
  backup: 'no_contact',
  ends: true,
  holds:
    'Whom nobody is to contact: phone numbers and email addresses, and hashes of those of erased people',
  goes: 'Two years after it is lifted. An erasure leaves a hash',
  identifiers: 'said_by lifted_by record',
  nothing: 'channels mark mark_key',
  printed: {
    columns: [
      'unique_identifier',
      'kind',
      'value',
      'channels',
      ['SINCE', 'inserted_at'],
      'source',
      'reason',
    ],
    none: 'Nobody is in the register.',
    told: ({ unique_identifier: id, kind, value, lifted_at }: Shown) =>
      lifted_at === null
        ? `${id}: nobody is to contact ${value ?? `this ${kind}`}.`
        : `${id} is lifted: ${value ?? `this ${kind}`} may be contacted again.`,
  },
  fields: {
    unique_identifier: field(identifier('dnc_'), 'Identifies the entry'),
    account: field(identifier('acct_'), 'The account: an entry is for it alone'),
    kind: field(
      openChoice(...KINDS),
      '`phone`, `email`, or `record`: of that record alone; `unknown`: version 1.0 has left a hash and not of what',
      { example: 'phone' },
    ),
    value: nullable(
      text(),
      'The number in E.164 form, the address in small letters, or the unique_identifier of the record; null: only a hash of it is kept',
      { example: '+14155550123', personal: true },
    ),
    hashed_with: derived(
      text(),
      'The name of the key by which the hash was made, where only that is kept, since the person was erased',
      ({ value, mark_key }: { readonly value: string | null; readonly mark_key: string | null }) =>
        value === null ? mark_key : null,
      { nullable: true, example: null },
    ),
    channels: nullable(
      jsonTexts(),
      'What was refused: `calls`, `texts`, `mail`; null: all of it. Follow-ups and `expand[]=do_not_contact` judge by all entries',
      { example: null },
    ),
    reason: nullable(text(), 'Why', { example: 'Asked at the door', personal: true }),
    source: field(
      openChoice(...SOURCES),
      'What said so: a `request`, a `list` of many, a `record` that a person or a program named, or a card on which its person refuses calls, or a `follow_up` that was closed so',
      { example: 'request' },
    ),
    record: nullable(text(), 'The record that it was said of', { example: null }),
    record_version: nullable(count(1), 'The version of the record by then', { example: null }),
    follow_up: nullable(identifier('fup_'), 'The follow-up that was closed so', { example: null }),
    said_by: field(text(), 'Who entered it: a person, an API key, or the operator', {
      example: by,
    }),
    until: nullable(time(), 'Until when; null: until it is lifted', { example: null }),
    inserted_at: field(time(), 'Since when', { example: at }),
    lifted_at: nullable(time(), 'When it was lifted; null: it stands', { example: null }),
    lifted_because: nullable(text(), 'Why it was lifted; null where `until` has passed', {
      example: null,
      personal: true,
    }),
    lifted_by: nullable(text(), 'Who lifted it; null where `until` has passed', { example: null }),
    mark: secret(text(), 'The hash of the value', { orNull: true }),
    mark_key: nullable(text(), 'The name of its key', { to: [] }),
  },
});

/** Times are milliseconds since 1970. */
export type NoContact = ObjectOf<typeof noContact.fields>;

/** Marks of version 1.0: hashes by a key of the service, with the follow-up that was closed so. Entries are made of them. */
export const legacy = ownTable({
  table: 'do_not_contact',
  key: ['of_account', 'mark', 'follow_up'],
  indexes: { follow_up: 'follow_up', record: 'of_account, record' },
  goesWith: 'content',
  about: 'record',
  backup: 'do_not_contact',
  holds: 'What version 1.0 has of whom nobody is to contact: hashes, by a key of the service',
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

const refusal = {
  row: field(count(1), 'Its place, from 1 on', { example: 2 }),
  param: field(text(), 'The member that is wrong', { example: 'phone_number' }),
  message: field(text(), 'What is wrong', {
    example: 'phone_number is not a phone number, such as +14155550123.',
  }),
};

export const noContactAdded = ownObject({
  name: 'do_not_contact_added',
  says: 'How many entries of a list were entered.',
  fields: {
    account: field(identifier('acct_'), 'The account'),
    added: field(
      count(),
      'How many phone numbers and email addresses stand in the register by it',
      {
        example: 998,
      },
    ),
    refused: field(arrayOf('One that was refused.', refusal), 'The rows that were refused', {
      example: [],
    }),
  },
});

export const objects = [noContact, noContactAdded];
export const tables = [noContact, legacy];
export const actions = ['do_not_contact'] as const;
