/** A removal: a record that was removed, with all that went with it; and what becomes of it when it is restored. */
import { catalogue } from '../../errors.ts';
import { text } from '../../schema/fields/index.ts';
import { count, identifier, resourceName, time } from '../kinds.ts';
import { arrayOf, field, nullable, type ObjectOf, ownObject } from '../own-object.ts';

const identity = field(identifier('rem_'), 'Identifies the removal');

/** The known members of a removed record. */
const removed = {
  /** Accounts are not among what is removed. */
  resource: field(resourceName(1), 'The resource of the record', { example: 'event' }),
  record: field(identifier('evt_'), 'The unique_identifier of the record'),
  external_identifier: field(text(), 'Your own identifier of it', { example: 'event-1041' }),
};

/** Nothing of it is stored by itself: the log of changes has it. */
export const removal = ownObject({
  name: 'removal',
  typeName: 'Removal',
  says: 'What was removed at once, by the record that it began with.',
  path: '/v1/removals',
  positioned: true,
  fields: {
    unique_identifier: identity,
    account: field(identifier('acct_'), 'The account of the record'),
    ...removed,
    name: nullable(text(), 'What the record is called: of a service, the name of the person', {
      example: 'Jane Doe',
      personal: true,
    }),
    location: nullable(identifier('loc_'), 'Where the record was; null for a location itself'),
    count: field(count(1), 'How many records were removed, this one and all that went with it', {
      example: 11,
    }),
    version: field(count(1), 'The last version of the record: read it with `?version=`', {
      example: 3,
    }),
    key: nullable(
      identifier('key_'),
      'Who removed it; null unless the key may see the requests of others',
    ),
    removed_at: field(time(), 'When it was removed', { example: '2026-11-21T09:15:42Z' }),
  },
});

const unrestored = {
  ...removed,
  code: field(text(), 'Why it stays removed, as the code of an error'),
  message: field(text(), 'Why it stays removed, in words'),
};

export const restoredRemoval = ownObject({
  name: 'restored_removal',
  typeName: 'RestoredRemoval',
  says: 'What became of a restore.',
  fields: {
    unique_identifier: identity,
    restored: field(count(), 'How many records were restored', { example: 10 }),
    left: field(
      arrayOf('A record that stays removed.', unrestored),
      'The first 100 of the records that stay removed',
      {
        example: [
          {
            ...{ resource: 'event', record: 'evt_0350uTDm7oFVorN1nSvN5J' },
            ...{ external_identifier: 'event-1041', code: 'record_exists' },
            message: catalogue.record_exists.message,
          },
        ],
      },
    ),
    left_count: field(count(), 'How many records stay removed', { example: 1 }),
  },
});

export type UnrestoredRecord = ObjectOf<typeof unrestored>;
/** Without the removal that it is of. */
export type RestoredRemoval = Omit<ObjectOf<typeof restoredRemoval.fields>, 'unique_identifier'>;
