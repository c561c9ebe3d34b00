/** The SQL that reads everything, for a snapshot: each statement runs once, from the first row to the last. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { quoteName, ROOT_TABLE, tableName } from '../../names.ts';
import { ROW_COLUMNS } from '../commit/change-rows.ts';
import { keyColumn, MINUTE_HOLDS } from '../schema/tables.ts';
import { elementsOf } from './prepare.ts';
import { recordColumns } from './records.ts';

type Parent = RecordShape | undefined;

export const store = 'sqlite';

export const allAccounts = `SELECT unique_identifier, livemode, document, version, position, inserted_at,
    updated_at, closed_at, coalesce((SELECT value FROM counter WHERE counter.account = number), 0)
  FROM ${ROOT_TABLE} ORDER BY unique_identifier`;

/** Numbers have the order of unique identifiers. */
export function allRecords(shape: RecordShape, parent: Parent): string {
  return `SELECT ${recordColumns(shape, parent && tableName(parent))}
    FROM ${quoteName(tableName(shape))} ORDER BY number`;
}

/** Takes account ?1 and, unless null, under anchors ?2. */
export function recordsOf(shape: RecordShape, parent: Parent): string {
  return `SELECT ${recordColumns(shape, parent && tableName(parent))}
    FROM ${quoteName(tableName(shape))}
    WHERE account = (SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?1)
      AND (?2 IS NULL OR anchor IN ${elementsOf('?2')})
    ORDER BY unique_identifier`;
}

/** Takes unique identifiers ?1, in accounts ?2 and, unless null, under anchors ?3. */
export function recordsNamed(shape: RecordShape, parent: Parent): string {
  return `SELECT ${recordColumns(shape, parent && tableName(parent))}
    FROM ${quoteName(tableName(shape))}
    WHERE account IN (SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier IN ${elementsOf('?2')})
      AND unique_identifier IN ${elementsOf('?1')}
      AND (?3 IS NULL OR anchor IN ${elementsOf('?3')})`;
}

/** With whether the parent, in the same account, exists; and what is stored next to the record. */
export function inspection(shape: RecordShape, parent: Parent): string {
  const table = quoteName(tableName(shape));
  const under =
    parent === undefined
      ? '1'
      : `EXISTS (SELECT 1 FROM ${quoteName(tableName(parent))} AS above
           WHERE above.number = ${table}.parent AND above.account = ${table}.account)`;
  const owner = `(SELECT unique_identifier FROM ${ROOT_TABLE} AS owner WHERE owner.number = ${table}.account)`;
  const [sum, timed] = parent === undefined ? ['NULL', '1'] : ['sum', MINUTE_HOLDS];
  const columns = [under, timed, ...shape.keys.map(keyColumn).map(quoteName)].join(', ');
  return `SELECT inserted_at, ${sum}, unique_identifier, ${owner}, document, version, position, updated_at,
    ${columns} FROM ${table} ORDER BY number`;
}

/** Unless ?1 is null, those of these unique identifiers. Parents are looked for by number among those that stand, and then among those that were removed. */
export function allGone(shape: RecordShape, parent: RecordShape): string {
  return `WITH above AS MATERIALIZED (
      SELECT number, record FROM gone WHERE resource = '${sqlText(parent.resource)}')
    SELECT gone.record, owner.unique_identifier, gone.position,
      coalesce((SELECT unique_identifier FROM ${quoteName(tableName(parent))} AS standing WHERE standing.number = gone.parent),
        above.record), gone.external_identifier, gone.inserted_at, gone.removal, gone.below, gone.created_by
    FROM gone JOIN ${ROOT_TABLE} AS owner ON owner.number = gone.account
    LEFT JOIN above ON above.number = gone.parent
    WHERE gone.resource = '${sqlText(shape.resource)}'
      AND (?1 IS NULL OR gone.record IN ${elementsOf('?1')}) ORDER BY gone.record`;
}

/** Receipts that expire after ?1. A record is named where what it was answered as is there. */
export function allReceipts(shapes: readonly RecordShape[]): string {
  const record = shapes
    .map(
      (shape) =>
        `WHEN '${sqlText(shape.resource)}' THEN (SELECT unique_identifier FROM ${quoteName(tableName(shape))} WHERE number = receipt.record)`,
    )
    .join(' ');
  return `SELECT owner.unique_identifier, receipt.owner, idempotency_key, lower(hex(fingerprint)),
      receipt.expires_at, size, outcome, resource,
      iif(answered.document IS NULL, NULL, CASE resource ${record} END),
      receipt.version, answered.document, answered.updated_at,
      receipt.unique_identifier, below, drafts
    FROM receipt JOIN ${ROOT_TABLE} AS owner ON owner.number = receipt.account
    LEFT JOIN answered ON answered.record = receipt.record AND answered.version = receipt.version
    WHERE receipt.expires_at > ?1 ORDER BY receipt.number`;
}

/** A row of the log for each: several changes. */
export const allChanges = `SELECT (SELECT unique_identifier FROM ${ROOT_TABLE} WHERE number = change.account),
    ${ROW_COLUMNS}
  FROM change ORDER BY account, position, place`;

/** Takes account ?1, from position ?2 on. */
export const changesFrom = `SELECT ?1, ${ROW_COLUMNS}
  FROM change WHERE account = (SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?1)
    AND position >= ?2
  ORDER BY position, place`;

/** Takes account ?1, position ?2. */
export const changesAt = `SELECT ?1, ${ROW_COLUMNS}
  FROM change WHERE account = (SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?1)
    AND position = ?2
  ORDER BY place`;

function sqlText(text: string): string {
  return text.replaceAll("'", "''");
}
