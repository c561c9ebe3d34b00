/** The SQL that works on API keys, each statement by its name. What finds a key for a request is each store's own. */
import { apiKey, statusOf } from '../../../core/objects/api-key.ts';
import type { KeyChange, KeyLookup, StoredKey } from '../../promises/keys.ts';
import type { Dialect } from '../dialects.ts';
import { inserted, rowReader, selected } from '../rows/own-rows.ts';
import { type BookValue, erasing, statements } from '../tables.ts';
import { ofRows } from './lists.ts';

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
export function livemodeOf(accounts: readonly string[], livemodes: ReadonlyMap<string, boolean>) {
  const unknown = accounts.find((account) => !livemodes.has(account));
  if (unknown !== undefined) throw new RangeError(`There is no account ${unknown}.`);
  const [livemode, ...others] = new Set(accounts.map((account) => livemodes.get(account)));
  if (livemode === undefined) throw new RangeError('A key is for at least one account.');
  if (others.length > 0) throw new RangeError('A key cannot be for live and test accounts.');
  return livemode;
}

export const keyColumns = ({ json }: Dialect): string => selected(apiKey, json);

// None of those that write gives the row: what makes JSON is not let into RETURNING where every server has a copy.
export const keyStatements = statements({
  insert: inserted(apiKey),
  /** Whether each of accounts $1 is live, as far as they exist. */
  livemodes: {
    sqlite: ({ among }) =>
      `SELECT unique_identifier, livemode FROM account WHERE ${among('unique_identifier', '$1')}`,
    // By the column that accounts are distributed by.
    postgres: ({ among }) =>
      `SELECT unique_identifier, livemode FROM account WHERE ${among('account', '$1')}`,
  },
  list: (dialect) => `SELECT ${keyColumns(dialect)} FROM api_key ORDER BY unique_identifier DESC`,
  one: (dialect) => `SELECT ${keyColumns(dialect)} FROM api_key WHERE unique_identifier = $1`,
  some: (dialect) =>
    `SELECT ${keyColumns(dialect)} FROM api_key WHERE ${dialect.among('unique_identifier', '$1')}`,
  /** Locks keys $1 until the commit, in the order of their unique identifiers. */
  lock: ({ among, lock }) => `SELECT unique_identifier FROM api_key
    WHERE ${among('unique_identifier', '$1')} ORDER BY unique_identifier${lock}`,
  revoke: `UPDATE api_key SET revoked_at = $2 WHERE unique_identifier = $1 AND revoked_at IS NULL`,
  suspend: `UPDATE api_key SET suspended_at = $2
    WHERE unique_identifier = $1 AND suspended_at IS NULL`,
  suspendAll: `UPDATE api_key SET suspended_at = $1
    WHERE suspended_at IS NULL AND revoked_at IS NULL`,
  resume: 'UPDATE api_key SET suspended_at = NULL WHERE unique_identifier = $1',
  expire: `UPDATE api_key SET expires_at = $2
    WHERE unique_identifier = $1 AND (expires_at IS NULL OR expires_at > $2)`,
  grant: `UPDATE api_key SET permissions = $2, allow = $3
    WHERE unique_identifier = $1 AND revoked_at IS NULL`,
  rename: 'UPDATE api_key SET name = $2 WHERE unique_identifier = $1',
  limit: 'UPDATE api_key SET accounts = $2, anchors = $3 WHERE unique_identifier = $1',
  remove: erasing('DELETE FROM api_key WHERE unique_identifier = $1'),
  touch: ofRows(
    { name: 'text', at: 'bigint' },
    `UPDATE api_key SET last_used_at = $2
      WHERE unique_identifier = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
    `UPDATE api_key SET last_used_at = noted.at FROM NOTED
      WHERE unique_identifier = noted.name AND (last_used_at IS NULL OR last_used_at < noted.at)`,
  ),
});
