/** Who works on the store itself, on the command line: reads everything of some accounts, and who did it. */
import { type Principal, principalOf } from './principal.ts';

/** In place of a key: none has this identifier. */
const OPERATOR = 'operator';

export function operatorOf(accounts: readonly string[]): Principal {
  return principalOf({
    unique_identifier: OPERATOR,
    name: '',
    ending: '',
    livemode: true,
    accounts,
    anchors: null,
    permissions: ['read'],
    resources: null,
    from: null,
    rate: null,
    concurrent: null,
    allow: ['requests'],
    inserted_at: 0,
    expires_at: null,
    suspended_at: null,
    revoked_at: null,
    last_used_at: null,
  });
}

/** Whether a change may be told to be that key's doing: to the key itself, and to whoever may see the requests of all. */
export function seesKey({ key: own, allow }: Principal, key: string): boolean {
  return own === key || allow.has('requests');
}
