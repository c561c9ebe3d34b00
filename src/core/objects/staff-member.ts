/** A person who signs in: identity, rights, and ways to sign in. */
import { boolean, choice, email, text } from '../schema/fields/index.ts';
import { presentTime } from '../schema/present/present.ts';
import { blankable, count, identifier, jsonTexts, texts, time } from './kinds.ts';
import {
  counted,
  derived,
  field,
  nullable,
  type ObjectOf,
  ownObject,
  STAFF,
  secret,
} from './own-object.ts';
import { STAFF_GOES } from './tables/declaration.ts';

/** Roles of people, from the fewest rights to the most. */
export const roles = ['viewer', 'editor', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** The roles that have a right. */
export interface OfRoles {
  readonly of: readonly Role[];
  /** Whether it is limited to locations as records are: other rights are for those who see whole accounts. */
  readonly limited?: true;
}

const hidden = { to: [] };
const personal = true;

export const staffMember = ownObject({
  name: 'staff',
  says: 'A person who signs in to the console.',
  table: 'staff',
  unique: { email: 'email, apart', invitation: 'invitation_hash' },
  backup: 'staff',
  holds: 'People who sign in',
  goes: STAFF_GOES,
  identifiers: 'accounts anchors password invitation_hash',
  nothing: 'region allow apart',
  to: STAFF,
  fields: {
    unique_identifier: field(identifier('stf_'), 'Identifier of the person'),
    email: field(email(), 'Email address, in lower case; it identifies the person', { personal }),
    apart: field(
      blankable<string>({ column: 'text', shown: {} }),
      'Random, if an administrator invited an email that somebody in other accounts has: the two are different people here',
      hidden,
    ),
    name: nullable(text(), 'Name of the person', { personal }),
    role: field(choice(...roles), 'What the person may do'),
    accounts: field(jsonTexts(), 'Accounts the person works for'),
    anchors: nullable(jsonTexts(), 'Locations the person is limited to; null: whole accounts', {
      as: 'locations',
    }),
    region: nullable(
      text(),
      'The region the person is limited to: `locations` are those that have it at that moment; null: none',
    ),
    allow: field(jsonTexts(), 'Rights that no role has, such as `erase`'),
    status: derived(
      choice('invited', 'active', 'disabled'),
      'Whether the person can sign in',
      statusOfStaff,
    ),
    has_password: derived(
      boolean(),
      'Whether the person has a password',
      ({ password }: { readonly password: string | null }) => password !== null,
      { as: 'password' },
    ),
    passkeys: counted(
      count(),
      'Number of passkeys',
      '(SELECT count(*) FROM staff_passkey WHERE staff_passkey.staff = staff.unique_identifier)',
    ),
    single_sign_on: derived(
      boolean(),
      'Whether an identity provider knows the person',
      ({ identities }: { readonly identities: number }) => identities > 0,
    ),
    inserted_at: field(time(), 'When the person was first invited'),
    signed_in_at: nullable(time(), 'When the person last signed in', { as: 'last_signed_in_at' }),
    disabled_at: nullable(time(), 'When the person was disabled'),
    invited_until: derived(
      time(),
      'When the invitation expires; null: there is none',
      ({ invitation_expires_at: until }: { readonly invitation_expires_at: number | null }, now) =>
        until !== null && until > now ? presentTime(until) : null,
      { as: 'invitation_expires_at', nullable: true },
    ),
    /** The hash, in the form of PHC. */
    password: nullable(text(), 'Hash of the password', hidden),
    identities: counted(
      count(),
      'Number of identity providers that know the person',
      '(SELECT count(*) FROM staff_identity WHERE staff_identity.staff = staff.unique_identifier)',
      hidden,
    ),
    invitation_hash: secret(text(), 'SHA-256 of the token of the invitation, as base64url', {
      orNull: true,
    }),
    invitation_expires_at: nullable(time(), 'When the invitation expires', hidden),
    invited_by: nullable(identifier('stf_'), 'Who invited the person', hidden),
  },
});

/** Times are milliseconds since 1970. */
export type StaffMember = ObjectOf<typeof staffMember.fields>;

export function statusOfStaff({
  disabled_at,
  password,
  passkeys,
  identities,
}: {
  readonly disabled_at: number | null;
  readonly password: string | null;
  readonly passkeys: number;
  readonly identities: number;
}): 'disabled' | 'active' | 'invited' {
  if (disabled_at !== null) return 'disabled';
  return password !== null || passkeys + identities > 0 ? 'active' : 'invited';
}

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
