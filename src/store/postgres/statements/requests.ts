/** The SQL of the log of requests, each statement by its name. */
import {
  ACTIVITY_BACKWARDS,
  ACTIVITY_COLUMNS,
  ACTIVITY_NAME,
  type ActivityRow,
  REFUSED_COLUMNS,
  type RefusedRow,
} from '../../request-rows.ts';
import type { Statement } from '../wire/session.ts';
import { prepared, unnest } from './prepare.ts';

/** The last number of a key, as SQL. */
const lastOf = (key: string) =>
  `(SELECT nth FROM refused_request AS own WHERE own.key = ${key} ORDER BY nth DESC LIMIT 1)`;

/** Takes the columns of `RefusedRow`s, then all codes of each. */
export const refuse = prepared(
  `INSERT INTO refused_request (${REFUSED_COLUMNS}, codes, nth)
   SELECT ${REFUSED_COLUMNS}, codes,
     coalesce(${lastOf('noted.key')}, 0) + row_number() OVER (PARTITION BY key ORDER BY time, request_id)
   FROM ${unnest('noted', [
     'request_id',
     ['time', 'bigint'],
     'key',
     'of_account',
     'authentication',
     'address',
     'method',
     'path',
     ['status', 'bigint'],
     'code',
     'faults',
     'rows',
     'codes',
   ])}
   ON CONFLICT (request_id) DO NOTHING`,
);

/** Leaves each of keys $1 the last $2. */
export const trim = prepared(
  `DELETE FROM refused_request USING (
     SELECT noted.key, ${lastOf('noted.key')} - $2::bigint AS last FROM ${unnest('noted', ['key'])}) AS old
   WHERE refused_request.key = old.key AND nth <= old.last`,
);

/** Takes the columns of `ActivityRow`s, in the order of their names: so that none waits for another that waits for it. */
export const count = prepared(
  `INSERT INTO request_activity AS known (${ACTIVITY_COLUMNS})
   SELECT ${ACTIVITY_COLUMNS} FROM ${unnest('noted', [
     'of_account',
     ['hour', 'bigint'],
     'key',
     'anchor',
     'resource',
     'outcome',
     ['count', 'bigint'],
     ['last_at', 'bigint'],
   ])}
   ON CONFLICT (${ACTIVITY_NAME}) DO UPDATE SET
     count = known.count + excluded.count, last_at = greatest(known.last_at, excluded.last_at)`,
);

/** Removes $2 of what is older than $1. */
export const purgeRefused = prepared(
  `DELETE FROM refused_request WHERE request_id = ANY (ARRAY(
     SELECT request_id FROM refused_request WHERE time < $1 LIMIT $2))`,
);

export const purgeActivity = prepared(
  `DELETE FROM request_activity WHERE (${ACTIVITY_NAME}) IN (
     SELECT ${ACTIVITY_NAME} FROM request_activity WHERE hour < $1 LIMIT $2)`,
);

/** A condition as SQL, given the number of its parameter. */
export type PredicateOn = (parameter: string) => string;

/** Takes a value for each condition, then how many at the most. */
export function listRefused(where: readonly PredicateOn[]): Statement<RefusedRow> {
  return {
    text: `SELECT ${REFUSED_COLUMNS} FROM refused_request ${whereOf(where)}
      ORDER BY time DESC, request_id DESC LIMIT $${where.length + 1}`,
  };
}

/** Takes a value for each condition, then how many at the most. */
export function listActivity(where: readonly PredicateOn[]): Statement<ActivityRow> {
  return {
    text: `SELECT ${ACTIVITY_COLUMNS} FROM request_activity ${whereOf(where)}
      ORDER BY ${ACTIVITY_BACKWARDS} LIMIT $${where.length + 1}`,
  };
}

function whereOf(conditions: readonly PredicateOn[]): string {
  const all = conditions.map((condition, index) => `(${condition(`$${index + 1}`)})`);
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}

/** The accounts of a person, as an array. */
const PERSONS = 'ARRAY(SELECT json_array_elements_text(accounts::json))';

/** What is of accounts, and of keys and people whose accounts are all among them. */
export const seenBy: PredicateOn = (accounts) =>
  `of_account = ANY (${accounts}::text[]) OR of_account = '' AND key IN (
     SELECT unique_identifier FROM api_key WHERE accounts <@ ${accounts}::text[]
     UNION ALL SELECT unique_identifier FROM staff WHERE ${PERSONS} <@ ${accounts}::text[])`;

/** What is of an account, and of keys and people that have it among others. */
export const ofAccount: PredicateOn = (account) =>
  `of_account = ${account}::text OR of_account = '' AND key IN (
     SELECT unique_identifier FROM api_key WHERE ${account}::text = ANY (accounts)
     UNION ALL SELECT unique_identifier FROM staff WHERE ${account}::text = ANY (${PERSONS}))`;
