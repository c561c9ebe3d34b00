/** People who sign in as rows of tables, of whichever store. Lists are JSON arrays. */
import type { Passkey, Role, SignInMethod, StaffMember, StaffSession } from './staff.ts';

export type StaffRow = readonly [
  unique_identifier: string,
  email: string,
  name: string | null,
  role: string,
  accounts: string,
  anchors: string | null,
  password: string | null,
  passkeys: number,
  identities: number,
  invitation_expires_at: number | null,
  invited_by: string | null,
  inserted_at: number,
  disabled_at: number | null,
  signed_in_at: number | null,
];

export function toMember(row: StaffRow): StaffMember {
  const [unique_identifier, email, name, role, accounts, anchors, password, ...rest] = row;
  const [passkeys, identities, invitation_expires_at, invited_by, ...times] = rest;
  const [inserted_at, disabled_at, signed_in_at] = times;
  return {
    unique_identifier,
    email,
    name,
    role: role as Role,
    accounts: JSON.parse(accounts) as string[],
    anchors: anchors === null ? null : (JSON.parse(anchors) as string[]),
    password,
    passkeys,
    identities,
    invitation_expires_at,
    invited_by,
    inserted_at,
    disabled_at,
    signed_in_at,
  };
}

export type PasskeyRow = readonly [
  unique_identifier: string,
  staff: string,
  credential: string,
  public_key: string,
  counter: number,
  transports: string,
  name: string | null,
  inserted_at: number,
  used_at: number | null,
];

export function toPasskey(row: PasskeyRow): Passkey {
  const [unique_identifier, staff, credential, public_key, counter, transports, ...rest] = row;
  const [name, inserted_at, used_at] = rest;
  return {
    unique_identifier,
    staff,
    credential,
    public_key,
    counter,
    transports: JSON.parse(transports) as string[],
    name,
    inserted_at,
    used_at,
  };
}

export type SessionRow = readonly [
  unique_identifier: string,
  staff: string,
  method: string,
  address: string | null,
  browser: string | null,
  proved_at: number,
  inserted_at: number,
  seen_at: number,
];

/** How many columns it has. */
export const SESSION_WIDTH = 8;

export function toSession(row: SessionRow): StaffSession {
  const [unique_identifier, staff, method, address, browser, proved_at, ...times] = row;
  const [inserted_at, seen_at] = times;
  return {
    unique_identifier,
    staff,
    method: method as SignInMethod,
    address,
    browser,
    proved_at,
    inserted_at,
    seen_at,
  };
}
