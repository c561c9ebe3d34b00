/** A person who is signed in, as the rest of the service knows callers. */

import { apiKey } from '../../core/objects/api-key.ts';
import { type Principal, principalOf } from '../../records/auth/principal.ts';
import type { StaffMember, StaffSession } from '../../store/promises/staff.ts';
import { permissionsOf, rightsOf } from './roles.ts';

/** `accounts` are those of the person that are open. */
export function principalOfPerson(
  member: StaffMember,
  session: StaffSession,
  accounts: readonly string[],
  expires_at: number,
): Principal {
  const principal = principalOf({
    ...apiKey.nulls,
    unique_identifier: member.unique_identifier,
    name: member.name,
    ending: '',
    livemode: true,
    accounts,
    anchors: member.anchors,
    region: member.region,
    permissions: permissionsOf(member.role),
    allow: rightsOf(member),
    inserted_at: member.inserted_at,
    expires_at,
  });
  return { ...principal, person: { member, session } };
}
