/** A principal: the caller of a request, with its rights. */
import { ApiError } from '../../core/errors.ts';
import { type Includes, includedIn } from '../../core/network/networks.ts';
import { apiKey, type Permission, type StoredKey } from '../../core/objects/api-key.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { featureRights, featureRightsByName } from '../../features/declares.ts';
import type { StaffMember, StaffSession } from '../../store/promises/staff.ts';
import type { Scope } from '../../store/promises/store.ts';

/** Rights that the operator gives to people by name, and that no role has. */
const byName: Readonly<Record<string, string>> = {
  audit: 'to see who has seen or done what in its accounts; no role has it',
  erase: 'to erase records of people who ask for it, for good; no role has it',
  ...featureRightsByName,
};
export const rightsByName: readonly string[] = Object.keys(byName);

/** Each name with a description. A right is only listed if something checks it. */
export const rights: Readonly<Record<string, string>> = {
  ...byName,
  pin: 'to correct records as staff do: what the key changes stays, and what sources send for it is proposed',
  requests: 'to see which requests of its accounts were refused, and how much was done',
  sources: 'to rename and merge the sources of its accounts',
  ...featureRights,
};

const AUTHORITATIVE = 'authoritative:';

/** The right of a source that pins of records of that resource do not hold back, by its path name. */
export function authoritativeFor(path: string): string {
  return AUTHORITATIVE + path;
}

/** The rights that a key can have, where these are the path names of the resources. */
export function isRight(name: string, paths: readonly string[]): boolean {
  return Object.hasOwn(rights, name) || paths.some((path) => name === authoritativeFor(path));
}

export interface Principal {
  readonly key: string;
  readonly scope: Scope;
  readonly permissions: readonly Permission[];
  /** Path names of the only resources that the key is for; `undefined`: all. */
  readonly resources: ReadonlySet<string> | undefined;
  /** The key's rights beyond records, by name. */
  readonly allow: ReadonlySet<string>;
  /** Whether the key works from an address; `undefined`: from any. */
  readonly worksFrom: Includes | undefined;
  /** Requests a second, and requests at once; `undefined`: the key has no limit of its own. */
  readonly rate: number | undefined;
  readonly concurrent: number | undefined;
  /** Milliseconds since 1970; the key is not valid from then on. */
  readonly expires_at: number;
  /** The key's end, as shown to callers, if that is within 30 days. */
  readonly endsSoon: string | undefined;
  /** All granted rights, in the accounts that are open. */
  readonly granted: StoredKey;
  /** The person who is signed in, if the caller is not a key. */
  readonly person?: { readonly member: StaffMember; readonly session: StaffSession };
}

/** Stands in place of a key's identifier for an operator; no key has it. */
export const OPERATOR = 'operator';

const SOON_MS = 30 * 86_400_000;

/** `now` is given if the caller must be notified that the key ends soon. */
export function principalOf(key: StoredKey, now = Number.NEGATIVE_INFINITY): Principal {
  const { expires_at } = key;
  return {
    key: key.unique_identifier,
    scope: {
      accounts: new Set(key.accounts),
      anchors: key.anchors === null ? undefined : setOf(key.anchors),
    },
    permissions: key.permissions,
    resources: key.resources === null ? undefined : new Set(key.resources),
    allow: new Set(key.allow),
    worksFrom: key.from === null ? undefined : includedIn(key.from),
    rate: key.requests_a_second ?? undefined,
    concurrent: key.requests_at_once ?? undefined,
    expires_at: expires_at ?? Number.POSITIVE_INFINITY,
    endsSoon:
      expires_at !== null && expires_at - now <= SOON_MS ? presentTime(expires_at) : undefined,
    granted: key,
  };
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** One for each list: many keys may have that of a region, which can be long. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const set = sets.get(list) ?? new Set(list);
  sets.set(list, set);
  return set;
}

/** The group of a caller in fair queues: the people of an account share one, and a person of several counts for the first. */
export function customerOf({ scope, key }: Principal): string {
  return [...scope.accounts].sort()[0] ?? key;
}

/** Throws `permission_denied` unless the key has that permission. */
export function authorizeAction(principal: Principal, needed: Permission): void {
  if (!principal.permissions.includes(needed)) {
    const has = principal.permissions.map((one) => `"${one}"`).join(' and ');
    const permissions = principal.permissions.length === 1 ? 'permission' : 'permissions';
    const role = principal.person?.member.role;
    throw new ApiError('permission_denied', {
      message:
        role === undefined
          ? `This API key may not ${needed}: it has the ${permissions} ${has}, and this request needs "${needed}".`
          : `You may not ${needed}: your role is ${role}, with the ${permissions} ${has}. Ask an administrator.`,
    });
  }
}

