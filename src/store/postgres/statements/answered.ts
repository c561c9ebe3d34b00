/**
 * The SQL that works on copies of records as keyed requests were answered. Processes of 1.0 that run beside this one answer
 * repetitions from them, and from nothing else; this version reads none.
 */
import { columns, insertEach, OWN, prepared, unnest } from './prepare.ts';

export const ANSWERED = columns({
  text: ['account', 'record', 'anchor', 'parent', 'external_identifier', 'document'],
  bigint: ['version', 'inserted_at', 'updated_at', 'expires_at'],
});

/** Each version once, until the last receipt of it expires. */
export const answer = insertEach(
  '"answered" AS answered',
  ANSWERED,
  `ON CONFLICT (account, record, version) DO UPDATE SET expires_at = excluded.expires_at
     WHERE answered.expires_at < excluded.expires_at`,
);

/** Removes those of record $2 of account $1. */
export const forget = prepared`DELETE FROM "answered" WHERE account = ${OWN} AND record = $2`;

/** Removes those of records $2 of account $1 at versions $3, unless they are needed beyond $4. */
export const purge = prepared`DELETE FROM "answered" AS answered
  USING ${unnest('due', ['record', ['version', 'bigint']], 2)}
  WHERE answered.account = ${OWN} AND answered.record = due.record
    AND answered.version = due.version AND expires_at <= $4`;
