/**
 * The SQL of a commit in several accounts that nobody else commits in: for
 * servers on which all accounts lie together, and no others. Accounts that
 * somebody has locked, and closed ones, are passed over and waited for by nobody.
 */
import { AWAITED } from './commits.ts';
import { prepared } from './prepare.ts';

/** A setting of the transaction: later statements have snapshots of their own and cannot see what it locked. */
const SETTING = 'ledgerstone.locked';

/** The accounts that this transaction has locked, as SQL. */
export const LOCKED = `string_to_array(current_setting('${SETTING}'), ',')`;

/** Locks those of the accounts $1 that are open and free. */
export const lockFree = prepared<readonly [set: string, awaited: boolean]>(
  `SELECT set_config('${SETTING}', coalesce(string_agg(account, ','), ''), true), ${AWAITED}
   FROM (
     SELECT account FROM account
     WHERE account = ANY ($1::text[]) AND unique_identifier = ANY ($1::text[])
       AND unique_identifier = account AND closed_at IS NULL
     ORDER BY account FOR NO KEY UPDATE SKIP LOCKED
   ) AS free`,
);

/** Numbers a commit in each of them, with token $1 at $2. Fails where there is that token already. */
export const appendEach = prepared<readonly [account: string, position: number]>(
  `INSERT INTO commit (account, position, token, committed_at)
   SELECT locked.account, last.position + 1, $1::bigint, $2::bigint
   FROM unnest(${LOCKED}) AS locked (account) CROSS JOIN LATERAL (
     SELECT position FROM commit WHERE account = locked.account ORDER BY position DESC LIMIT 1
   ) AS last
   RETURNING account, position`,
);
