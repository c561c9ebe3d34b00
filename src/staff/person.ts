/** A person who is signed in, as the rest of the service knows callers. */
import { type Principal, principalOf } from '../auth/principal.ts';
import type { StaffMember, StaffSession } from '../store/staff.ts';
import { permissionsOf, rightsOf } from './roles.ts';

/** `accounts` are those of the person that are open. */
export function principalOfPerson(
  member: StaffMember,
  session: StaffSession,
  accounts: readonly string[],
  expires_at: number,
): Principal {
  const principal = principalOf({
    unique_identifier: member.unique_identifier,
    name: member.name,
    ending: '',
    livemode: true,
    accounts,
    anchors: member.anchors,
    permissions: permissionsOf(member.role),
    resources: null,
    allow: rightsOf(member),
    from: null,
    rate: null,
    concurrent: null,
    inserted_at: member.inserted_at,
    expires_at,
    suspended_at: null,
    revoked_at: null,
    last_used_at: null,
  });
  return { ...principal, person: { member, session } };
}
