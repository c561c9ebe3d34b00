/** An API key: what it is for, what it may do, how much, and until when. */
import { boolean, choice, text, wholeNumber } from '../schema/fields/index.ts';
import { bytes, identifier, identifiers, number, texts, time } from './kinds.ts';
import { derived, field, nullable, type ObjectOf, ownObject, STAFF, secret } from './own-object.ts';

/** Permissions of keys on records, in the order in which they are shown. */
export const permissions = ['read', 'write', 'delete'] as const;
export type Permission = (typeof permissions)[number];

export const MAX_AT_ONCE = 10_000;

const settable = true;
export const MAX_KEY_NAME = 500;

export const apiKey = ownObject({
  name: 'api_key',
  says: 'An API key. Its secret is shown once, when it is created.',
  table: 'api_key',
  unique: { hash: 'hash' },
  backup: 'keys',
  holds: 'API keys, without their secrets',
  goes: 'When the last account of the key is removed. Its name stays until then: name keys after systems, not people',
  content: 'name',
  identifiers: 'hash ending from',
  nothing: 'region permissions resources allow',
  fields: {
    unique_identifier: field(identifier('key_'), 'Identifier of the key'),
    secret: derived(
      text(),
      'Its secret, shown only when it is created',
      ({ secret = null }: { readonly secret?: string | null }) => secret,
      { to: STAFF, leftOut: true, seldom: true },
    ),
    status: derived(
      choice('active', 'suspended', 'expired', 'revoked'),
      'Whether it works now, and why it does not',
      statusOf,
      { to: STAFF },
    ),
    hash: secret(bytes(), 'SHA-256 of the secret'),
    name: nullable(text({ max: MAX_KEY_NAME }), 'Name that the operator gave it', {
      example: 'Lobby tablet',
      settable,
    }),
    ending: field(text(), 'The last four characters of the secret', { example: 'x7Qd' }),
    livemode: field(boolean(), 'Whether it is for live or for test accounts', { example: true }),
    accounts: field(identifiers('acct_'), 'Its open accounts, by their unique identifiers', {
      settable,
    }),
    anchors: nullable(identifiers('loc_'), 'The locations it is limited to; null: whole accounts', {
      as: 'locations',
      settable,
    }),
    region: nullable(
      text(),
      'The region it is limited to: `locations` are those that have it at that moment; null: none',
      { settable },
    ),
    permissions: field(
      texts<Permission>(),
      'What it may do with records: `read`, `write`, `delete`',
      { example: ['read', 'write'], settable },
    ),
    resources: nullable(texts(), 'The resources it is limited to, by their path names; null: all', {
      example: ['event_check_in_records'],
      settable,
    }),
    allow: field(texts(), 'Its rights beyond records', { example: [], settable }),
    from: nullable(texts(), 'The networks it works from; null: any address', {
      example: ['203.0.113.0/24'],
      settable,
    }),
    requests_a_second: nullable(
      number(),
      'Its own rate limit; null: that of the service, if there is one',
      { example: 20, settable },
    ),
    requests_at_once: nullable(
      wholeNumber({ min: 1, max: MAX_AT_ONCE }),
      'Its own limit of concurrent requests; null: none',
      { example: 4, settable },
    ),
    inserted_at: field(time(), 'When it was created, in UTC', { example: '2026-11-20T14:30:00Z' }),
    expires_at: nullable(time(), 'When it expires, in UTC; null: never', {
      example: '2027-11-20T14:30:00Z',
      settable,
    }),
    suspended_at: nullable(time(), 'When it was suspended, in UTC', { to: STAFF }),
    revoked_at: nullable(time(), 'When it was revoked, in UTC', { to: STAFF }),
    last_used_at: nullable(time(), 'When it was last used, in UTC; null: never', { to: STAFF }),
    used_by: derived(
      texts(),
      'What works by it and stops when it ends: webhook endpoints, by their unique identifiers',
      ({ used_by }: { readonly used_by?: readonly string[] }) => (used_by ? [...used_by] : null),
      { to: STAFF, leftOut: true },
    ),
  },
});

export type StoredKey = ObjectOf<typeof apiKey.fields>;

export type NewKey = Omit<
  StoredKey,
  'unique_identifier' | 'livemode' | 'inserted_at' | 'suspended_at' | 'revoked_at' | 'last_used_at'
> & {
  readonly hash: Uint8Array;
  /** The source of what it writes: by name, or that of another key. Left out: one of its own, named as the key. */
  readonly source?: { readonly name?: string; readonly of?: string };
};

/** A revoked key stays revoked, in any other state. */
export function statusOf(
  {
    revoked_at,
    expires_at,
    suspended_at,
  }: Readonly<Record<'revoked_at' | 'expires_at' | 'suspended_at', number | null>>,
  now: number,
): 'active' | 'suspended' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && expires_at <= now) return 'expired';
  return suspended_at === null ? 'active' : 'suspended';
}
