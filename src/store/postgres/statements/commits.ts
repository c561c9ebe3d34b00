/**
 * The SQL of commits: each begins by locking the row of its account, and is
 * numbered while it holds that lock (`docs/decisions/0010`).
 */
import { CHANGE_TABLE } from '../schema/tables.ts';
import { columns, insertEach, OWN, prepared } from './prepare.ts';

export const begin = prepared`BEGIN ISOLATION LEVEL READ COMMITTED`;
/** For statements that show one moment. */
export const beginReading = prepared`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
export const commit = prepared`COMMIT`;
export const rollback = prepared`ROLLBACK`;

/** Whether the server waits for a standby at each commit, as SQL. */
export const AWAITED = `(current_setting('synchronous_standby_names') <> '')`;

export const awaits = prepared<readonly [awaited: boolean]>`SELECT ${AWAITED}`;

type LockedRow = readonly [account: string, open: boolean, awaited: boolean];
const LOCKED = `account, closed_at IS NULL, ${AWAITED}`;

/**
 * Locks other commits out of account $1, open or closed, until this transaction ends. A statement of its own: the next
 * ones see what was committed while this one waited.
 */
export const lock = prepared<LockedRow>`SELECT ${LOCKED} FROM "account"
  WHERE account = $1 AND unique_identifier = $1 FOR NO KEY UPDATE`;

/**
 * Locks those of the accounts $1, in the order of their names, that are open and that no other transaction has locked.
 * Waits for none. The server does not learn how many there are: shown a short array, it would plan this again for every
 * commit.
 */
export const lockFree = prepared<LockedRow>`${free(LOCKED)}`;

/** Locks accounts that are free, as SQL that gives some of their columns. */
export function free(columns: string): string {
  return `SELECT open.* FROM unnest((SELECT $1::text[])) AS wanted (account)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM "account"
      WHERE account = wanted.account AND unique_identifier = wanted.account
        AND closed_at IS NULL
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ) AS open`;
}

type StateRow = readonly [account: string, last: number, marked: boolean];
const state = (account: string) =>
  `SELECT account, position, ${hasErased(account)} FROM "commit"
   WHERE account = ${account} ORDER BY position DESC LIMIT 1`;

/** Whether something was erased of an account, as SQL. */
export function hasErased(account: string): string {
  return `EXISTS (SELECT 1 FROM "erased" AS erased WHERE erased.account = ${account})`;
}

/** The last position of account $1, which is locked, and whether something of it was erased. */
export const stateOf = prepared<StateRow>`${state('$1')}`;
export const statesOf = prepared<StateRow>`SELECT last.*
  FROM unnest((SELECT $1::text[])) AS wanted (account)
  CROSS JOIN LATERAL (${state('wanted.account')}) AS last`;

export const COMMIT = columns({
  text: ['account'],
  bigint: ['position', 'token', 'committed_at'],
});

/**
 * Numbers commits in accounts that are locked. Fails where there is one with that token already. A row
 * for each commit, and not a counter in one row: while any snapshot is open, a counter leaves a dead version with each
 * commit for the next one to pass by.
 */
export const number = insertEach('"commit"', COMMIT);

/** Finds the position of account $1's commit with token $2, if it was done, and the last one. */
export const find = prepared<readonly [position: number | null, last: number]>`SELECT (SELECT
  position FROM "commit" WHERE account = ${OWN} AND token = $2::bigint), last.position
  FROM "commit" AS last WHERE account = $1 ORDER BY last.position DESC LIMIT 1`;

/** Finds the records of account $1 that its commit with token $2 changed. */
export const changedBy = prepared<readonly [record: string]>`SELECT record FROM "${CHANGE_TABLE}"
  WHERE account = ${OWN} AND position = (
    SELECT position FROM "commit" WHERE account = ${OWN} AND token = $2::bigint)`;

export const lastPosition = prepared<readonly [position: number]>`SELECT position FROM "commit"
  WHERE account = $1 ORDER BY position DESC LIMIT 1`;

/**
 * Takes the first $4 commits of account $1 above position $5 and below $2, removes those that were done
 * before $3, and gives their positions. Looks at no others: an account may have done millions since.
 */
export const sweep = prepared<
  readonly [position: number]
>`DELETE FROM "commit" WHERE account = ${OWN}
  AND position = ANY (ARRAY(
    SELECT position FROM (
      SELECT position, committed_at FROM "commit"
      WHERE account = $1 AND position > $5 AND position < $2 ORDER BY position LIMIT $4
    ) AS oldest WHERE committed_at < $3))
  RETURNING position`;

/** Removes those of account $1, which is gone. */
export const forget = prepared`DELETE FROM "commit" WHERE account = $1`;

export const checkWrite = prepared`UPDATE write_check SET checked_at = $1`;
