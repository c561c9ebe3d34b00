/** The SQL that works on API keys, each statement by its name. */
import type { KeyRow } from '../../key-rows.ts';
import { prepared, unnest } from './prepare.ts';

/** Those of a `KeyRow`, with the lists as JSON arrays. */
const COLUMNS = `unique_identifier, name, ending, livemode, to_json(accounts), to_json(anchors),
  to_json(permissions), to_json(resources), to_json(allow), to_json("from"), rate, concurrent,
  inserted_at, expires_at, suspended_at, revoked_at, last_used_at`;

// None of those that write gives the row: what makes JSON is not let into RETURNING where every server has a copy.

export const insert = prepared(
  `INSERT INTO api_key
     (unique_identifier, hash, name, ending, livemode, accounts, anchors, permissions, resources, allow,
      "from", rate, concurrent, inserted_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
);

/** Whether each of the accounts $1 is live, as far as they exist. */
export const livemodes = prepared<readonly [unique_identifier: string, livemode: boolean]>(
  'SELECT unique_identifier, livemode FROM account WHERE account = ANY ($1::text[])',
);

export const list = prepared<KeyRow<boolean>>(
  `SELECT ${COLUMNS} FROM api_key ORDER BY unique_identifier DESC`,
);

/** Of unique identifier $1. */
export const one = prepared<KeyRow<boolean>>(
  `SELECT ${COLUMNS} FROM api_key WHERE unique_identifier = $1`,
);

/** Of unique identifiers $1, in the order in which they were made. */
export const some = prepared<KeyRow<boolean>>(
  `SELECT ${COLUMNS} FROM api_key WHERE unique_identifier = ANY ($1::text[]) ORDER BY unique_identifier`,
);

/** Of unique identifier $1, at $2. */
export const revoke = prepared(
  `UPDATE api_key SET revoked_at = coalesce(revoked_at, $2) WHERE unique_identifier = $1`,
);

/** Of unique identifier $1, at $2. */
export const suspend = prepared(
  `UPDATE api_key SET suspended_at = coalesce(suspended_at, $2) WHERE unique_identifier = $1`,
);

/** Of unique identifier $1. */
export const resume = prepared(
  `UPDATE api_key SET suspended_at = NULL WHERE unique_identifier = $1`,
);

/** Of unique identifier $1, at $2. */
export const expire = prepared(
  `UPDATE api_key SET expires_at = least(expires_at, $2) WHERE unique_identifier = $1`,
);

/** Of unique identifier $1: accounts and anchors. */
export const limit = prepared(
  'UPDATE api_key SET accounts = $2, anchors = $3 WHERE unique_identifier = $1',
);
export const remove = prepared('DELETE FROM api_key WHERE unique_identifier = $1');
/** Of unique identifier $1: permissions $2 and rights $3. */
export const grant = prepared(
  `UPDATE api_key SET permissions = $2, allow = $3 WHERE unique_identifier = $1 AND revoked_at IS NULL`,
);

/** Until the commit nobody else's to change, $1 of them; in one order, so that none waits for another that waits for it. */
export const take = prepared<readonly [unique_identifier: string]>(
  `SELECT unique_identifier FROM api_key WHERE unique_identifier = ANY ($1::text[])
   ORDER BY unique_identifier FOR NO KEY UPDATE`,
);

/** Takes unique identifiers and times. */
export const touch = prepared(
  `UPDATE api_key SET last_used_at = used.at FROM ${unnest('used', [
    'unique_identifier',
    ['at', 'bigint'],
  ])}
   WHERE api_key.unique_identifier = used.unique_identifier
     AND (last_used_at IS NULL OR last_used_at < used.at)`,
);

/** Of hash $1. */
export const withHash = prepared<KeyRow<boolean>>(`SELECT ${COLUMNS} FROM api_key WHERE hash = $1`);

/** Account $1, if it is open. */
export const open = prepared<readonly [account: string]>(
  'SELECT account FROM account WHERE account = $1 AND closed_at IS NULL',
);

/** Those of accounts $1 that are open. */
export const openAmong = prepared<readonly [account: string]>(
  'SELECT account FROM account WHERE account = ANY ($1::text[]) AND closed_at IS NULL',
);
