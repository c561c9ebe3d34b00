/** The SQL of the log of requests, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import {
  ACTIVITY_BACKWARDS,
  ACTIVITY_COLUMNS,
  ACTIVITY_NAME,
  type ActivityRow,
  REFUSED_COLUMNS,
  type RefusedRow,
} from '../../request-rows.ts';
import { bounded, elementsOf, prepare, type Statement } from './prepare.ts';

export function requestStatements(database: DatabaseSync) {
  return {
    /** Takes the columns of a `RefusedRow`, then all codes. */
    refuse: prepare(
      database,
      `INSERT INTO refused_request (${REFUSED_COLUMNS}, codes, nth)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
         (SELECT coalesce(max(nth), 0) + 1 FROM refused_request WHERE key = ?3))
       ON CONFLICT (request_id) DO NOTHING`,
    ),
    /** Leaves key ?1 the last ?2. */
    trim: prepare(
      database,
      `DELETE FROM refused_request WHERE key = ?1
         AND nth <= (SELECT max(nth) FROM refused_request WHERE key = ?1) - ?2`,
    ),
    /** Takes an `ActivityRow`. */
    count: prepare(
      database,
      `INSERT INTO request_activity (${ACTIVITY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (${ACTIVITY_NAME}) DO UPDATE SET
         count = count + excluded.count, last_at = max(last_at, excluded.last_at)`,
    ),
    /** Removes ?2 of what is older than ?1. */
    purgeRefused: prepare(
      database,
      `DELETE FROM refused_request WHERE request_id IN (
         SELECT request_id FROM refused_request WHERE time < ?1 LIMIT ${bounded('?2')})`,
    ),
    purgeActivity: prepare(
      database,
      `DELETE FROM request_activity WHERE (${ACTIVITY_NAME}) IN (
         SELECT ${ACTIVITY_NAME} FROM request_activity WHERE hour < ?1 LIMIT ${bounded('?2')})`,
    ),
  };
}

/** A condition with its values, each as `?` in its order. */
export type Predicate = readonly [sql: string, ...values: readonly (string | number)[]];

export function listRefused(
  database: DatabaseSync,
  where: readonly Predicate[],
): Statement<RefusedRow> {
  return prepare(
    database,
    `SELECT ${REFUSED_COLUMNS} FROM refused_request ${whereOf(where)}
     ORDER BY time DESC, request_id DESC LIMIT ${bounded('?')}`,
  );
}

export function listActivity(
  database: DatabaseSync,
  where: readonly Predicate[],
): Statement<ActivityRow> {
  return prepare(
    database,
    `SELECT ${ACTIVITY_COLUMNS} FROM request_activity ${whereOf(where)}
     ORDER BY ${ACTIVITY_BACKWARDS} LIMIT ${bounded('?')}`,
  );
}

function whereOf(conditions: readonly Predicate[]): string {
  return conditions.length === 0
    ? ''
    : `WHERE ${conditions.map(([sql]) => `(${sql})`).join(' AND ')}`;
}

/** Whoever calls, keys and people, with a JSON array of their accounts. */
const CALLERS = `(SELECT unique_identifier, accounts FROM api_key
  UNION ALL SELECT unique_identifier, accounts FROM staff)`;

/** What is of one of the accounts of a JSON array, and of keys and people whose accounts are all among them. */
export function seenBy(accounts: readonly string[]): Predicate {
  const [only] = accounts;
  if (accounts.length === 1 && only !== undefined) return ['of_account = ?', only];
  const all = JSON.stringify(accounts);
  const keys = `SELECT unique_identifier FROM ${CALLERS}
    WHERE NOT EXISTS (SELECT 1 FROM json_each(accounts) WHERE value NOT IN ${elementsOf('?')})`;
  return [`of_account IN ${elementsOf('?')} OR of_account = '' AND key IN (${keys})`, all, all];
}

/** What is of an account, and of keys and people that have it among others. */
export function ofAccount(account: string): Predicate {
  const keys = `SELECT unique_identifier FROM ${CALLERS} WHERE ? IN ${elementsOf('accounts')}`;
  return [`of_account = ? OR of_account = '' AND key IN (${keys})`, account, account];
}
