/** API keys as rows of a table, of whichever store. */
import { apiKey, statusOf } from '../../../core/objects/api-key.ts';
import type { KeyChange, KeyLookup, StoredKey } from '../../promises/keys.ts';
import type { BookValue } from '../tables.ts';
import { rowReader } from './own-rows.ts';

/** The selected columns of a key, lists as JSON arrays. */
export type KeyRow = readonly [unique_identifier: string, ...rest: unknown[]];

/** The row for a hash that no key has. */
export type NoKeyRow = readonly [unique_identifier: null, ...rest: unknown[]];

export const toKey: (row: KeyRow) => StoredKey = rowReader(apiKey);

/** Whether a key may be used at a moment; `isOpen` says which of its accounts are open. */
export function judgeKey(
  key: StoredKey | undefined,
  isOpen: (account: string) => boolean,
  now: number,
): KeyLookup {
  if (key === undefined) return { is: 'unknown' };
  const status = statusOf(key, now);
  if (status !== 'active') return { is: status, key };
  const accounts = key.accounts.filter(isOpen);
  return accounts.length === 0
    ? { is: 'account_closed', key }
    : { is: 'valid', key: { ...key, accounts } };
}

/** The parameters of the statement of a change other than the key. */
export function changedValues(change: KeyChange, now: number): readonly BookValue[] {
  if (change.does === 'grant') return [change.permissions, change.allow];
  if (change.does === 'rename') return [change.name];
  if (change.does === 'expire') return [change.at];
  return change.does === 'resume' ? [] : [now];
}

/** That of all the accounts of a new key, by what is known of those that exist; a `RangeError` where they do not agree. */
export function livemodeOf(
  accounts: readonly string[],
  livemodes: ReadonlyMap<string, boolean>,
): boolean {
  const unknown = accounts.find((account) => !livemodes.has(account));
  if (unknown !== undefined) throw new RangeError(`There is no account ${unknown}.`);
  const [livemode, ...others] = new Set(livemodes.values());
  if (livemode === undefined) throw new RangeError('A key is for at least one account.');
  if (others.length > 0) throw new RangeError('A key cannot be for live and test accounts.');
  return livemode;
}
