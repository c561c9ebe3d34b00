/** A passkey of a person who signs in. */
import { text } from '../schema/fields/index.ts';
import { count, identifier, json, time } from './kinds.ts';
import { field, nullable, type ObjectOf, ownObject, STAFF } from './own-object.ts';

const hidden = { to: [] };

export const passkey = ownObject({
  name: 'passkey',
  typeName: 'Passkey',
  says: 'A passkey of a person who signs in.',
  table: 'staff_passkey',
  key: ['unique_identifier'],
  to: STAFF,
  fields: {
    unique_identifier: field(identifier('pky_'), 'Identifier of the passkey'),
    staff: field(identifier('stf_'), 'Whose it is', hidden),
    credential: field(text(), 'Its identifier in the authenticator, as base64url', hidden),
    public_key: field(text(), 'Public key in COSE form, as base64url', hidden),
    counter: field(count(), 'How often the authenticator counts it; 0 where it does not', hidden),
    transports: field(json<readonly string[]>(), 'How browsers reach the authenticator', hidden),
    name: nullable(text(), 'Name that the person gave it', { personal: true }),
    inserted_at: field(time(), 'When it was added'),
    used_at: nullable(time(), 'When it was last used', { as: 'last_used_at' }),
  },
});

export type Passkey = ObjectOf<typeof passkey.fields>;
