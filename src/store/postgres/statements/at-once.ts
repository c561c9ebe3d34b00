/** The SQL that writes drafts by what is remembered of their records. */
import type { RecordShape } from '../../../schema/shape.ts';
import { HOUR_MS, UPDATED_HOUR } from '../../indexed.ts';
import type { Statement } from '../session.ts';
import { IN_PAIR, keyColumn, ROOT_TABLE, tableOf } from '../tables.ts';
import { prepared } from './prepare.ts';

/** The unique identifiers of those that were not written, with commas between them. */
export type LeftRow = readonly [left: string | null];

export interface AtOnceStatements {
  /**
   * Changes records where they are there with a version, and their accounts are
   * open. Takes accounts, the time, and, in the order of their pairs, the number
   * of the account of each (from 1), its unique identifier, the version before,
   * the document and the declared keys.
   */
  readonly change: Statement<LeftRow>;
  /**
   * Makes records where their pairs have none yet and their parents stand. Takes
   * the accounts, unique identifiers and anchors of parents (an anchor is null
   * where each record is its own), the time, and, in the order of their pairs,
   * the number of the parent of each (from 1), its unique identifier, external
   * identifier, the document and the declared keys.
   */
  readonly make: Statement<LeftRow>;
  /**
   * Keeps those records that this transaction has written before as they are
   * answered. Takes accounts, and for each record the number of its account (from
   * 1), its unique identifier, and until when it is wanted.
   */
  readonly answer: Statement;
  /**
   * Keeps receipts of such records. Takes accounts, and for each receipt the
   * number of its account, the unique identifier of its record and what `RECEIPT`
   * says. Fails where one is there already.
   */
  readonly keep: Statement;
}

type Columns = readonly (readonly [name: string, type: string])[];

const RECEIPT = [
  ['owner', 'text'],
  ['idempotency_key', 'text'],
  ['fingerprint', 'bytea'],
  ['expires_at', 'bigint'],
  ['size', 'bigint'],
] as const;

/** What "answered" takes from the record, apart from its account and name. */
const ANSWERED = [
  'version',
  'anchor',
  'parent',
  'external_identifier',
  'document',
  'inserted_at',
  'updated_at',
] as const;

export function atOnceStatements(shape: RecordShape, parent: RecordShape): AtOnceStatements {
  const table = tableOf(shape);
  const keys = shape.keys.map((key) => [keyColumn(key), 'text'] as const);
  return {
    change: prepared(change(table, keys)),
    make: prepared(make(table, tableOf(parent), keys)),
    answer: prepared(answer(table)),
    keep: prepared(keep(table)),
  };
}

/** A record that was removed since is not there to be changed, and so none is below a parent that was. */
function change(table: string, keys: Columns): string {
  const sent: Columns = [
    ['of_account', 'int'],
    ['unique_identifier', 'text'],
    ['version', 'bigint'],
    ['document', 'text'],
    ...keys,
  ];
  const changed = 'greatest($2::bigint, record.inserted_at)';
  const set = [
    'document = sent.document',
    `updated_at = ${changed}`,
    `${UPDATED_HOUR} = ${changed} / ${HOUR_MS}`,
    'mark = pg_current_xact_id()',
    'version = record.version + 1',
    ...keys.map(([name]) => `${name} = sent.${name}`),
  ];
  return `
    WITH written AS (
      UPDATE ${table} AS record SET ${set.join(', ')}
      FROM ${rows('sent', sent, 3)}
      WHERE record.account = ($1::text[])[sent.of_account]
        AND record.unique_identifier = sent.unique_identifier AND record.version = sent.version
        AND sent.of_account = ANY (ARRAY(
          SELECT place::int FROM unnest($1::text[]) WITH ORDINALITY AS wanted (account, place)
          WHERE ${isOpen('wanted.account')}))
      RETURNING record.unique_identifier
    )
    ${leftOf('$4')}`;
}

