/**
 * A change of a record, as the log of changes shows it, and an entry of the history of one record. Both are written as
 * text, in `records/changes/view.ts`: a follower reads thousands of them.
 */

import { OUTCOMES } from '../../schema/define.ts';
import { text } from '../../schema/fields/index.ts';
import { count, identifier, json, openChoice, resourceName, texts, time } from '../kinds.ts';
import { arrayOf, field, nullable, optional, ownObject } from '../own-object.ts';

const object = { type: ['object', 'null'], additionalProperties: true };

const fields = {
  unique_identifier: field(
    identifier('chg_'),
    'Identifier of the change, and its position in the log',
  ),
  account: field(identifier('acct_'), 'unique_identifier of the account'),
  resource: field(resourceName(), 'Resource of the record', { example: 'location' }),
  record: field(identifier('loc_'), 'unique_identifier of the record'),
  location: nullable(
    identifier('loc_'),
    'unique_identifier of the location; null if the record has none',
  ),
  outcome: field(
    openChoice(...OUTCOMES),
    'What was done to the record; `erased` follows `deleted`: purge what you have of it, history, caches, search and backups included; `wiped`: all records of the account were removed at once',
    { example: 'updated' },
  ),
  version: field(count(1), 'The version that the change created', { example: 2 }),
  changed: field(texts(), 'Dotted names of the members that an update or a restore changed', {
    example: ['name'],
  }),
  key: nullable(
    identifier('key_'),
    'unique_identifier of the API key that made the change. null if it was another key, unless yours was created with --allow requests',
  ),
  source: nullable(identifier('src_'), 'unique_identifier of its source; null: unknown'),
  occurred_at: field(time(), 'When, in UTC', { example: '2026-11-21T09:15:42Z' }),
  erasure: optional(identifier('ers_'), 'Only where `outcome` is `erased`: by which erasure', {
    example: 'ers_036Vq1rXbU9kTqPpLw3aZc',
    seldom: true,
  }),
  record_now: optional(
    json(object),
    'Only with `expand[]=record`: the current record; null if it no longer exists',
    { example: null, seldom: true },
  ),
};

export const change = ownObject({
  name: 'change',
  says: 'One change of one record.',
  path: '/v1/changes',
  positioned: true,
  fields,
});

const member = {
  member: field(text(), 'The dotted name of the member'),
  before: field(json(), 'null if the record had no such member'),
  after: field(json(), 'null if the record no longer has it'),
};

const pinned = {
  member: field(text(), 'The dotted name of the member', { example: 'name' }),
  what: field(
    openChoice('pinned', 'proposed', 'kept', 'withdrawn', 'ended'),
    'pinned: a person corrected the member; proposed: a source sent another value; kept: a person kept theirs; withdrawn: the source sends a known value again; ended: the source decides again',
    { example: 'proposed' },
  ),
  proposed: optional(json(), 'The value that the source sent; null if it removes the member', {
    example: 'Riverside Chapel',
  }),
};

export const historyEntry = ownObject({
  name: 'change',
  typeName: 'HistoryEntry',
  says: 'One change of the record, with each member before and after.',
  to: ['api'],
  path: '/v1/locations/{loc_}/history',
  listed: {
    held_by: {
      type: 'string',
      description: 'The hold that keeps the record and its history, if one does',
      examples: ['hld_036Vq1rXbU9kTqPpLw3aZc'],
    },
  },
  fields: {
    ...fields,
    changes: nullable(
      arrayOf('A member that changed.', member),
      'Each member that changed, before and after; null if they are not stored',
      { example: [{ member: 'name', before: 'As it was', after: 'Riverside Chapel' }] },
    ),
    pins: optional(
      arrayOf('A change to a corrected member.', pinned),
      'Present if they changed: the members that staff corrected, with the proposals of sources',
      { example: [{ member: 'name', what: 'pinned' }], seldom: true },
    ),
  },
});
