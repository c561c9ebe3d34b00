// Generated from src/core/objects/ by "npm run generate"; do not edit.

import type * as client from '../../../client/src/generated/objects.d.ts';

/** An API key. Its secret is shown once, when it is created. */
export type ApiKey = client.ApiKey & {
  /** Its secret, shown only when it is created */
  secret?: string;
  /** Whether it works now, and why it does not */
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** When it was suspended, in UTC */
  suspended_at: string | null;
  /** When it was revoked, in UTC */
  revoked_at: string | null;
  /** When it was last used, in UTC; null: never */
  last_used_at: string | null;
  /** What works by it and stops when it ends: webhook endpoints, by their unique identifiers */
  used_by?: string[];
};

/** The last backup that was checked. */
export type Backup = {
  /** Type name of the object */
  object: 'backup';
  /** The moment it was taken; null: none was checked */
  taken_at: string | null;
  /** When it was checked */
  checked_at: string | null;
  /** Whether a newer one should have been checked by now */
  overdue: boolean;
};

/** An invitation to sign in. */
export type Invitation = {
  /** Type name of the object */
  object: 'invitation';
  /** Who is invited */
  email: string;
  /** Name of the person */
  name: string | null;
  /** What the person may do */
  role: 'viewer' | 'editor' | 'administrator';
  /** The names of the accounts that the person works for */
  accounts: string[];
  /** Name or email address of the inviter; null: an operator */
  invited_by: string | null;
  /** Whether a password is enough; administrators need a passkey */
  password_allowed: boolean;
  /** When it expires */
  expires_at: string | null;
};

/** A passkey of a person who signs in. */
export type Passkey = {
  /** Type name of the object */
  object: 'passkey';
  /** Identifier of the passkey */
  unique_identifier: string;
  /** Name that the person gave it */
  name: string | null;
  /** When it was added */
  inserted_at: string;
  /** When it was last used */
  last_used_at: string | null;
};

/** A session of a person who signed in. */
export type StaffSession = {
  /** Type name of the object */
  object: 'session';
  /** Identifier of the session */
  unique_identifier: string;
  /** How the person signed in */
  method: 'password' | 'passkey' | 'single_sign_on';
  /** When it was opened */
  inserted_at: string;
  /** When it was last used */
  seen_at: string;
  /** Network address it was last used from */
  address: string | null;
  /** Browser it was last used in */
  browser: string | null;
};

/** A person who signs in to the console. */
export type Staff = {
  /** Type name of the object */
  object: 'staff';
  /** Identifier of the person */
  unique_identifier: string;
  /** Email address, in lower case; it identifies the person */
  email: string;
  /** Name of the person */
  name: string | null;
  /** What the person may do */
  role: 'viewer' | 'editor' | 'administrator';
  /** Accounts the person works for */
  accounts: string[];
  /** Locations the person is limited to; null: whole accounts */
  locations: string[] | null;
  /** The region the person is limited to: `locations` are those that have it at that moment; null: none */
  region: string | null;
  /** Rights that no role has, such as `erase` */
  allow: string[];
  /** Whether the person can sign in */
  status: 'invited' | 'active' | 'disabled';
  /** Whether the person has a password */
  password: boolean;
  /** Number of passkeys */
  passkeys: number;
  /** Whether an identity provider knows the person */
  single_sign_on: boolean;
  /** When the person was first invited */
  inserted_at: string;
  /** When the person last signed in */
  last_signed_in_at: string | null;
  /** When the person was disabled */
  disabled_at: string | null;
  /** When the invitation expires; null: there is none */
  invitation_expires_at: string | null;
};
