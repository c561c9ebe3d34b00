/** Operations on keys and people, and who may manage which: an administrator those whose accounts are all their own, the operator all. */
import { ApiError } from '../../../core/errors.ts';
import type { Members } from '../../../core/schema/fields/members.ts';
import type { Limit } from '../../../records/auth/region.ts';
import { beyond } from '../../../services/staff/roles.ts';
import type { StaffService } from '../../../services/staff/service.ts';
import type { StaffMember } from '../../../store/promises/staff.ts';
import type { None, OperationCall, Runnable, Values } from '../../operations/operation.ts';
import { type PageQuery, paging } from '../../operations/pages.ts';

type OfAccounts = Pick<StaffMember, 'accounts'>;

/** Services for operations on keys and people, and who calls them. */
export interface Administration {
  readonly service: Pick<
    StaffService,
    'accountsAmong' | 'anchorsAmong' | 'book' | 'keyUses' | 'keys' | 'now' | 'regions'
  >;
  readonly member?: StaffMember | undefined;
  readonly site: { readonly origin: string };
  /** Notes what was done with that key or person. */
  administered(what: string, one: OfAccounts & { readonly unique_identifier: string }): void;
}

export type AdministratorOperation<On = Administration> = Runnable<On> & { readonly name: string };

/** An operation for administrators alone; what changes something they confirm. */
export function administration<Body extends Members = None, On = Administration>(
  name: string,
  route: Runnable<never>['route'],
  run: (on: On, call: OperationCall<Values<None, Body>>) => Promise<object>,
  body?: Body,
): AdministratorOperation<On> {
  const changes = route.startsWith('GET ') ? {} : { confirms: true, body: body ?? {} };
  // `params` reads by these very members.
  return { ...ADMINISTERS, ...changes, name, route, run } as unknown as AdministratorOperation<On>;
}

/** A list for administrators, in pages. */
export function administrationList<On = Administration>(
  name: string,
  route: Runnable<never>['route'],
  run: (on: On, call: OperationCall<PageQuery>) => Promise<object>,
): AdministratorOperation<On> {
  const declared = { ...ADMINISTERS, name, route, query: paging({ limit: MAX_ENTRIES }), run };
  // `params` reads by these very members.
  return declared as unknown as AdministratorOperation<On>;
}

/** More entries than any page has room for. */
const MAX_ENTRIES = 100_000;

export const ADMINISTERS = { needs: { administrator: true } } as const;

/** Whether all of these accounts are the administrator's. */
export function administers(administrator: Administration['member'], { accounts }: OfAccounts) {
  return accounts.every((account) => administrator?.accounts.includes(account) !== false);
}

/** Throws `resource_missing` for what is not there, or not the administrator's. */
export function managed<One extends OfAccounts>(
  administrator: Administration['member'],
  one: One | undefined,
  what: string,
): One {
  if (one !== undefined && administers(administrator, one)) return one;
  const message = `There is no such ${what} among those that you administer.`;
  throw new ApiError('resource_missing', { message });
}

/** Throws `value_invalid` unless the accounts and locations of a grant exist and are the administrator's. */
export async function checkGrant(
  { member: administrator, service: { anchorsAmong } }: Administration,
  { accounts, anchors, region }: OfAccounts & Limit,
): Promise<void> {
  if (accounts.length === 0 || !administers(administrator, { accounts }))
    throw new ApiError('accounts_not_yours', {
      param: 'accounts',
      message: `accounts must be among those that you administer: ${administrator?.accounts.join(', ')}.`,
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
  administrator: Administration['member'],
  { allow = [] }: { readonly allow?: readonly string[] },
): void {
  const right = administrator && beyond(administrator, allow);
  if (right === undefined) return;
  throw new ApiError('permission_denied', {
    message: `Only the operator of the service gives "${right}", and you do not have it. Ask them.`,
  });
}
