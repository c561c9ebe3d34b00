/** The keys and people that an administrator manages: those whose accounts are all the administrator's own. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { wantRecent } from '../../../services/staff/sessions.ts';
import type { StaffMember } from '../../../store/promises/staff.ts';
import { type ConsoleParts, personOf } from './caller.ts';

/** Throws `permission_denied`, and for what changes something `reauthentication_needed`. */
export function administratorOf(
  request: FastifyRequest,
  { desk }: ConsoleParts,
  changes: boolean,
): StaffMember {
  const { member, session } = personOf(request);
  if (member.role !== 'administrator' || member.anchors !== null)
    throw new ApiError('permission_denied', {
      message: `This is for administrators of whole accounts, but your role is ${member.role}${member.anchors === null ? '' : ' at certain locations'}. Ask an administrator.`,
    });
  if (changes) wantRecent(session, desk.now());
  return member;
}

/** Whether all of these accounts are the administrator's. */
export function administers(
  { accounts: own }: StaffMember,
  { accounts }: { readonly accounts: readonly string[] },
): boolean {
  return accounts.every((account) => own.includes(account));
}

/** Throws `value_invalid` unless the accounts and locations of a grant exist and are the administrator's. */
export async function checkGrant(
  administrator: StaffMember,
  { accounts, locations }: { accounts: readonly string[]; locations: readonly string[] | null },
  { desk }: ConsoleParts,
): Promise<void> {
  if (accounts.length === 0 || !administers(administrator, { accounts }))
    throw new ApiError('value_invalid', {
      param: 'accounts',
      message: `accounts must be among those that you administer: ${administrator.accounts.join(', ')}.`,
    });
  if (locations === null) return;
  const found = await desk.anchorsAmong(locations, accounts);
  const missing = locations.find((one) => !found.includes(one));
  if (locations.length === 0 || missing !== undefined)
    throw new ApiError('value_invalid', {
      param: 'locations',
      message: `locations must be locations of these accounts, or null for all of them${missing === undefined ? '' : `; ${JSON.stringify(missing)} is not one`}.`,
    });
}
