/**
 * Principals other than keys: operators on the command line, accounts, imports. An operator reads everything in some
 * accounts, including who did it.
 */
import { apiKey, type Permission } from '../../core/objects/api-key.ts';
import { OPERATOR, type Principal, principalOf } from './principal.ts';
import { rights } from './rights.ts';

/** An operator, who may do everything in the accounts but correct records as staff do. */
export function operatorOf(accounts: readonly string[]): Principal {
  const allow = Object.keys(rights).filter((right) => right !== 'pin');
  return inPlaceOfKey(OPERATOR, accounts, ['read', 'write', 'delete'], allow);
}

/** An account itself, which sees all of its content: for webhooks of its administrators. */
export function readerOf(account: string): Principal {
  return inPlaceOfKey(account, [account], ['read'], ['requests', 'webhooks']);
}

/** Whether an identifier stands for an operator, not a key. */
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

/**
 * Whether the principal may see which key made a change: the key itself, callers that may see all requests, and people.
 */
export function seesKey({ key: own, allow, person }: Principal, key: string): boolean {
  return own === key || allow.has('requests') || person !== undefined;
}
