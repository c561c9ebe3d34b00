/** The rights of people, by their role. */
import { rightsByName } from '../../records/auth/principal.ts';
import type { Permission } from '../../store/promises/keys.ts';
import type { Role, StaffGrant } from '../../store/promises/staff.ts';

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['read'],
  editor: ['read', 'write', 'delete'],
  administrator: ['read', 'write', 'delete'],
};

/** Rights beyond records of a role in whole accounts. A right that is not named here is no role's: each new one needs a decision. */
const RIGHTS: Readonly<Record<Role, readonly string[]>> = {
  viewer: ['requests'],
  editor: ['requests', 'follow_up'],
  administrator: ['requests', 'follow_up', 'sources', 'webhooks'],
};

type Rights = Pick<StaffGrant, 'role' | 'anchors' | 'allow'>;

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role];
}

/** Rights that are limited to locations as records are. */
const LIMITED: readonly string[] = ['follow_up'];

/** Names of the rights beyond records; a person limited to locations has only those that are limited as well. */
export function rightsOf({ role, anchors, allow }: Rights): readonly string[] {
  if (anchors !== null) return RIGHTS[role].filter((right) => LIMITED.includes(right));
  return [...RIGHTS[role], ...allow];
}

/** The first of these rights that only the operator gives, and that this person lacks. */
export function beyond(person: Rights, allow: readonly string[]): string | undefined {
  const own = rightsOf(person);
  return allow.find((right) => rightsByName.includes(right) && !own.includes(right));
}
