/** API keys as rows of a table, of whichever store. */
import type { FoundKey, KeyChange, Permission, StoredKey } from './keys.ts';

/** Lists are JSON arrays; `Flag` is what the store has for true and false. */
export type KeyRow<Flag> = readonly [
  unique_identifier: string,
  name: string | null,
  ending: string,
  livemode: Flag,
  accounts: string,
  anchors: string | null,
  permissions: string,
  resources: string | null,
  allow: string,
  from: string | null,
  rate: number | null,
  concurrent: number | null,
  inserted_at: number,
  expires_at: number | null,
  suspended_at: number | null,
  revoked_at: number | null,
  last_used_at: number | null,
];

/** Of a hash that no key has. */
export type NoKeyRow = readonly [unique_identifier: null, ...rest: unknown[]];

export function toKey(row: KeyRow<boolean | 0 | 1>): StoredKey {
  const [unique_identifier, name, ending, livemode, accounts, anchors, ...rest] = row;
  const [permissions, resources, allow, from, rate, concurrent, ...times] = rest;
  const [inserted_at, expires_at, suspended_at, revoked_at, last_used_at] = times;
  return {
    unique_identifier,
    name,
    ending,
    livemode: Boolean(livemode),
    accounts: JSON.parse(accounts) as string[],
    anchors: listOf(anchors),
    permissions: JSON.parse(permissions) as Permission[],
    resources: listOf(resources),
    allow: JSON.parse(allow) as string[],
    from: listOf(from),
    rate,
    concurrent,
    inserted_at,
    expires_at,
    suspended_at,
    revoked_at,
    last_used_at,
  };
}

/** Whether a key may be used at a moment; `isOpen` tells which of its accounts are open. */
export function judgeKey(
  key: StoredKey | undefined,
  isOpen: (account: string) => boolean,
  now: number,
): FoundKey {
  if (key === undefined) return { is: 'unknown' };
  if (key.revoked_at !== null) return { is: 'revoked', key };
  if (key.expires_at !== null && key.expires_at <= now) return { is: 'expired', key };
  if (key.suspended_at !== null) return { is: 'suspended', key };
  const accounts = key.accounts.filter(isOpen);
  return accounts.length === 0
    ? { is: 'account_closed', key }
    : { is: 'valid', key: { ...key, accounts } };
}

/** What the statement of a change takes beside the key; `toList` gives lists as the store has them. */
export function changedValues<List>(
  change: KeyChange,
  now: number,
  toList: (texts: readonly string[]) => List,
): readonly (number | List)[] {
  if (change.does === 'grant') return [toList(change.permissions), toList(change.allow)];
  if (change.does === 'expire') return [change.at];
  return change.does === 'resume' ? [] : [now];
}

function listOf(text: string | null): readonly string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

/** That of all the accounts of a new key, by what is known of those that exist; a `RangeError` where they do not agree. */
export function livemodeOf<Flag>(
  accounts: readonly string[],
  livemodes: ReadonlyMap<string, Flag>,
): Flag {
  const unknown = accounts.find((account) => !livemodes.has(account));
  if (unknown !== undefined) throw new RangeError(`There is no account ${unknown}.`);
  const [livemode, ...others] = new Set(livemodes.values());
  if (livemode === undefined) throw new RangeError('A key is for at least one account.');
  if (others.length > 0) throw new RangeError('A key cannot be for live and test accounts.');
  return livemode;
}
