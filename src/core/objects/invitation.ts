/** An invitation, as shown to the person who follows its link. */
import { boolean, choice, email, text } from '../schema/fields/index.ts';
import { texts, time } from './kinds.ts';
import { derived, field, nullable, ownObject } from './own-object.ts';
import { type Role, roles } from './staff-member.ts';

const personal = true;

export const staffInvitation = ownObject({
  name: 'invitation',
  says: 'An invitation to sign in.',
  to: ['console'],
  fields: {
    email: field(email(), 'Who is invited', { personal }),
    name: nullable(text(), 'Name of the person', { personal }),
    role: field(choice(...roles), 'What the person may do'),
    accounts: field(texts(), 'The names of the accounts that the person works for'),
    invited_by: nullable(text(), 'Name or email address of the inviter; null: an operator', {
      personal,
    }),
    password_allowed: derived(
      boolean(),
      'Whether a password is enough; administrators need a passkey',
      ({ role }: { readonly role: Role }) => role !== 'administrator',
    ),
    invitation_expires_at: nullable(time(), 'When it expires', { as: 'expires_at' }),
  },
});
