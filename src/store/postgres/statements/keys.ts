/** The SQL that works on API keys, each statement by its name. */
import type { KeyRow, NoKeyRow } from '../../key-rows.ts';
import { prepared, unnest } from './prepare.ts';

/** Those of a `KeyRow`, with the lists as JSON arrays; `accounts` may be some of them only. */
const columns = (accounts: string) => `api_key.unique_identifier, api_key.name, api_key.livemode,
  to_json(${accounts}), to_json(anchors), to_json(permissions), to_json(resources), to_json(allow),
  to_json("from"), rate, concurrent, api_key.inserted_at, expires_at, suspended_at, revoked_at,
  last_used_at`;
const COLUMNS = columns('accounts');

export const insert = prepared<KeyRow<boolean>>(
  `INSERT INTO api_key
     (unique_identifier, hash, name, livemode, accounts, anchors, permissions, resources, allow,
      "from", rate, concurrent, inserted_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING ${COLUMNS}`,
);

/** Whether each of the accounts $1 is live, as far as they exist. */
export const livemodes = prepared<readonly [unique_identifier: string, livemode: boolean]>(
  'SELECT unique_identifier, livemode FROM account WHERE account = ANY ($1::text[])',
);

export const list = prepared<KeyRow<boolean>>(
  `SELECT ${COLUMNS} FROM api_key ORDER BY unique_identifier DESC`,
);

/** Of unique identifier $1, at $2. */
export const revoke = prepared<KeyRow<boolean>>(
  `UPDATE api_key SET revoked_at = coalesce(revoked_at, $2) WHERE unique_identifier = $1
   RETURNING ${COLUMNS}`,
);

/** Of unique identifier $1, at $2. */
export const suspend = prepared<KeyRow<boolean>>(
  `UPDATE api_key SET suspended_at = coalesce(suspended_at, $2) WHERE unique_identifier = $1
   RETURNING ${COLUMNS}`,
);

/** Of unique identifier $1. */
export const resume = prepared<KeyRow<boolean>>(
  `UPDATE api_key SET suspended_at = NULL WHERE unique_identifier = $1 RETURNING ${COLUMNS}`,
);

/** Of unique identifier $1, at $2. */
export const expire = prepared<KeyRow<boolean>>(
  `UPDATE api_key SET expires_at = least(expires_at, $2) WHERE unique_identifier = $1
   RETURNING ${COLUMNS}`,
);

/** Takes unique identifiers and times; in one order, so that none waits for another that waits for it. */
export const touch = prepared(
  `WITH used AS (
     SELECT api_key.unique_identifier, used.at FROM ${unnest('used', [
       ['unique_identifier', 'text'],
       ['at', 'bigint'],
     ])}
     JOIN api_key USING (unique_identifier)
     ORDER BY api_key.unique_identifier FOR NO KEY UPDATE OF api_key)
   UPDATE api_key SET last_used_at = used.at FROM used
   WHERE api_key.unique_identifier = used.unique_identifier
     AND (last_used_at IS NULL OR last_used_at < used.at)`,
);

/**
 * Of hash $1, valid at $2: one row in any case, all null when there is no
 * such key, its accounts being the open ones.
 */
export const authenticate = prepared<KeyRow<boolean> | NoKeyRow>(
  `SELECT ${columns(`ARRAY(
     SELECT account.unique_identifier
     FROM unnest(coalesce(accounts, '{no account}')) WITH ORDINALITY AS granted (account, place)
     JOIN account USING (account) WHERE closed_at IS NULL ORDER BY place)`)}
   FROM (SELECT $1::bytea AS hash) AS shown
   LEFT JOIN api_key ON api_key.hash = shown.hash
     AND revoked_at IS NULL AND suspended_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
);
