/**
 * Principals other than keys: operators on the command line, accounts, imports. An operator reads everything in some
 * accounts, including who did it.
 */
import { apiKey, type Permission } from '../../core/objects/api-key.ts';
import { type Principal, principalOf } from './principal.ts';
import { rightsByName } from './rights.ts';

/** Used in place of a key's identifier; no key has it. */
const OPERATOR = 'operator';

export function operatorOf(accounts: readonly string[]): Principal {
  return inPlaceOfKey(OPERATOR, accounts, ['read'], ['requests', 'webhooks']);
}

/** The same, who may rename and merge sources. */
export function stewardOf(accounts: readonly string[]): Principal {
  return inPlaceOfKey(OPERATOR, accounts, ['read', 'write'], ['requests', 'sources']);
}

/** The same, with the permission to restore removed records. */
export function restorerOf(accounts: readonly string[]): Principal {
  return inPlaceOfKey(OPERATOR, accounts, ['read', 'write'], ['requests']);
}

/** The same, who may erase and hold records of people. */
export function officerOf(accounts: readonly string[]): Principal {
  return inPlaceOfKey(OPERATOR, accounts, ['read'], rightsByName);
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

/**
 * Whether the principal may see which key made a change: the key itself, callers that may see all requests, and people.
 */
export function seesKey({ key: own, allow, person }: Principal, key: string): boolean {
  return own === key || allow.has('requests') || person !== undefined;
}
