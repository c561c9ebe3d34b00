/** Who works on the store itself, on the command line: reads everything of some accounts, and who did it. */
import { apiKey, type Permission } from '../../core/objects/api-key.ts';
import { type Principal, principalOf } from './principal.ts';

/** In place of a key: none has this identifier. */
const OPERATOR = 'operator';

export function operatorOf(accounts: readonly string[]): Principal {
  return inPlaceOfKey(OPERATOR, accounts, ['read'], ['requests', 'webhooks']);
}

/** The same, who may also bring back what was removed. */
export function restorerOf(accounts: readonly string[]): Principal {
  return inPlaceOfKey(OPERATOR, accounts, ['read', 'write'], ['requests']);
}

/** An account itself: sees all of it, where its administrators have webhooks sent. */
export function readerOf(account: string): Principal {
  return inPlaceOfKey(account, [account], ['read'], ['requests', 'webhooks']);
}

/** Whether it is not a key, but an operator who works on the store itself. */
export function isOperator({ key }: Principal): boolean {
  return key === OPERATOR;
}

/** An import: what it writes is noted as its doing. */
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
 * Whether a change may be shown as that key's doing: to the key itself, to callers that may see the requests of all,
 * and to people.
 */
export function seesKey({ key: own, allow, person }: Principal, key: string): boolean {
  return own === key || allow.has('requests') || person !== undefined;
}
