/** A removal: a record that was removed, with everything below it; and the outcome of restoring it. */
import { catalogue } from '../../errors.ts';
import { text } from '../../schema/fields/index.ts';
import { count, identifier, resourceName, time } from '../kinds.ts';
import { arrayOf, field, nullable, type ObjectOf, ownObject } from '../own-object.ts';

const identity = field(identifier('rem_'), 'Identifies the removal');

const removed = {
  /** Accounts are not among what is removed. */
  resource: field(resourceName(1), 'The resource of the record', { example: 'event' }),
  record: field(identifier('evt_'), 'The unique_identifier of the record'),
  external_identifier: field(text(), 'Your own identifier of the record', {
    example: 'event-1041',
  }),
};

/** Nothing of it is stored by itself: the log of changes has it. */
export const removal = ownObject({
  name: 'removal',
  says: 'A record that was removed, together with everything below it.',
  path: '/v1/removals',
  positioned: true,
  fields: {
    unique_identifier: identity,
    account: field(identifier('acct_'), 'The account of the record'),
    ...removed,
    name: nullable(text(), 'Display name of the record; for a service, the name of the deceased', {
      example: 'Jane Doe',
      personal: true,
    }),
    location: nullable(identifier('loc_'), 'Location of the record; null for a location itself'),
    count: field(count(1), 'Number of removed records, including this one', { example: 11 }),
    version: field(count(1), 'The last version of the record: read it with `?version=`', {
      example: 3,
    }),
    key: nullable(
      identifier('key_'),
      'Who removed it; null unless your key may see the requests of others',
    ),
    removed_at: field(time(), 'When it was removed', { example: '2026-11-21T09:15:42Z' }),
  },
});

const unrestored = {
  ...removed,
  code: field(text(), 'Why it stays removed, as an error code'),
  message: field(text(), 'Why it stays removed, in words'),
};

export const restoredRemoval = ownObject({
  name: 'restored_removal',
  says: 'The outcome of restoring a removal.',
  fields: {
    unique_identifier: identity,
    restored: field(count(), 'Number of restored records', { example: 10 }),
    left: field(
      arrayOf('A record that stays removed.', unrestored),
      'The records that stay removed, at most 100',
      {
        example: [
          {
            resource: 'event',
            record: 'evt_0350uTDm7oFVorN1nSvN5J',
            external_identifier: 'event-1041',
            code: 'record_exists',
            message: catalogue.record_exists.message,
          },
        ],
      },
    ),
    left_count: field(count(), 'Number of records that stay removed', { example: 1 }),
  },
});

export type UnrestoredRecord = ObjectOf<typeof unrestored>;
/** Without the removal that it is of. */
export type RestoredRemoval = Omit<ObjectOf<typeof restoredRemoval.fields>, 'unique_identifier'>;
