/** People who sign in, as commands print them. */
import type { StaffMember } from '../store/staff.ts';
import { isoTime } from './time.ts';

export function statusOfStaff(member: StaffMember): 'disabled' | 'active' | 'invited' {
  if (member.disabled_at !== null) return 'disabled';
  return member.password !== null || member.passkeys + member.identities > 0 ? 'active' : 'invited';
}

export function staffJson(member: StaffMember, now: number): object {
  const { invitation_expires_at: until } = member;
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    unique_identifier: member.unique_identifier,
    email: member.email,
    name: member.name,
    role: member.role,
    accounts: member.accounts,
    locations: member.anchors,
    status: statusOfStaff(member),
    password: member.password !== null,
    passkeys: member.passkeys,
    single_sign_on: member.identities > 0,
    inserted_at: isoTime(member.inserted_at),
    last_signed_in_at: time(member.signed_in_at),
    disabled_at: time(member.disabled_at),
    invitation_expires_at: until !== null && until > now ? isoTime(until) : null,
  };
}
