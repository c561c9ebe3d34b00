/** People and sessions, as the console is shown them. */

import { present } from '../../core/objects/own-object.ts';
import { type StaffMember, staffMember } from '../../core/objects/staff-member.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { endOf, IDLE_MS, RECENT_MS } from '../../services/staff/sessions.ts';
import type { Account } from '../../store/promises/store.ts';

export function presentStaff(member: StaffMember, now: number): object {
  return present(staffMember, member, 'console', now);
}

/** The signed-in person, as the page needs them. */
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

export function timeOrNull(time: number | null): string | null {
  return time === null ? null : presentTime(time);
}
