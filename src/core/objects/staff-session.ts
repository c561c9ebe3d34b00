/** A session of a person who signed in. */
import { choice, text } from '../schema/fields/index.ts';
import { identifier, time } from './kinds.ts';
import {
  field,
  nullable,
  type ObjectOf,
  ownObject,
  ownTable,
  STAFF,
  secret,
} from './own-object.ts';

const hidden = { to: [] };

export const staffSession = ownObject({
  name: 'session',
  typeName: 'StaffSession',
  says: 'A session of a person who signed in.',
  table: 'staff_session',
  key: ['hash'],
  indexes: { staff: 'staff, unique_identifier' },
  holds: 'Sessions of people who sign in',
  goes: 'Within twelve hours',
  identifiers: 'hash address browser',
  to: STAFF,
  fields: {
    hash: secret(text(), 'SHA-256 of the token, as base64url'),
    unique_identifier: field(identifier('ses_'), 'Identifier of the session'),
    staff: field(identifier('stf_'), 'Whose it is', hidden),
    method: field(choice('password', 'passkey', 'single_sign_on'), 'How the person signed in'),
    proved_at: field(time(), 'When the person last proved who they are', hidden),
    inserted_at: field(time(), 'When it was opened'),
    seen_at: field(time(), 'When it was last used'),
    address: nullable(text(), 'Network address it was last used from', { personal: true }),
    browser: nullable(text(), 'Browser it was last used in', { personal: true }),
  },
});

export type StaffSession = ObjectOf<typeof staffSession.fields>;

/** Questions to a browser that have been answered, each once, and the keys that they were signed with. */
export const staffCeremony = ownTable({
  table: 'staff_ceremony',
  key: ['hash'],
  indexes: { expires_at: 'expires_at' },
  holds: 'Which sign-ins were answered, and the keys of questions',
  goes: 'Within hours, a key within a year',
  content: 'content',
  identifiers: 'hash',
  nothing: 'purpose',
  fields: {
    hash: field(text(), 'What names it, or its SHA-256'),
    purpose: field(text(), 'What it is for'),
    content: field(text(), 'A key'),
    expires_at: field(time(), 'When it ends'),
  },
});
