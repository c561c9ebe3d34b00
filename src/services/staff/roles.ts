/** The rights of people, by their role. */
import type { Permission } from '../../store/promises/keys.ts';
import type { Role, StaffGrant } from '../../store/promises/staff.ts';

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['read'],
  editor: ['read', 'write', 'delete'],
  administrator: ['read', 'write', 'delete'],
};

/**
 * Of rights beyond records, those that a role has in whole accounts. No role has a right that is not named here, so
 * each new one needs a decision.
 */
const RIGHTS: Readonly<Record<Role, readonly string[]>> = {
  viewer: ['requests'],
  editor: ['requests'],
  administrator: ['requests', 'sources', 'webhooks'],
};

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role];
}

/** Names of the rights beyond records; a person limited to locations has none. */
export function rightsOf({ role, anchors }: StaffGrant): readonly string[] {
  return anchors === null ? RIGHTS[role] : [];
}
