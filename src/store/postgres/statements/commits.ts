/**
 * The SQL of commits: each begins by locking the row of its account, and is
 * numbered while it holds that lock (`docs/decisions/0010`).
 */
import { prepared } from './prepare.ts';

export const begin = prepared('BEGIN ISOLATION LEVEL READ COMMITTED');
/** For statements that show one moment. */
export const beginReading = prepared('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
export const commit = prepared('COMMIT');
export const rollback = prepared('ROLLBACK');

/** Whether the server waits for a standby at each commit, as SQL. */
export const AWAITED = `current_setting('synchronous_standby_names') <> ''`;

export const awaits = prepared<readonly [awaited: boolean]>(`SELECT ${AWAITED}`);

/**
 * Locks other commits out of account $1, open or closed, until this transaction ends. A statement of its own: the next
 * ones see what was committed while this one waited.
 */
export const lock = prepared<readonly [awaited: boolean]>(
  `SELECT ${AWAITED} FROM "account"
   WHERE account = $1 AND unique_identifier = $1 FOR NO KEY UPDATE`,
);

/** The first commit of account $1, with token $2 at $3: the one that makes it. */
export const appendFirst = prepared(
  'INSERT INTO "commit" (account, position, token, committed_at) VALUES ($1, 1, $2, $3)',
);

/**
 * Numbers a commit of account $1, which is locked, with token $2 at $3. Fails where that token exists already. A row
 * for each commit, and not a counter in one row: while any snapshot is open, a counter leaves a dead version with each
 * commit for the next one to pass by.
 */
export const append = prepared<readonly [position: number]>(
  `INSERT INTO "commit" (account, position, token, committed_at)
   SELECT account, position + 1, $2::bigint, $3::bigint FROM "commit"
   WHERE account = $1 ORDER BY position DESC LIMIT 1
   RETURNING position`,
);

/** The position of the commit under way in an account with the token in a parameter, as SQL. */
export function positionOf(token: string, account = '$1'): string {
  return `(SELECT position FROM "commit" WHERE account = ${account} AND token = ${token}::bigint)`;
}

/** Of account $1: the position of the commit with token $2, if it was done, and the last one. */
export const find = prepared<readonly [position: number | null, last: number]>(
  `SELECT ${positionOf('$2')}, last.position FROM "commit" AS last
   WHERE account = $1 ORDER BY last.position DESC LIMIT 1`,
);

/** The last position of account $1. */
export const lastPosition = prepared<readonly [position: number]>(
  'SELECT position FROM "commit" WHERE account = $1 ORDER BY position DESC LIMIT 1',
);

/**
 * Of the first $4 commits of account $1 above position $5 and below $2, removes those that were done
 * before $3, and gives their positions. Looks at no others: an account may have done millions since.
 */
export const sweep = prepared<readonly [position: number]>(
  `DELETE FROM "commit" WHERE account = $1 AND position = ANY (ARRAY(
     SELECT position FROM (
       SELECT position, committed_at FROM "commit"
       WHERE account = $1 AND position > $5 AND position < $2 ORDER BY position LIMIT $4
     ) AS oldest WHERE committed_at < $3))
   RETURNING position`,
);

export const checkWrite = prepared('UPDATE write_check SET checked_at = $1');
