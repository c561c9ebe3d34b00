/** What people may do, by their role. */
import { rights } from '../auth/rights.ts';
import type { Permission } from '../store/keys.ts';
import type { Role, StaffGrant } from '../store/staff.ts';

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['read'],
  editor: ['read', 'write', 'delete'],
  administrator: ['read', 'write', 'delete'],
};

/** Whoever works for a whole account sees what arrives there and what was refused. */
const OF_WHOLE_ACCOUNTS: readonly string[] = ['requests'];

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role];
}

/** Names of the rights beyond records; somebody limited to locations has none. */
export function rightsOf({ role, anchors }: StaffGrant): readonly string[] {
  if (anchors !== null) return [];
  return role === 'administrator' ? Object.keys(rights) : OF_WHOLE_ACCOUNTS;
}
