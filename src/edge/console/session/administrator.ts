/** The keys and people that an administrator manages: those whose accounts are all the administrator's own. */
import { ApiError } from '../../../core/errors.ts';
import type { Limit } from '../../../records/auth/region.ts';
import type { Desk } from '../../../services/staff/desk.ts';
import { beyond } from '../../../services/staff/roles.ts';
import type { StaffMember } from '../../../store/promises/staff.ts';

interface OfAccounts {
  readonly accounts: readonly string[];
}

/** Whether all of these accounts are the administrator's. */
export function administers({ accounts: own }: StaffMember, { accounts }: OfAccounts): boolean {
  return accounts.every((account) => own.includes(account));
}

/** Throws `resource_missing` for what is not there, or not the administrator's. */
export function managed<One extends OfAccounts>(
  administrator: StaffMember,
  one: One | undefined,
  what: string,
): One {
  if (one !== undefined && administers(administrator, one)) return one;
  throw new ApiError('resource_missing', {
    message: `There is no such ${what} among those that you administer.`,
  });
}

/** Throws `value_invalid` unless the accounts and locations of a grant exist and are the administrator's. */
export async function checkGrant(
  administrator: StaffMember,
  { accounts, anchors, region }: OfAccounts & Limit,
  { anchorsAmong }: Desk,
): Promise<void> {
  if (accounts.length === 0 || !administers(administrator, { accounts }))
    throw new ApiError('accounts_not_yours', {
      param: 'accounts',
      message: `accounts must be among those that you administer: ${administrator.accounts.join(', ')}.`,
    });
  if (anchors === null || region !== null) return;
  const found = await anchorsAmong(anchors, accounts);
  const missing = anchors.find((one) => !found.includes(one));
  if (anchors.length === 0 || missing !== undefined)
    throw new ApiError('locations_elsewhere', {
      param: 'locations',
      message: `locations must be locations of these accounts, or null for all of them${missing === undefined ? '' : `; ${JSON.stringify(missing)} is not one`}.`,
    });
}

/** Throws `permission_denied` for a right that only the operator gives, and that the administrator lacks. */
export function checkRights(
  administrator: StaffMember,
  { allow = [] }: { readonly allow?: readonly string[] },
): void {
  const right = beyond(administrator, allow);
  if (right === undefined) return;
  throw new ApiError('permission_denied', {
    message: `Only the operator of the service gives "${right}", and you do not have it. Ask them.`,
  });
}
