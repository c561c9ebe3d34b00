/** Finds API keys by the hash of their secret: one prepared statement for each request. */
import type { DatabaseSync } from 'node:sqlite';
import { DIALECTS } from '../books/dialects.ts';
import { judgeKey, type KeyRow, keyColumns, type NoKeyRow, toKey } from '../books/sql/key-sql.ts';
import type { KeyFinder } from '../promises/keys.ts';
import type { Context } from './context.ts';
import { preparing } from './statements/prepare.ts';

export function createKeyFinder(context: Context): KeyFinder {
  const { connection, now } = context;
  const statements = keyFinding(connection.database);

  return {
    async authenticate(hash) {
      const row = connection.read(() => statements.withHash.get(hash));
      if (row === undefined) throw new TypeError('There is a row for every hash.');
      const [open, ...found] = row;
      const isOpen = new Set(JSON.parse(open) as string[]);
      const key = found[0] === null ? undefined : toKey(found);
      return judgeKey(key, (account) => isOpen.has(account), now());
    },
    async find(unique_identifier) {
      return connection.read(() => {
        const row = statements.one.get(unique_identifier);
        const open = new Set(statements.openAccounts.all(unique_identifier).map(([one]) => one));
        return judgeKey(row && toKey(row), (account) => open.has(account), now());
      });
    },
  };
}

export function keyFinding(database: DatabaseSync) {
  const sql = preparing(database);
  const columns = keyColumns(DIALECTS.sqlite);
  return {
    /**
     * Takes hash ?1: one row in any case, with those accounts of the key that are open before it; all null when the key
     * does not exist.
     */
    withHash: sql<readonly [open: string, ...key: KeyRow | NoKeyRow]>`SELECT (
        SELECT json_group_array(account.unique_identifier)
        FROM json_each(coalesce(accounts, '["no account"]')) AS granted
        CROSS JOIN account ON account.unique_identifier = granted.value AND closed_at IS NULL),
        ${columns}
      FROM (SELECT ?1 AS hash) AS shown LEFT JOIN api_key ON api_key.hash = shown.hash`,
    one: sql<KeyRow>`SELECT ${columns} FROM api_key WHERE unique_identifier = ?`,
    /** Open accounts of the key with unique identifier ?. */
    openAccounts: sql<readonly [account: string]>`SELECT account.unique_identifier
      FROM api_key, json_each(api_key.accounts) AS granted
        JOIN account ON account.unique_identifier = granted.value AND closed_at IS NULL
      WHERE api_key.unique_identifier = ?`,
  };
}