function make(table: string, parentTable: string, keys: Columns): string {
  const sent: Columns = [
    ['under', 'int'],
    ['unique_identifier', 'text'],
    ['external_identifier', 'text'],
    ['document', 'text'],
    ...keys,
  ];
  const columns = [
    ['account', '($1::text[])[under]'],
    ['parent', '($2::text[])[under]'],
    ['anchor', 'coalesce(($3::text[])[under], unique_identifier)'],
    ['version', '1'],
    ['mark', 'pg_current_xact_id()'],
    ['inserted_at', '$4::bigint'],
    ['updated_at', '$4::bigint'],
    [UPDATED_HOUR, `$4::bigint / ${HOUR_MS}`],
    ...['unique_identifier', 'external_identifier', 'document'].map((name) => [name, name]),
    ...keys.map(([name]) => [name, name]),
  ];
  // An array, and no join: rows are to be written in the order in which they come, whatever the server plans.
  return `
    WITH written AS (
      INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')})
      SELECT ${columns.map(([, value]) => value).join(', ')} FROM ${rows('sent', sent, 5)}
      WHERE under = ANY (ARRAY(
        SELECT place::int
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (account, unique_identifier, place)
        CROSS JOIN LATERAL
          (SELECT FROM ${parentTable} AS record WHERE record.account = wanted.account
             AND record.unique_identifier = wanted.unique_identifier LIMIT 1) AS found
        WHERE ${isOpen('wanted.account')}))
      ON CONFLICT (account, external_identifier, parent ${IN_PAIR}) DO NOTHING
      RETURNING unique_identifier
    )
    ${leftOf('$6')}`;
}

function answer(table: string): string {
  const names = ANSWERED.join(', ');
  return `
    INSERT INTO answered (account, record, ${names}, expires_at)
    SELECT record.account, record.unique_identifier, ${names}, sent.expires_at
    ${written(table, [['expires_at', 'bigint']])}
    ORDER BY 1, 2`;
}

/** In one order in all processes, so that none waits for another that waits for it. */
function keep(table: string): string {
  const receipt = RECEIPT.map(([name]) => name);
  return `
    INSERT INTO receipt (outcome, account, record, version, ${receipt.join(', ')})
    SELECT CASE version WHEN 1 THEN 'created' ELSE 'updated' END,
      record.account, record.unique_identifier, version,
      ${receipt.map((name) => `sent.${name}`).join(', ')}
    ${written(table, RECEIPT)}
    ORDER BY owner, idempotency_key`;
}

/** Those of the records sent that this transaction has written. */
function written(table: string, columns: Columns): string {
  const sent: Columns = [['of_account', 'int'], ['record', 'text'], ...columns];
  return `FROM ${rows('sent', sent, 2)}
    CROSS JOIN LATERAL
      (SELECT * FROM ${table} AS record WHERE record.account = ($1::text[])[sent.of_account]
         AND record.unique_identifier = sent.record LIMIT 1) AS record
    WHERE record.mark = pg_current_xact_id()`;
}

function isOpen(account: string): string {
  return `EXISTS (SELECT FROM ${ROOT_TABLE} AS root
    WHERE root.account = ${account} AND closed_at IS NULL)`;
}

function rows(alias: string, columns: Columns, first: number): string {
  const arrays = columns.map(([, type], index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS ${alias} (${columns.map(([name]) => name).join(', ')})`;
}

/** Those of the unique identifiers in that parameter that are not `written`: usually there are none. */
function leftOf(identifiers: string): string {
  const written = 'ARRAY(SELECT unique_identifier FROM written)';
  return `SELECT CASE WHEN cardinality(${written}) < cardinality(${identifiers}::text[]) THEN
      array_to_string(ARRAY(SELECT identifier FROM unnest(${identifiers}::text[]) AS identifier
        WHERE identifier <> ALL (${written})), ',') END`;
}
