// Generated from src/core/objects/ by "npm run generate"; do not edit.

import type * as client from '../../../client/src/generated/operations.ts';

/** The API key of the request; never its secret. */
export type ApiKey = client.ApiKey & {
  /** Its secret, shown only in the answer that makes it */
  secret?: string;
  /** Whether it works now, and why it does not */
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** When it was suspended, in UTC */
  suspended_at: string | null;
  /** When it was revoked, in UTC */
  revoked_at: string | null;
  /** When it was last used, in UTC; null: never */
  last_used_at: string | null;
};

/** An import of files. */
export type Import = {
  /** Type name of the object */
  object: 'import';
  /** Identifier of the import */
  unique_identifier: string;
  /** `running`, `finished` or `undone` */
  status: 'running' | 'finished' | 'undone';
  /** The files, without their folders */
  files: ({
    /** Its name */
    name: string;
    /** The resource of its rows, as in paths */
    resource: string;
  })[];
  /** The accounts that it writes to */
  accounts: string[];
  /** The numbers of rows that were `created`, `updated`, `unchanged` and refused (`failed`) */
  counts: {
    created: number;
    updated: number;
    unchanged: number;
    failed: number;
  };
  /** When it began */
  inserted_at: string;
  /** When it last continued, or was undone */
  updated_at: string;
};

/** The last backup that was checked. */
export type Backup = {
  /** Type name of the object */
  object: 'backup';
  /** The moment that it shows; null: none was checked */
  taken_at: string | null;
  /** When it was checked */
  checked_at: string | null;
  /** Whether a newer one should have been checked by now */
  overdue: boolean;
};

/** A person who signs in to the console. */
export type Staff = {
  /** Type name of the object */
  object: 'staff';
  /** Identifier of the person */
  unique_identifier: string;
  /** What tells people apart, in small letters */
  email: string;
  /** Name of the person */
  name: string | null;
  /** What the person may do */
  role: 'viewer' | 'editor' | 'administrator';
  /** The accounts that the person works for */
  accounts: string[];
  /** The locations that the person is limited to; null: whole accounts */
  locations: string[] | null;
  /** Whether the person can sign in */
  status: 'invited' | 'active' | 'disabled';
  /** Whether there is a password */
  password: boolean;
  /** How many passkeys there are */
  passkeys: number;
  /** Whether an identity provider knows the person */
  single_sign_on: boolean;
  /** When the person was invited first */
  inserted_at: string;
  /** When the person last signed in */
  last_signed_in_at: string | null;
  /** When the person was disabled */
  disabled_at: string | null;
  /** Until when the invitation can be used; null: there is none */
  invitation_expires_at: string | null;
};

/** A passkey of a person who signs in. */
export type Passkey = {
  /** Type name of the object */
  object: 'passkey';
  /** Identifier of the passkey */
  unique_identifier: string;
  /** What the person calls it */
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
  /** The network address that it is used from */
  address: string | null;
  /** The browser that it is used in */
  browser: string | null;
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
  /** Name or email of who invites; null: an operator */
  invited_by: string | null;
  /** Whether a password is enough; administrators need a passkey */
  password_allowed: boolean;
  /** Until when it can be used */
  expires_at: string | null;
};
