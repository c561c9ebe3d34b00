/** A pin, by which what staff corrected stays corrected; and a proposal of a source to store another value. */
import { text } from '../../schema/fields/index.ts';
import { identifier, json, openChoice, resourceName, time } from '../kinds.ts';
import { field, nullable, ownObject } from '../own-object.ts';

const member = field(text(), 'The dotted name of the member', { example: 'visitor_full_name' });
const pinned_at = field(time(), 'When it was corrected', { example: '2026-11-21T09:15:42Z' });
const pinned_by = nullable(
  identifier('key_'),
  'Who corrected it; null unless the key may see the requests of others',
);

/** Part of a record, and shown by itself. */
export const pin = ownObject({
  name: 'pin',
  says: 'A member of a record that staff corrected. Values that sources send for it are not stored, but proposed.',
  path: '/v1/event_check_in_records/{ecr_}/pins',
  fields: {
    member,
    stored: nullable(json(), 'Its value; null if staff removed it', {
      example: 'Jane Doe',
      personal: true,
    }),
    supplied: nullable(json(), 'The value of the source before; null if there was none', {
      example: 'Jane Do',
      personal: true,
    }),
    pinned_by,
    pinned_at,
    proposal: nullable(identifier('prp_'), 'The open proposal for it, if there is one'),
  },
});

export const proposal = ownObject({
  name: 'proposal',
  says: 'Another value that a source sends for a member that staff corrected, until a person decides.',
  path: '/v1/proposals',
  fields: {
    unique_identifier: field(identifier('prp_'), 'Identifies the proposal'),
    status: field(
      openChoice('open', 'accepted', 'kept'),
      '`open`, or the decision that was just made',
      { example: 'open' },
    ),
    account: field(identifier('acct_'), 'The account of the record'),
    location: nullable(identifier('loc_'), 'Location of the record; null for a location itself'),
    resource: field(resourceName(1), 'The resource of the record', {
      example: 'event_check_in_record',
    }),
    record: field(identifier('ecr_'), 'The unique_identifier of the record'),
    external_identifier: field(text(), 'Your own identifier of the record', {
      example: 'visitor-17',
    }),
    name: nullable(text(), 'Display name of the record; for a service, the name of the deceased', {
      example: 'Jane Doe',
      personal: true,
    }),
    member,
    stored: nullable(json(), 'The stored value, as staff corrected it; null if they removed it', {
      example: 'Jane Doe',
      personal: true,
    }),
    proposed: nullable(json(), 'The value that the source sent; null if it removes the member', {
      example: 'Jane D.',
      personal: true,
    }),
    source: nullable(identifier('src_'), 'The source that sent it; null: unknown'),
    proposed_by: nullable(
      identifier('key_'),
      'Who sent it; null unless the key may see the requests of others, or is that key',
    ),
    proposed_at: field(time(), 'When it was sent', { example: '2026-11-22T02:00:07Z' }),
    pinned_by,
    pinned_at,
  },
});
