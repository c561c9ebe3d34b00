/**
 * The SQL of commits in one round trip, at the server that has their accounts: it locks accounts, numbers
 * a commit in each, and writes and logs all records of a resource by one statement.
 */

import type { RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, tableOf } from '../../names.ts';
import { HOUR_MS, UPDATED_HOUR } from '../../records/records.ts';
import { CHANGE_TABLE, IDENTITY } from '../schema/tables.ts';
import type { Statement } from '../wire/session.ts';
import { CHANGE_COLUMNS } from './changes.ts';
import { free, hasErased } from './commits.ts';
import { columns, prepared, unnest } from './prepare.ts';

/** A setting of the transaction: later statements have snapshots of their own and cannot see what it locked. */
export const SETTING = 'ledgerstone.locked';

/**
 * Where accounts may move to other servers, they are kept from it here, and that they have not done so is a condition
 * there: only statements that write see what others have committed while this transaction waited.
 */
export const HELD = '/* held */';
export const HERE = '/* here */';

/** The accounts that this transaction has locked, as SQL. Looked up once for a statement, not for each row. */
const LOCKED = `(SELECT string_to_array(current_setting('${SETTING}', true), ',') ${HERE})::text[]`;

/** Locks account $1, if it is open. */
export const lockOpen = prepared`${lock(`SELECT account FROM "account"
    WHERE account = $1 AND unique_identifier = $1 AND closed_at IS NULL FOR NO KEY UPDATE`)}`;

/** Locks those of the accounts $1 that are open and that no other transaction has locked. */
export const lockFree = prepared`${lock(free('account'))}`;

function lock(accounts: string): string {
  return `SELECT set_config('${SETTING}', coalesce(string_agg(account, ','), ''), true) ${HELD}
    FROM (${accounts}) AS open`;
}

/**
 * Numbers a commit in each of them, with token $1 at $2, and says whether something was erased there. Fails where there
 * is that token already.
 */
const NUMBER = `INSERT INTO "commit" AS numbered (account, position, token, committed_at)
   SELECT locked.account, last.position + 1, $1::bigint, $2::bigint
   FROM unnest(${LOCKED}) AS locked (account) CROSS JOIN LATERAL (
     SELECT position FROM "commit" WHERE account = locked.account ORDER BY position DESC LIMIT 1
   ) AS last
   RETURNING numbered.account, numbered.position, ${hasErased('numbered.account')} AS marked`;

/** The positions that this transaction has assigned before, by the token $1. */
const NUMBERED = `SELECT locked.account, own.position, ${hasErased('locked.account')} AS marked
   FROM unnest(${LOCKED}) AS locked (account) CROSS JOIN LATERAL (
     SELECT position FROM "commit" WHERE account = locked.account AND token = $1::bigint LIMIT 1
   ) AS own`;

/** A commit that writes nothing. */
export const appendEach = prepared<
  readonly [account: string, position: number, marked: boolean]
>`${NUMBER}`;

/** Where the commit of a locked account is; or that a record was not written. */
export type WrittenRow = readonly [
  account: string | null,
  position: number | null,
  unwritten: string | null,
];

/**
 * The values sent of each record, before its declared keys: the version expected (0: none), its place in the log, the
 * position of the change before, the content for the log, the source, and the hashes by which a record that is made
 * would be known if it was erased, with spaces between (none where the process does not know of any erasure).
 */
export const SENT = columns({
  text: [
    ...(['account', 'unique_identifier', 'parent', 'external_identifier', 'document'] as const),
    ...(['outcome', 'by', 'content', 'probes'] as const),
  ],
  bigint: ['expected', 'place', 'before', 'changed_by'],
});

/**
 * Changes records that have the version that is expected; makes records where none is expected, their pairs have none,
 * their parents stand, and none with one of their hashes was erased; and logs what it has written. All of it in the accounts that are locked, in each of which the
 * first of a commit numbers it. Takes the token of the commit, the time, the columns `SENT` and the declared keys.
 */
export function writeTogether(shape: RecordShape, parent: RecordShape) {
  return { writeFirst: write(shape, parent, NUMBER), writeNext: write(shape, parent, NUMBERED) };
}

function write(shape: RecordShape, parent: RecordShape, own: string): Statement<WrittenRow> {
  const table = tableOf(shape);
  const keys = shape.keys.map(keyColumn);
  const sent = unnest('sent', [...SENT, ...keys.map((key) => [key, 'text'] as const)], 3);
  const now = '$2::bigint';
  const changed = `greatest(${now}, record.inserted_at)`;
  const columns = ['document', ...keys];
  const given = ['unique_identifier', 'parent', 'external_identifier', 'position', ...columns];
  // Each part sees the tables as they were before the statement, and the others by what they return.
  // Rows go in as they rise in the indexes: a join gives them backwards, which leaves each page of an index half empty.
  return prepared`WITH own AS (
      ${own}
    ), sent AS MATERIALIZED (
      SELECT sent.*, own.position, own.marked FROM ${sent} JOIN own ON own.account = sent.account
    ), found AS MATERIALIZED (
      SELECT sent.unique_identifier
      FROM sent CROSS JOIN LATERAL unnest(string_to_array(sent.probes, ' ')) AS one (probe)
      CROSS JOIN LATERAL (
        SELECT FROM "erased" AS erased
        WHERE erased.account = sent.account AND erased.probe = one.probe LIMIT 1
      ) AS erased
      WHERE sent.marked
    ), changed AS (
      UPDATE ${table} AS record SET ${columns.map((name) => `${name} = sent.${name}`).join(', ')},
        version = sent.expected + 1, position = sent.position, changed_by = sent.changed_by,
        updated_at = ${changed}, ${UPDATED_HOUR} = ${changed} / ${HOUR_MS}
      FROM sent
      WHERE sent.expected > 0 AND record.account = sent.account
        AND record.unique_identifier = sent.unique_identifier AND record.version = sent.expected
      RETURNING record.unique_identifier, record.anchor
    ), made AS (
      INSERT INTO ${table} (account, anchor, version, inserted_at, updated_at, ${UPDATED_HOUR},
        created_by, changed_by, ${given.join(', ')})
      SELECT sent.account, coalesce(above.anchor, sent.unique_identifier), 1, ${now}, ${now},
        ${now} / ${HOUR_MS}, sent.changed_by, sent.changed_by, ${given.map((name) => `sent.${name}`).join(', ')}
      FROM sent JOIN ${tableOf(parent)} AS above
        ON above.account = sent.account AND above.unique_identifier = sent.parent
      WHERE sent.expected = 0 AND (NOT sent.marked OR sent.probes <> '')
        AND sent.unique_identifier NOT IN (SELECT unique_identifier FROM found)
      ORDER BY sent.place
      ON CONFLICT (${IDENTITY}) DO NOTHING
      RETURNING unique_identifier, anchor
    ), written AS MATERIALIZED (
      SELECT * FROM changed UNION ALL SELECT * FROM made
    ), logged AS (
      INSERT INTO "${CHANGE_TABLE}" (${CHANGE_COLUMNS})
      SELECT account, position, place, $1::bigint, '${shape.resource}', unique_identifier, anchor,
        outcome, expected + 1, before, by, ${now}, content
      FROM sent JOIN written USING (unique_identifier)
      ORDER BY place
    )
    SELECT account, position, NULL FROM own
    UNION ALL
    SELECT NULL, NULL, unique_identifier FROM unnest($4::text[]) AS sent (unique_identifier)
    WHERE unique_identifier NOT IN (SELECT unique_identifier FROM written)`;
}
