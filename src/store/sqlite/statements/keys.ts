/** The SQL that works on API keys, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { KeyRow, NoKeyRow } from '../../key-rows.ts';
import { elementsOf, prepare } from './prepare.ts';

export function keyStatements(database: DatabaseSync) {
  /** Those of a `KeyRow`. */
  const columns = `unique_identifier, name, ending, livemode, accounts, anchors, permissions, resources, allow,
     "from", rate, concurrent, inserted_at, expires_at, suspended_at, revoked_at, last_used_at`;
  return {
    insert: prepare(
      database,
      `INSERT INTO api_key
         (unique_identifier, hash, name, ending, livemode, accounts, anchors, permissions, resources,
          allow, "from", rate, concurrent, inserted_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    /** Whether each of the accounts ?1 is live, as far as they exist. */
    livemodes: prepare<readonly [unique_identifier: string, livemode: 0 | 1]>(
      database,
      `SELECT unique_identifier, livemode FROM account WHERE unique_identifier IN ${elementsOf('?1')}`,
    ),
    find: prepare<KeyRow<0 | 1>>(
      database,
      `SELECT ${columns} FROM api_key WHERE unique_identifier = ?`,
    ),
    list: prepare<KeyRow<0 | 1>>(
      database,
      `SELECT ${columns} FROM api_key ORDER BY unique_identifier DESC`,
    ),
    revoke: prepare(
      database,
      'UPDATE api_key SET revoked_at = ?2 WHERE unique_identifier = ?1 AND revoked_at IS NULL',
    ),
    suspend: prepare(
      database,
      'UPDATE api_key SET suspended_at = ?2 WHERE unique_identifier = ?1 AND suspended_at IS NULL',
    ),
    resume: prepare(database, 'UPDATE api_key SET suspended_at = NULL WHERE unique_identifier = ?'),
    expire: prepare(
      database,
      `UPDATE api_key SET expires_at = ?2
       WHERE unique_identifier = ?1 AND (expires_at IS NULL OR expires_at > ?2)`,
    ),
    /** Takes accounts, anchors and the unique identifier. */
    limit: prepare(
      database,
      'UPDATE api_key SET accounts = ?, anchors = ? WHERE unique_identifier = ?',
    ),
    remove: prepare(database, 'DELETE FROM api_key WHERE unique_identifier = ?'),
    grant: prepare(
      database,
      `UPDATE api_key SET permissions = ?2, allow = ?3
       WHERE unique_identifier = ?1 AND revoked_at IS NULL`,
    ),
    touch: prepare(
      database,
      `UPDATE api_key SET last_used_at = ?2
       WHERE unique_identifier = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)`,
    ),
    /**
     * Of hash ?1: one row in any case, with those accounts of the key that are
     * open before it; all null when there is no such key.
     */
    withHash: prepare<readonly [open: string, ...key: KeyRow<0 | 1> | NoKeyRow]>(
      database,
      `SELECT (
         SELECT json_group_array(account.unique_identifier)
         FROM json_each(coalesce(accounts, '["no account"]')) AS granted
         CROSS JOIN account ON account.unique_identifier = granted.value AND closed_at IS NULL),
         ${columns}
       FROM (SELECT ?1 AS hash) AS shown LEFT JOIN api_key ON api_key.hash = shown.hash`,
    ),
    /** Those accounts of the key with unique identifier ? that are open. */
    openAccounts: prepare<readonly [account: string]>(
      database,
      `SELECT account.unique_identifier FROM api_key, json_each(api_key.accounts) AS granted
         JOIN account ON account.unique_identifier = granted.value AND closed_at IS NULL
       WHERE api_key.unique_identifier = ?`,
    ),
  };
}
