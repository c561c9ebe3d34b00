/** An erasure: the request of a person to be forgotten, what was found of them, and what became of it. */

import { text } from '../../schema/fields/index.ts';
import type { Cursor } from '../../schema/id.ts';
import {
  checksum,
  count,
  identifier,
  json,
  jsonTexts,
  openChoice,
  resourceName,
  time,
} from '../kinds.ts';
import {
  arrayOf,
  field,
  given,
  nullable,
  type ObjectOf,
  ownObject,
  secret,
} from '../own-object.ts';
import { audienceFields, type ErasureAudience, proofFields } from './erasure-audience.ts';

const heldBy =
  'The hold that keeps the record, which waits until that is released; or the retention rule, which it waits for until it is old enough';

/** The reason of matches that have a name that is spelt nearly so. */
export const SIMILAR = 'similar_name';

/** Whether a name that is spelt nearly so is all that a match was found by: it may be another person. */
export function isSimilar({ reasons }: { readonly reasons: readonly string[] }): boolean {
  return reasons.every((reason) => reason === SIMILAR);
}

const match = {
  resource: field(resourceName(1), 'The resource of the record'),
  record: field(identifier('ecr_'), 'The unique_identifier of the record'),
  reasons: field(
    jsonTexts(),
    'What it was found by: `phone_number`, `email_address`, `name`, `name_and_date`, a `similar_name`, or `named` by its identifier; `mentioned` in free-form text; in an `earlier_version`; in what it held before it was `removed`',
  ),
  held_by: given(identifier('hld_'), heldBy, {
    example: 'hld_036Vq1rXbU9kTqPpLw3aZc',
    leftOut: true,
  }),
};

const left = {
  record: field(identifier('evt_'), 'The unique_identifier of the record', {
    example: 'evt_036Vq1rXbU9kTqPpLw3aZc',
  }),
  code: field(
    text(),
    'Why it was not erased: `record_held`, `record_has_children`, or `resource_missing`',
    { example: 'record_has_children' },
  ),
  held_by: nullable(identifier('hld_'), heldBy, { example: null }),
};

/** How far the look has come: through records of a resource, the log, or refused rows. */
export type LookPlace = ScanPlace | { readonly in: 'rows' };

export type ScanPlace =
  | { readonly in: 'records'; readonly resource: string; readonly after?: string }
  | { readonly in: 'log'; readonly after?: Cursor };

export type ErasureMatch = ObjectOf<typeof match>;
export type ErasureLeft = ObjectOf<typeof left>;

const at = '2026-11-20T14:30:00Z';

export const erasure = ownObject({
  name: 'erasure',
  says: 'An erasure: the request of a person to be forgotten, and what became of it.',
  path: '/v1/erasures',
  table: 'erasure',
  indexes: {
    account: 'of_account, unique_identifier, "by", status',
    running: "unique_identifier WHERE status IN ('running', 'waiting')",
    looking: 'unique_identifier WHERE look_place IS NOT NULL',
    ended: "updated_at WHERE status IN ('done', 'closed')",
  },
  goesWith: 'account',
  backup: 'erasures',
  ends: true,
  holds: 'Requests of people to be forgotten',
  goes: '24 months after it ended, since it proves what was done, or when the account is removed; what the person sent is encrypted, and goes when it ends; what the records held is encrypted, and goes when it ends, too',
  content: 'reference basis selectors traces',
  identifiers: 'matches chosen past_only left_over named_in look_place by',
  nothing: 'places image_hosts',
  fields: {
    unique_identifier: field(identifier('ers_'), 'Identifies the erasure'),
    account: field(identifier('acct_'), 'The account in which records are erased', {
      column: 'of_account',
    }),
    status: field(
      openChoice('ready', 'running', 'waiting', 'done', 'closed'),
      '`ready`: look at the matches, and choose; `waiting`: something of it is held, and is erased when the hold is released; `done`: what was chosen is erased; `closed`: it ended without that',
      { example: 'ready' },
    ),
    reference: nullable(
      text(),
      'What you call the request; null as well if only the journal of erasures tells of it, after a restore',
      { example: 'letter of 20 November' },
    ),
    received_at: field(time(), 'When the person asked, in UTC', { example: at }),
    due_at: field(time(), '45 days later, in UTC', { example: '2027-01-04T14:30:00Z' }),
    matches: field(
      arrayOf('A record that was found.', match),
      'The records that were found. Landlines are shared and names are common: you choose',
      {
        example: [
          {
            resource: 'event_check_in_record',
            record: 'ecr_036Vq1rXbU9kTqPpLw3aZc',
            reasons: ['phone_number'],
          },
        ] as never,
      },
    ),
    records: field(jsonTexts(), 'The unique_identifiers of the records that were chosen', {
      column: 'chosen',
      example: [],
    }),
    past_only: field(jsonTexts(), 'Records of which only earlier versions go', { example: [] }),
    left: field(
      arrayOf('A record that was chosen and is not erased.', left),
      'What was chosen and could not be erased',
      { column: 'left_over', example: [] },
    ),
    erased: given(count(), 'How many records are erased', { example: 0 }),
    looked: field(
      openChoice('index', 'everywhere', 'too_many'),
      '`index`: found by what is indexed, and the rest is looked through meanwhile: earlier versions, removed records, free-form text, refused rows of imports, and names of keys, endpoints and files; `everywhere`: that is through; `too_many`: it found more than 1,000 records, and stopped',
      { example: 'everywhere' },
    ),
    refused_rows: field(
      count(),
      'How many refused rows of imports mention the person; they go with the first records that are erased',
      { example: 0 },
    ),
    named_in: field(
      jsonTexts(),
      'What people of the account have named or described so that it mentions the person: unique_identifiers of API keys, webhook endpoints, imports by the names of their files, sources, colleagues, holds and retention rules. No erasure changes these: rename or remove them',
      { example: ['imp_036Vq1rXbU9kTqPpLw3aZc'] },
    ),
    ...audienceFields,
    ...proofFields,
    basis: nullable(text(), 'Why it was closed without erasing anything more', { example: null }),
    selectors: nullable(text(), 'What is known of the person, sealed, until the erasure ends', {
      to: [],
    }),
    traces: nullable(text(), 'What the erased records held, sealed, while it runs', { to: [] }),
    place: nullable(json<LookPlace>(), 'How far the look has come', {
      column: 'look_place',
      to: [],
    }),
    by: field(text(), 'Who began it', { to: [] }),
    revision: field(count(), 'How often it was changed', { to: [] }),
    inserted_at: field(time(), 'When it was made, in UTC', { example: at }),
    updated_at: field(time(), 'When it was last changed, in UTC', { example: at }),
    sum: secret(checksum(), 'CRC-32 of the other columns', { orNull: true }),
  },
});

export type StoredErasure = ObjectOf<typeof erasure.fields>;

/** The object as it is shown. */
export type ErasureView = StoredErasure & ErasureAudience & { readonly erased: number };
