/** A hold: what it covers is not forgotten, whatever else removes, erases or ages. */
import { identifier, json, resourceName, time } from '../../core/objects/kinds.ts';
import {
  derived,
  field,
  nullable,
  type ObjectOf,
  ownObject,
  secret,
} from '../../core/objects/own-object.ts';
import { text } from '../../core/schema/fields/index.ts';

const at = '2026-11-20T14:30:00Z';

type ShownHold = Readonly<Record<'unique_identifier' | 'status' | 'record', string>>;

export const hold = ownObject({
  name: 'hold',
  says: 'A hold: while it lasts, the record and all that belongs to it can be changed and not removed.',
  path: '/v1/holds',
  table: 'hold',
  key: ['account', 'unique_identifier'],
  indexes: {
    account: 'account, unique_identifier',
    identifier: 'unique_identifier',
    active: 'account WHERE released_at IS NULL',
  },
  goesWith: 'account',
  backup: 'holds',
  ends: true,
  holds: 'Holds, which keep records from being removed and erased',
  goes: 'Two years after it is released, or when the account is removed',
  identifiers: 'by released_by above',
  printed: {
    columns: [
      ...['unique_identifier', 'status', 'until', 'resource', 'record'],
      ['PLACED', 'inserted_at'],
      'matter',
    ],
    none: 'Nothing is held.',
    told: ({ unique_identifier: id, status, record }: ShownHold) =>
      status === 'active' ? `${id} keeps ${record}.` : `${id} is ${status}.`,
  },
  fields: {
    unique_identifier: field(identifier('hld_'), 'Identifies the hold'),
    account: field(identifier('acct_'), 'The account of the record'),
    resource: field(resourceName(), 'The resource of the record', { example: 'event' }),
    record: field(
      identifier('evt_'),
      'The unique_identifier of the record, or of the account. What belongs to it is held, too, also what arrives later',
      { example: 'evt_036Vq1rXbU9kTqPpLw3aZc' },
    ),
    matter: field(text(), 'What it is kept for', { example: 'Case 2026-118', personal: true }),
    reason: nullable(text(), 'Why', { example: null, personal: true }),
    status: derived(
      text(),
      '`active`, or `released`',
      ({ released_at }: { readonly released_at: number | null }) =>
        released_at === null ? 'active' : 'released',
      { example: 'active' },
    ),
    placed_by: field(text(), 'Who placed it: an API key, a person, or the operator', {
      column: 'by',
      example: 'stf_036Vq1rXbU9kTqPpLw3aZc',
    }),
    until: nullable(time(), 'When it ends by itself, in UTC', { example: null }),
    released_at: nullable(time(), 'When it ended, in UTC', { example: null }),
    released_because: nullable(text(), 'Why it was released; `null` where `until` has passed', {
      example: null,
      personal: true,
    }),
    released_by: nullable(text(), 'Who released it; `null` where `until` has passed', {
      example: null,
    }),
    above: secret(json<readonly string[]>(), 'What the record belongs to, up to the account'),
    inserted_at: field(time(), 'When it was placed, in UTC', { example: at }),
  },
});

export const objects = [hold];
export const tables = [hold];
export const actions = ['hold'] as const;
export const rightsByName = {
  hold: 'to keep records from being removed and erased, and to release them again; no role has it',
};

export type StoredHold = ObjectOf<typeof hold.fields>;
