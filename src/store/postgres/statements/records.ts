/** The SQL that works on records, each statement by its name. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, ROOT_TABLE, tableOf } from '../../names.ts';
import { RECORD_COLUMNS, type RecordRow, UPDATED_HOUR } from '../../records/records.ts';
import { IN_PAIR } from '../schema/tables.ts';
import { AWAITED } from './commits.ts';
import { columns, insertEach, OWN, prepared, unnest, unseen } from './prepare.ts';
import { removalStatements } from './removal.ts';
import { writeTogether } from './together.ts';

export type LookRow = readonly [nth: number, stands: boolean | null, ...record: RecordRow];

/** The columns of a record that it gets when it is made, and those that change, its name only where it is redacted. */
const MADE = columns({
  text: ['account', 'unique_identifier', 'parent', 'anchor'],
  bigint: ['inserted_at', 'created_by'],
});
const CHANGING = columns({
  text: ['external_identifier', 'document'],
  bigint: ['version', 'position', 'updated_at', UPDATED_HOUR, 'changed_by'],
});
export const RECORD = [...MADE, ...CHANGING];

/** A closed account is in no answer, and nothing is written under it. */
export function ifOpen(shape: RecordShape, alias: string): string {
  return shape.parent === undefined ? `AND ${alias}.closed_at IS NULL` : '';
}

const IS_OPEN = `EXISTS (SELECT 1 FROM "${ROOT_TABLE}" AS root
  WHERE root.account = $1 AND root.unique_identifier = $1 AND closed_at IS NULL)`;

/** For the table of any resource, the root's included. */
export function recordStatements(shape: RecordShape) {
  return {
    /** Takes unique identifiers $1, account $2 and, unless null, anchors $3. */
    find: prepared<RecordRow>`${find(shape, `account = ${unseen('$2')}`)}`,
    /** Finds records in any of the accounts $2. */
    findAmong: prepared<RecordRow>`${find(shape, `account = ANY (${unseen('$2', 'text[]')})`)}`,
  };
}

function find(shape: RecordShape, within: string): string {
  return `SELECT ${columnsOf('record')} FROM ${tableOf(shape)} AS record
    WHERE ${within} AND unique_identifier = ANY ($1::text[])
      AND ($3::text[] IS NULL OR anchor IS NULL OR anchor = ANY ($3::text[]))
      ${ifOpen(shape, 'record')}`;
}

/** For the table of a resource whose records are written by drafts. Where nothing else is said, they work in account $1. */
export function draftStatements(shape: RecordShape, parent: RecordShape) {
  const table = tableOf(shape);
  const keys = shape.keys.map((key) => [keyColumn(key), 'text'] as const);
  const wanted = unnest('wanted', ['parent', 'external_identifier'], 2);
  return {
    /** Takes unique identifier $2, if the account is open. */
    find: prepared<RecordRow>`SELECT ${columnsOf('record')} FROM ${table} AS record
      WHERE account = ${OWN} AND unique_identifier = $2 AND ${IS_OPEN}`,
    /** Takes parents $2 and external identifiers $3: named twice, as with the join alone the server may read the whole account. */
    findPairs: prepared<RecordRow>`SELECT ${columnsOf('record')} FROM ${wanted}
      JOIN ${table} AS record
        ON record.external_identifier = wanted.external_identifier
        AND record.parent = wanted.parent ${IN_PAIR}
      WHERE record.account = ${OWN} AND record.external_identifier = ANY ($3::text[])`,
    /**
     * Finds the records $2 that still have the versions $3; none where commits wait for a standby, which may not have
     * what is seen.
     */
    unchanged: prepared<readonly [unique_identifier: string]>`SELECT unique_identifier
      FROM ${unnest(
        'known',
        [
          ['unique_identifier', 'text'],
          ['version', 'bigint'],
        ],
        2,
      )}
      JOIN ${table} AS record USING (unique_identifier, version)
      WHERE record.account = ${OWN} AND ${IS_OPEN} AND NOT ${AWAITED}`,
    /** By number, for each of the accounts $1, parents $2, external identifiers $3: whether the parent stands, and the record. */
    look: prepared<LookRow>`${look(table, tableOf(parent), 'wanted.account')}`,
    /** Looks records up where all are of one account. */
    lookIn: prepared<LookRow>`${look(table, tableOf(parent), '(SELECT ($1::text[])[1])')}`,
    /** Makes or changes records, and leaves each as it is sent. Takes the columns `RECORD`, then the declared keys. */
    put: insertEach(
      table,
      [...RECORD, ...keys],
      `ON CONFLICT (account, unique_identifier, anchor) DO UPDATE SET ${[...CHANGING, ...keys]
        .map(([name]) => `${name} = excluded.${name}`)
        .join(', ')}`,
    ),
    ...writeTogether(shape, parent),
    /** Reads the version of what record $2 belongs to. */
    parentVersion: prepared<readonly [version: number]>`SELECT version FROM ${tableOf(parent)}
      WHERE account = ${OWN} AND unique_identifier =
        (SELECT parent FROM ${table} WHERE account = ${OWN} AND unique_identifier = $2)`,
    removal: removalStatements(shape, parent),
  };
}

/** The account is given as SQL. With the size of the arrays the server would plan it again each time. */
function look(table: string, parentTable: string, account: string): string {
  const wanted = [1, 2, 3].map((parameter) => `(SELECT $${parameter}::text[])`).join(', ');
  return `SELECT nth, stands, ${columnsOf('record')}
    FROM unnest(${wanted}) WITH ORDINALITY AS wanted (account, parent, external_identifier, nth)
    LEFT JOIN LATERAL (SELECT true AS stands FROM ${parentTable} AS above
      WHERE above.account = ${account} AND above.unique_identifier = wanted.parent LIMIT 1
    ) AS above ON true
    LEFT JOIN LATERAL (SELECT * FROM ${table} AS record
      WHERE record.account = ${account} AND record.external_identifier = wanted.external_identifier
        AND record.parent = wanted.parent ${IN_PAIR} LIMIT 1
    ) AS record ON true`;
}

/** Columns as SQL, each of a table that has an alias. */
export function columnsOf(alias: string): string {
  return RECORD_COLUMNS.map((column) => `${alias}.${column}`).join(', ');
}
