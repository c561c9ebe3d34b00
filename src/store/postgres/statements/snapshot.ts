/** The SQL that reads everything there is, for a snapshot: each is the query of a cursor. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, ROOT_TABLE, tableOf } from '../../names.ts';
import { HOUR_MS, RECORD_COLUMNS, UPDATED_HOUR } from '../../records/records.ts';
import { CHANGE_TABLE } from '../schema/tables.ts';
import { TOKEN } from './changes.ts';
import { unnest } from './prepare.ts';

/** Begins a transaction that reads the whole store as of one moment, without a time limit. */
export const beginSnapshot = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  // Where an index has the requested order, nothing is sorted before the first row.
  'SET LOCAL enable_sort = off',
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
] as const;

/**
 * The first statement that reads sets the moment. If tables are spread, each server has a moment of its own, set
 * here, and is read over one connection, so that all reads there show the same.
 */
export const beginRead = ['SELECT FROM write_check'] as const;
export const beginReadSpread = [
  'SET LOCAL citus.max_adaptive_executor_pool_size = 1',
  ...beginRead,
  // Requests one row from each server, so that their moments are close together.
  `SELECT account FROM ${ROOT_TABLE} LIMIT 1`,
] as const;

export const store = 'postgres';

export const allAccounts = `SELECT unique_identifier, livemode, document, version, position, inserted_at,
    updated_at, closed_at, coalesce((SELECT max(commit.position) FROM commit
      WHERE commit.account = ${ROOT_TABLE}.account), 0)
  FROM ${ROOT_TABLE} ORDER BY unique_identifier`;

export function allRecords(shape: RecordShape): string {
  return `SELECT ${RECORD_COLUMNS.join(', ')} FROM ${tableOf(shape)} ORDER BY unique_identifier`;
}

/** Takes accounts $1, $2, … The records of each come in the order of an index, and the server merges them as they are read. */
export function recordsOfEach(shape: RecordShape, accounts: number): string {
  const each = Array.from(
    { length: accounts },
    (_, at) =>
      `(SELECT ${RECORD_COLUMNS.join(', ')} FROM ${tableOf(shape)} WHERE account = $${at + 1}
        ORDER BY unique_identifier)`,
  );
  return `SELECT * FROM (${each.join(' UNION ALL ')}) AS one_of_each ORDER BY unique_identifier`;
}

/** No more than $1. */
export const someAccounts = `SELECT unique_identifier FROM ${ROOT_TABLE} LIMIT $1`;

/** Takes account $1 and, unless null, under anchors $2. */
export function recordsOf(shape: RecordShape): string {
  return `SELECT ${RECORD_COLUMNS.join(', ')} FROM ${tableOf(shape)}
    WHERE account = $1 AND ($2::text[] IS NULL OR anchor = ANY ($2::text[]))
    ORDER BY unique_identifier`;
}

/** Takes unique identifiers $1, in accounts $2 and, unless null, under anchors $3. */
export function recordsNamed(shape: RecordShape): string {
  return `SELECT ${RECORD_COLUMNS.join(', ')} FROM ${tableOf(shape)}
    WHERE account = ANY ($2::text[]) AND unique_identifier = ANY ($1::text[])
      AND ($3::text[] IS NULL OR anchor = ANY ($3::text[]))`;
}

/** With whether the parent exists, and what is stored next to the record. */
export function inspection(shape: RecordShape, parent: RecordShape | undefined): string {
  const table = tableOf(shape);
  const under =
    parent === undefined
      ? 'true'
      : `EXISTS (SELECT FROM ${tableOf(parent)} AS above
           WHERE above.account = ${table}.account AND above.unique_identifier = ${table}.parent)`;
  const timed = parent === undefined ? 'true' : `${UPDATED_HOUR} = updated_at / ${HOUR_MS}`;
  const columns = [under, timed, ...shape.keys.map(keyColumn)].join(', ');
  return `SELECT unique_identifier, account, document, version, position, updated_at, ${columns} FROM ${table}`;
}

/** Indexes of the store's tables that the server does not use. */
export const invalidIndexes = `SELECT indexrelid::regclass::text FROM pg_index
  JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = current_schema()::regnamespace AND NOT (indisvalid AND indisready)`;

/**
 * Unless $1 is null, those of these unique identifiers. A parent is included where it stands, or was removed and can
 * come back.
 */
export function allGone(shape: RecordShape, parent: RecordShape): string {
  const isParent = `account = gone.account AND`;
  return `SELECT record, account, position,
      CASE WHEN EXISTS (SELECT FROM ${tableOf(parent)} AS standing
            WHERE standing.${isParent} standing.unique_identifier = gone.parent)
          OR EXISTS (SELECT FROM gone AS above
            WHERE above.${isParent} above.record = gone.parent)
        THEN parent END,
      external_identifier, inserted_at, removal, below, created_by
    FROM gone WHERE resource = '${sqlText(shape.resource)}'
      AND ($1::text[] IS NULL OR record = ANY ($1::text[])) ORDER BY record`;
}

/** Receipts that expire after $1. A record is named where what it was answered as is there. */
export function allReceipts(shapes: readonly RecordShape[]): string {
  const resource = shapes
    .map(
      ({ prefix, resource }) =>
        `WHEN starts_with(receipt.record, '${sqlText(prefix)}') THEN '${sqlText(resource)}'`,
    )
    .join(' ');
  return `SELECT receipt.account, receipt.owner, idempotency_key, encode(fingerprint, 'hex'),
      receipt.expires_at, size, outcome,
      CASE WHEN receipt.version IS NOT NULL THEN CASE ${resource} END END,
      answered.record, receipt.version, answered.document, answered.updated_at,
      CASE WHEN below IS NOT NULL THEN receipt.record END, below, drafts
    FROM receipt LEFT JOIN answered ON answered.account = receipt.account
      AND answered.record = receipt.record AND answered.version = receipt.version
    WHERE receipt.expires_at > $1`;
}

const changeColumns = `account, position, place, ${TOKEN}, resource, record, anchor, outcome,
    version, before, by, occurred_at, content`;

export const allChanges = `SELECT ${changeColumns}
  FROM ${CHANGE_TABLE} ORDER BY account, position, place`;

/** Takes account $1, from position $2 on. */
export const changesFrom = `SELECT ${changeColumns}
  FROM ${CHANGE_TABLE} WHERE account = $1 AND position >= $2 ORDER BY position, place`;

/**
 * Takes accounts $1, positions $2, records $3. Each commit is read by itself, and once: whatever the server knows of the
 * table, it takes the index, and a commit that changed thousands of records is not read thousands of times.
 */
export const changesAt = `SELECT found.* FROM
    (SELECT DISTINCT account, position FROM ${unnest('asked', ['account', ['position', 'bigint'], 'record'])}) AS commit_of
  CROSS JOIN LATERAL (
    SELECT ${changeColumns} FROM ${CHANGE_TABLE}
    WHERE account = commit_of.account AND position = commit_of.position AND record = ANY ($3::text[])
    OFFSET 0) AS found
  ORDER BY account, position, place`;

function sqlText(text: string): string {
  return text.replaceAll("'", "''");
}