/** Throws `permission_denied` unless the key has that permission for the resource with that path name. */
export function authorize(principal: Principal, path: string, needed: Permission): void {
  authorizeAction(principal, needed);
  if (principal.resources !== undefined && !principal.resources.has(path)) {
    throw new ApiError('permission_denied', {
      message: `This API key is limited to certain resources, and ${path} is not one of them.`,
    });
  }
}

/** Throws `permission_denied` unless the key has that right. */
export function authorizeNamedRight({ allow, person }: Principal, right: string): void {
  if (allow.has(right)) return;
  if (person !== undefined && person.member.anchors !== null) throw wholeAccountNeeded('locations');
  throw new ApiError('permission_denied', {
    message:
      person === undefined
        ? `This API key lacks the right "${right}", which this request needs: ask the operator for a key with it.`
        : `Your role, ${person.member.role}, lacks the right "${right}", which this request needs. Ask an administrator.`,
  });
}

/** Throws `permission_denied` unless the key has that right in whole accounts, at all locations and for all resources. */
export function authorizeRight(principal: Principal, right: string): void {
  authorizeNamedRight(principal, right);
  const { scope, resources } = principal;
  const limit =
    scope.anchors !== undefined ? 'locations' : resources !== undefined ? 'resources' : undefined;
  if (limit !== undefined) throw wholeAccountNeeded(limit);
}

/** The refusal of a caller who is limited to certain locations or resources. */
export function wholeAccountNeeded(limit: 'locations' | 'resources'): ApiError {
  return new ApiError('whole_account_needed', { values: { limit } });
}

/** Throws `permission_denied` for all but administrators of whole accounts and operators. */
export function checkAdministrator({ key, person }: Principal): void {
  if (key === OPERATOR) return;
  if (person === undefined) throw new ApiError('sign_in_needed');
  const { role, anchors } = person.member;
  if (role !== 'administrator' || anchors !== null)
    throw new ApiError('permission_denied', {
      message: `This is for administrators of whole accounts, but your role is ${role}${anchors === null ? '' : ' at certain locations'}. Ask an administrator.`,
    });
}

/** Whether what the caller changes is pinned: people correct records, and the keys of systems in which they do. */
export function mayPin({ person, allow }: Pick<Principal, 'person' | 'allow'>): boolean {
  return person !== undefined || allow.has('pin');
}

/** Decides how a caller's writes treat the pins of records of the resource with that path. */
export function pinsOf(
  principal: Pick<Principal, 'person' | 'allow'>,
  path: string,
): 'set' | 'override' | undefined {
  if (mayPin(principal)) return 'set';
  const { allow } = principal;
  return allow.size > 0 && allow.has(authoritativeFor(path)) ? 'override' : undefined;
}

/** Throws `permission_denied` unless the caller may decide on pins. */
export function authorizePins(principal: Principal): void {
  if (!mayPin(principal)) authorizeNamedRight(principal, 'pin');
}

/** An operator, who may do everything in the accounts but correct records as staff do. */
export function operatorOf(accounts: readonly string[]): Principal {
  const allow = Object.keys(rights).filter((right) => right !== 'pin');
  return inPlaceOfKey(OPERATOR, accounts, ['read', 'write', 'delete'], allow);
}

/** An account itself, which sees all of its content: for webhooks of its administrators. */
export function readerOf(account: string): Principal {
  return inPlaceOfKey(account, [account], ['read'], ['requests', 'webhooks']);
}

export function isOperator({ key }: Principal): boolean {
  return key === OPERATOR;
}

/** An import, under whose identifier its writes are logged. */
export function importerOf(unique_identifier: string, accounts: readonly string[]): Principal {
  return inPlaceOfKey(unique_identifier, accounts, ['read', 'write', 'delete'], []);
}

function inPlaceOfKey(
  unique_identifier: string,
  accounts: readonly string[],
  permissions: readonly Permission[],
  allow: readonly string[],
): Principal {
  return principalOf({
    ...apiKey.nulls,
    unique_identifier,
    ending: '',
    livemode: true,
    accounts,
    permissions,
    allow,
    inserted_at: 0,
  });
}

/** Gives the accounts whose entries of a log the principal sees; an operator sees all, also those of no account. */
export function seenBy(principal: Principal): ReadonlySet<string> | undefined {
  return isOperator(principal) ? undefined : principal.scope.accounts;
}

/** Whether the principal may see which key made a change: itself, with the right to all requests, or a person. */
export function seesKey({ key: own, allow, person }: Principal, key: string): boolean {
  return own === key || allow.has('requests') || person !== undefined;
}
