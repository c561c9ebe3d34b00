/** The SQL of transactions themselves, each statement by its name. */
import { type Call, call, type Statement } from '../session.ts';
import { numberArray } from '../values.ts';
import { prepared } from './prepare.ts';

/** 'Ldgs': what our locks are called among all advisory locks of a database. */
const LOCKS = 0x4c646773;
/** Accounts share so many locks, so that no transaction needs more of them than a server has room for. */
const BUCKETS = 64;
const MIGRATION = BUCKETS;

const plain = (text: string): Statement => ({ text });

export const begin = prepared('BEGIN ISOLATION LEVEL READ COMMITTED');
export const commit = prepared('COMMIT');
export const rollback = prepared('ROLLBACK');

const keepAllStanding = prepared<readonly [mark: number, locks: number]>(
  `SELECT pg_current_xact_id(), count(pg_advisory_xact_lock_shared(${LOCKS}, lock))
   FROM unnest($1::int[]) AS lock`,
);

/** The same for one account, as nearly always, without a loop to begin. */
const keepOneStanding = prepared<readonly [mark: number, lock: string]>(
  `SELECT pg_current_xact_id(), pg_advisory_xact_lock_shared(${LOCKS}, $1::int)`,
);

/**
 * Keeps what stands in accounts standing until the commit, and gives the mark of
 * the commit. Nobody waits for it but those who remove.
 */
export function keepStanding(
  accounts: ReadonlySet<string>,
): Call<readonly [mark: number, ...unknown[]]> {
  const locks = [...new Set([...accounts].map(lockOf))].sort((x, y) => x - y);
  return locks.length === 1
    ? call(keepOneStanding, locks[0])
    : call(keepAllStanding, numberArray(locks));
}

/** Lets nobody write in the account of the lock number $1 until the commit; gives its mark. */
export const keepOut = prepared<readonly [mark: number, lock: string]>(
  `SELECT pg_current_xact_id(), pg_advisory_xact_lock(${LOCKS}, $1::int)`,
);

/** Lets nobody else migrate until the commit. */
export const keepMigrating = plain(`SELECT pg_advisory_xact_lock(${LOCKS}, ${MIGRATION})`);

export const checkWrite = prepared('UPDATE write_check SET checked_at = $1');

/**
 * Tells the session of process $1, which began at $2, to end. No row where it is
 * gone: then whatever it had under way is committed and seen, or never will be.
 */
export const end = prepared<readonly [told: boolean]>(
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE pid = $1::int AND extract(epoch FROM backend_start)::text = $2`,
);

/** The number of the lock that an account has: the same in every process. */
export function lockOf(account: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < account.length; index++) {
    hash = Math.imul(hash ^ account.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 16) % BUCKETS;
}
