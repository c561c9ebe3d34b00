/** The SQL that writes drafts by what is remembered of their records, in one statement for each resource. */
import type { RecordShape } from '../../../schema/shape.ts';
import { HOUR_MS, UPDATED_HOUR } from '../../indexed.ts';
import type { Statement } from '../session.ts';
import { IN_PAIR, keyColumn, ROOT_TABLE, tableOf } from '../tables.ts';
import { prepared } from './prepare.ts';
import { OWN } from './records.ts';

/** What every row says of its record, before the declared keys; `under` is the number of its parent, from 1. */
export const SENT = [['under', 'int'], ...OWN] as const;

/** What a row says of its receipt; all null where it keeps none. */
const RECEIPT = [
  ['owner', 'text'],
  ['idempotency_key', 'text'],
  ['fingerprint', 'bytea'],
  ['expires_at', 'bigint'],
] as const;

/** The mark of the transaction, and the unique identifiers of those that were not written, with commas between them. */
export type AtOnceRow = readonly [mark: string, left: string | null];

export interface AtOnceStatements {
  /**
   * Takes arrays of the parents' accounts and unique identifiers, then of what
   * the rows say (`SENT`, declared keys), in the order of their pairs. A row of
   * version 1 is written where its pair has no record yet; any other one where
   * the record is there with the version before it; and none under a parent that does not stand.
   */
  readonly write: Statement<AtOnceRow>;
  /** The same with receipts (`RECEIPT`) for those that are written. Fails where one is there already. */
  readonly writeWithReceipts: Statement<AtOnceRow>;
}

export function atOnceStatements(shape: RecordShape, parent: RecordShape): AtOnceStatements {
  return {
    write: prepared(atOnce(shape, parent, [])),
    writeWithReceipts: prepared(atOnce(shape, parent, RECEIPT)),
  };
}

type Columns = readonly (readonly [name: string, type: string])[];

function atOnce(shape: RecordShape, parent: RecordShape, receipt: Columns): string {
  const table = tableOf(shape);
  const keys = shape.keys.map((key) => [keyColumn(key), 'text'] as const);
  const sent: Columns = [...SENT, ...keys, ...receipt];
  const arrays = sent.map(([, type], index) => `$${index + 3}::${type}[]`).join(', ');
  const identifiers = `$${SENT.findIndex(([name]) => name === 'unique_identifier') + 3}::text[]`;
  const columns = [
    'account',
    'parent',
    UPDATED_HOUR,
    'mark',
    ...[...OWN, ...keys].map(([name]) => name),
  ].join(', ');
  const set = ['document', 'updated_at', UPDATED_HOUR, 'mark', 'version']
    .concat(keys.map(([name]) => name))
    .map((name) => `${name} = excluded.${name}`);
  // An array, and no join: rows are to be written in the order in which they come, whatever the server plans.
  const standing = `ARRAY(
    SELECT wanted.place::int
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (account, unique_identifier, place)
    CROSS JOIN LATERAL
      (SELECT FROM ${tableOf(parent)} AS record WHERE record.account = wanted.account
         AND record.unique_identifier = wanted.unique_identifier LIMIT 1) AS found
    WHERE EXISTS (SELECT FROM ${ROOT_TABLE} AS root
      WHERE root.account = wanted.account AND closed_at IS NULL))`;
  return `
    WITH sent AS ${receipt.length > 0 ? 'MATERIALIZED' : 'NOT MATERIALIZED'} (
      SELECT ($1::text[])[under] AS account, ($2::text[])[under] AS parent,
        updated_at / ${HOUR_MS} AS ${UPDATED_HOUR}, pg_current_xact_id() AS mark,
        ${sent.map(([name]) => name).join(', ')}
      FROM unnest(${arrays}) AS rows (${sent.map(([name]) => name).join(', ')})
      WHERE under = ANY (${standing})
        -- One that was removed since is not to be made again. A CASE, so that this does not become a join either.
        AND CASE WHEN version = 1 THEN true ELSE EXISTS
          (SELECT FROM ${table} AS record WHERE record.account = ($1::text[])[under]
             AND record.unique_identifier = rows.unique_identifier) END
    ), written AS (
      INSERT INTO ${table} AS record (${columns})
      SELECT ${columns} FROM sent
      ON CONFLICT (account, external_identifier, parent ${IN_PAIR}) DO UPDATE SET ${set.join(', ')}
        WHERE record.unique_identifier = excluded.unique_identifier
          AND record.version = excluded.version - 1
      RETURNING unique_identifier
    )${receipt.length > 0 ? `, kept AS (${keepReceipts(receipt)})` : ''}
    SELECT pg_current_xact_id()::text,
      CASE WHEN (SELECT count(*) FROM written) < cardinality(${identifiers}) THEN
        (SELECT string_agg(identifier, ',') FROM unnest(${identifiers}) AS identifier
         WHERE identifier NOT IN (SELECT unique_identifier FROM written)) END`;
}

/** In one order in all processes, so that none waits for another that waits for it. */
function keepReceipts(receipt: Columns): string {
  const record = ['account', 'anchor', 'parent', 'external_identifier', 'document', 'version'];
  const columns = [
    ...receipt.map(([name]) => name),
    ...record,
    'mark',
    'inserted_at',
    'updated_at',
  ];
  return `
      INSERT INTO receipt (unique_identifier, outcome, ${columns.join(', ')})
      SELECT unique_identifier, CASE version WHEN 1 THEN 'created' ELSE 'updated' END, ${columns.join(', ')}
      FROM sent
      WHERE CASE WHEN owner IS NULL THEN false ELSE unique_identifier IN (SELECT unique_identifier FROM written) END
      ORDER BY owner, idempotency_key`;
}
