/** API keys as rows of a table, of whichever store. */
import type { Permission, StoredKey } from './store.ts';

/** Lists are JSON arrays; `Flag` is what the store has for true and false. */
export type KeyRow<Flag> = readonly [
  unique_identifier: string,
  name: string | null,
  livemode: Flag,
  permission: Permission,
  accounts: string,
  anchors: string | null,
  resources: string | null,
  inserted_at: number,
  expires_at: number | null,
  revoked_at: number | null,
  last_used_at: number | null,
];

/** All null but the accounts, of which there are none. */
export type NoKeyRow = readonly [unique_identifier: null, ...rest: unknown[]];

export function toKey(row: KeyRow<boolean | 0 | 1>): StoredKey {
  const [unique_identifier, name, livemode, permission, accounts, anchors, resources, ...times] =
    row;
  const [inserted_at, expires_at, revoked_at, last_used_at] = times;
  return {
    unique_identifier,
    name,
    livemode: Boolean(livemode),
    permission,
    accounts: JSON.parse(accounts) as string[],
    anchors: fromJson(anchors),
    resources: fromJson(resources),
    inserted_at,
    expires_at,
    revoked_at,
    last_used_at,
  };
}

function fromJson(text: string | null): readonly string[] | null {
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
