/** A passkey of a person who signs in. */
import { text } from '../schema/fields/index.ts';
import { count, identifier, jsonTexts, time } from './kinds.ts';
import { field, nullable, type ObjectOf, ownObject, ownTable, STAFF } from './own-object.ts';
import { STAFF_GOES } from './tables/declaration.ts';

const hidden = { to: [] };

export const passkey = ownObject({
  name: 'passkey',
  says: 'A passkey of a person who signs in.',
  table: 'staff_passkey',
  indexes: { staff: 'staff' },
  unique: { credential: 'credential' },
  backup: 'staff_passkeys',
  holds: 'Passkeys of people who sign in',
  goes: STAFF_GOES,
  identifiers: 'credential public_key',
  nothing: 'transports',
  to: STAFF,
  fields: {
    unique_identifier: field(identifier('pky_'), 'Identifier of the passkey'),
    staff: field(identifier('stf_'), 'Whose it is', hidden),
    credential: field(text(), 'Its identifier in the authenticator, as base64url', hidden),
    public_key: field(text(), 'Public key in COSE form, as base64url', hidden),
    counter: field(count(), 'How often the authenticator counts it; 0 where it does not', hidden),
    transports: field(jsonTexts(), 'How browsers reach the authenticator', hidden),
    name: nullable(text(), 'Name that the person gave it', { personal: true }),
    inserted_at: field(time(), 'When it was added'),
    used_at: nullable(time(), 'When it was last used', { as: 'last_used_at' }),
  },
});

export type Passkey = ObjectOf<typeof passkey.fields>;

export const staffIdentity = ownTable({
  table: 'staff_identity',
  key: ['issuer', 'subject'],
  indexes: { staff: 'staff' },
  backup: 'staff_identities',
  holds: 'Who people are at a provider of single sign-on',
  goes: STAFF_GOES,
  identifiers: 'issuer subject',
  fields: {
    issuer: field(text(), 'The provider'),
    subject: field(text(), 'What it calls the person'),
    staff: field(identifier('stf_'), 'The person'),
    inserted_at: field(time(), 'When they first signed in with it'),
  },
});
