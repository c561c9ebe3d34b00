/** The SQL that works on records, each statement by its name. */
import type { RecordShape } from '../../../schema/shape.ts';
import { UPDATED_HOUR } from '../../indexed.ts';
import { RECORD_COLUMNS, type RecordRow } from '../../records.ts';
import { columnsOf } from '../rows.ts';
import type { Statement } from '../session.ts';
import { IN_PAIR, keyColumn, ROOT_TABLE, tableOf } from '../tables.ts';
import { prepared, unnest } from './prepare.ts';

/** For the table of any resource, the root's included. */
export interface RecordStatements {
  /** Which of account $1, record $2 there are, of the accounts that are open. */
  readonly standing: Statement<readonly [account: string, unique_identifier: string]>;
  /** Of the unique identifiers $1, in accounts $2 and, unless null, under anchors $3. */
  readonly find: Statement<RecordRow>;
}

/** For the table of a resource whose records are written by drafts. */
export interface DraftStatements {
  /** Of accounts $1, parents $2, external identifiers $3, in one order, until the commit nobody else's to change. */
  readonly take: Statement<RecordRow>;
  /** Of account $1, parent $2, external identifier $3. */
  readonly findPair: Statement<RecordRow>;
  /** Takes arrays of the columns in `WRITTEN`, then of the declared keys. Fails where others have made such a record. */
  readonly write: Statement;
  /** Everything in account $1. */
  readonly wipe: Statement;
}

const PAIR = [
  ['account', 'text'],
  ['parent', 'text'],
  ['external_identifier', 'text'],
] as const;

/** What a record says of itself, apart from where it belongs. */
export const OWN = [
  ['unique_identifier', 'text'],
  ['anchor', 'text'],
  ['external_identifier', 'text'],
  ['document', 'text'],
  ['version', 'bigint'],
  ['inserted_at', 'bigint'],
  ['updated_at', 'bigint'],
] as const;

/** The columns that a record is written with, before its declared keys; the mark is that of the transaction. */
export const WRITTEN = [
  ['account', 'text'],
  ['parent', 'text'],
  ...OWN,
  [UPDATED_HOUR, 'bigint'],
] as const;

/** A closed account is in no answer, and nothing is written under it. */
export function ifOpen(shape: RecordShape, alias: string): string {
  return shape.parent === undefined ? `AND ${alias}.closed_at IS NULL` : '';
}

export function recordStatements(shape: RecordShape): RecordStatements {
  const table = tableOf(shape);
  const wanted = unnest('wanted', [
    ['account', 'text'],
    ['unique_identifier', 'text'],
  ]);
  return {
    standing: prepared(
      `SELECT wanted.account, wanted.unique_identifier FROM ${wanted} CROSS JOIN LATERAL
         (SELECT FROM ${table} AS record WHERE record.account = wanted.account
            AND record.unique_identifier = wanted.unique_identifier LIMIT 1) AS found
       WHERE EXISTS (SELECT FROM ${ROOT_TABLE} AS root
         WHERE root.account = wanted.account AND closed_at IS NULL)`,
    ),
    find: prepared(
      `SELECT ${columnsOf('record')} FROM ${table} AS record
       WHERE account = ANY ($2::text[]) AND unique_identifier = ANY ($1::text[])
         AND ($3::text[] IS NULL OR anchor IS NULL OR anchor = ANY ($3::text[]))
         ${ifOpen(shape, 'record')}`,
    ),
  };
}

export function draftStatements(shape: RecordShape): DraftStatements {
  const table = tableOf(shape);
  const keys = shape.keys.map((key) => [keyColumn(key), 'text'] as const);
  const columns = [...WRITTEN, ...keys];
  const names = columns.map(([name]) => name).join(', ');
  const set = ['document', 'updated_at', UPDATED_HOUR, 'mark', ...keys.map(([name]) => name)]
    .map((name) => `${name} = excluded.${name}`)
    .join(', ');
  return {
    take: prepared(
      `SELECT ${columnsOf('record')} FROM
         (SELECT * FROM ${unnest('unsorted', PAIR)}
          ORDER BY account, external_identifier, parent) AS wanted
       CROSS JOIN LATERAL
         (SELECT * FROM ${table} AS record WHERE record.account = wanted.account
            AND record.external_identifier = wanted.external_identifier
            AND record.parent = wanted.parent ${IN_PAIR}
          FOR NO KEY UPDATE) AS record`,
    ),
    findPair: prepared(
      `SELECT ${RECORD_COLUMNS.join(', ')} FROM ${table}
       WHERE account = $1 AND parent = $2 ${IN_PAIR} AND external_identifier = $3`,
    ),
    // A record that somebody else has made meanwhile gets no version, which is refused: it is another one.
    write: prepared(
      `INSERT INTO ${table} AS record (${names}, mark)
       SELECT ${names}, pg_current_xact_id() FROM ${unnest('written', columns)}
       ON CONFLICT (account, external_identifier, parent ${IN_PAIR}) DO UPDATE SET ${set}, version =
         CASE WHEN record.unique_identifier = excluded.unique_identifier THEN excluded.version END`,
    ),
    wipe: prepared(`DELETE FROM ${table} WHERE account = $1`),
  };
}
