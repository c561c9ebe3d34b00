/** The rights of people, by their role. */
import type { OfRoles } from '../../core/objects/staff-member.ts';
import { featureRoles } from '../../features/declares.ts';
import { rightsByName } from '../../records/auth/principal.ts';
import type { Permission } from '../../store/promises/keys.ts';
import type { Role, StaffGrant } from '../../store/promises/staff.ts';

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['read'],
  editor: ['read', 'write', 'delete'],
  administrator: ['read', 'write', 'delete'],
};

/** Rights beyond records. One that is not named here or by its feature is no role's: each new one needs a decision. */
const RIGHTS: Readonly<Record<string, OfRoles>> = {
  requests: { of: ['viewer', 'editor', 'administrator'] },
  sources: { of: ['administrator'] },
  ...featureRoles,
};

type Rights = Pick<StaffGrant, 'role' | 'anchors' | 'allow'>;

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role];
}

/** Names of the rights beyond records; a person limited to locations has only those that are limited as well. */
export function rightsOf({ role, anchors, allow }: Rights): readonly string[] {
  const own = Object.entries(RIGHTS).flatMap(([right, { of, limited }]) =>
    of.includes(role) && (anchors === null || limited) ? right : [],
  );
  return anchors === null ? [...own, ...allow] : own;
}

/** The first of these rights that only the operator gives, and that this person lacks. */
export function beyond(person: Rights, allow: readonly string[]): string | undefined {
  const own = rightsOf(person);
  return allow.find((right) => rightsByName.includes(right) && !own.includes(right));
}
