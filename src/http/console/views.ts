/** People and sessions, as the console is shown them. */
import type { Principal } from '../../auth/principal.ts';
import { presentTime } from '../../schema/present.ts';
import { endOf, IDLE_MS, RECENT_MS } from '../../staff/sessions.ts';
import type { Passkey, StaffMember, StaffSession } from '../../store/staff.ts';
import type { Account } from '../../store/store.ts';

export function presentStaff(member: StaffMember, now: number): object {
  const invited = member.invitation_expires_at !== null && member.invitation_expires_at > now;
  const ways = member.password !== null || member.passkeys > 0 || member.identities > 0;
  return {
    object: 'staff',
    unique_identifier: member.unique_identifier,
    email: member.email,
    name: member.name,
    role: member.role,
    accounts: member.accounts,
    locations: member.anchors,
    status: member.disabled_at !== null ? 'disabled' : ways ? 'active' : 'invited',
    password: member.password !== null,
    passkeys: member.passkeys,
    single_sign_on: member.identities > 0,
    inserted_at: presentTime(member.inserted_at),
    last_signed_in_at: timeOrNull(member.signed_in_at),
    disabled_at: timeOrNull(member.disabled_at),
    invitation_expires_at: invited ? timeOrNull(member.invitation_expires_at) : null,
  };
}

/** What a page needs to know of who is signed in. */
export function presentSession(
  { permissions, allow, scope }: Principal,
  { member, session }: NonNullable<Principal['person']>,
  accounts: readonly Account[],
  now: number,
): object {
  return {
    object: 'console_session',
    unique_identifier: session.unique_identifier,
    method: session.method,
    signed_in_at: presentTime(session.inserted_at),
    recent_until: presentTime(session.proved_at + RECENT_MS),
    idle_after_seconds: IDLE_MS / 1000,
    ends_at: presentTime(endOf(session)),
    staff: presentStaff(member, now),
    accounts: accounts
      .filter(({ unique_identifier }) => scope.accounts.has(unique_identifier))
      .map(({ unique_identifier, name, livemode }) => ({ unique_identifier, name, livemode })),
    locations: member.anchors,
    permissions,
    allow: [...allow],
    may_administer: member.role === 'administrator',
  };
}

export function presentSessionEntry(session: StaffSession, current: StaffSession): object {
  return {
    object: 'session',
    unique_identifier: session.unique_identifier,
    current: session.unique_identifier === current.unique_identifier,
    method: session.method,
    inserted_at: presentTime(session.inserted_at),
    seen_at: presentTime(session.seen_at),
    address: session.address,
    browser: session.browser,
  };
}

export function presentPasskey(passkey: Passkey): object {
  return {
    object: 'passkey',
    unique_identifier: passkey.unique_identifier,
    name: passkey.name,
    inserted_at: presentTime(passkey.inserted_at),
    last_used_at: timeOrNull(passkey.used_at),
  };
}

export function timeOrNull(time: number | null): string | null {
  return time === null ? null : presentTime(time);
}
