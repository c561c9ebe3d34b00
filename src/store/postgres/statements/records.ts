/** The SQL that works on records, each statement by its name. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { ROOT_TABLE } from '../../names.ts';
import { HOUR_MS, UPDATED_HOUR } from '../../records/indexed.ts';
import type { RecordRow } from '../../records/records.ts';
import { IDENTITY } from '../schema/indexes.ts';
import { CHANGE_TABLE, IN_PAIR, keyColumn, tableOf } from '../schema/tables.ts';
import type { Statement } from '../wire/session.ts';
import { CHANGE_COLUMNS } from './changes.ts';
import { AWAITED, positionOf } from './commits.ts';
import { prepared, unnest } from './prepare.ts';
import { type RemovalStatements, removalStatements } from './removal.ts';
import { columnsOf } from './rows.ts';
import { type WrittenRow, writeTogether } from './together.ts';

/** For the table of any resource, the root's included. */
export interface RecordStatements {
  /** Which records $2 there are in account $1, if that is open; and whether commits wait for a standby. */
  readonly standing: Statement<readonly [unique_identifier: string, awaited: boolean]>;
  /** Of the unique identifiers $1, in account $2 and, unless null, under anchors $3. */
  readonly find: Statement<RecordRow>;
  /** The same in any of the accounts $2. */
  readonly findAmong: Statement<RecordRow>;
}

/** For the table of a resource whose records are written by drafts. All of them work in account $1. */
export interface DraftStatements {
  /** Of unique identifier $2, if the account is open. */
  readonly find: Statement<RecordRow>;
  /** Of parents $2, external identifiers $3. */
  readonly findPairs: Statement<RecordRow>;
  /**
   * Changes records that have the version that is expected, if the account is
   * open; gives those that it changed. Takes the token of the commit, the time,
   * and of each record its unique identifier, the version expected, the next
   * one, the document, the source and the declared keys.
   */
  readonly change: Statement<readonly [unique_identifier: string]>;
  /**
   * Makes records where their pairs have none and their parents stand; gives
   * those that it made. Takes the token of the commit, the time, and of each
   * record its parent, unique identifier, external identifier, version, the
   * document, the sources that changed and made it, and the declared keys.
   */
  readonly make: Statement<readonly [unique_identifier: string]>;
  /**
   * Logs what `change` and `make` of the same commit have written before. Takes
   * the token of the commit, the time, and of each change the unique identifier
   * of its record, its anchor, place, outcome, version, the position of the change before, who
   * made it, and the content.
   */
  readonly log: Statement;
  /** All three at once, in the accounts that the transaction has locked together: the first of a commit, and one after it. */
  readonly writeFirst: Statement<WrittenRow>;
  readonly writeNext: Statement<WrittenRow>;
  /** Gives record $2, which was made just before, the time $3 at which it was made first. */
  readonly backdate: Statement;
  /** Of the unique identifiers $2. */
  readonly versions: Statement<
    readonly [unique_identifier: string, version: number, position: number]
  >;
  readonly parentVersion: Statement<readonly [version: number]>;
  readonly removal: RemovalStatements;
  /** Gives the record $2 the external identifier $3. */
  readonly rename: Statement;
}

/** A closed account is in no answer, and nothing is written under it. */
export function ifOpen(shape: RecordShape, alias: string): string {
  return shape.parent === undefined ? `AND ${alias}.closed_at IS NULL` : '';
}

const IS_OPEN = `EXISTS (SELECT FROM "${ROOT_TABLE}" AS root
  WHERE root.account = $1 AND root.unique_identifier = $1 AND closed_at IS NULL)`;

export function recordStatements(shape: RecordShape): RecordStatements {
  const table = tableOf(shape);
  return {
    standing: prepared(
      `SELECT unique_identifier, ${AWAITED} FROM ${table} AS record
       WHERE account = $1 AND unique_identifier = ANY ($2::text[]) AND ${IS_OPEN}`,
    ),
    find: prepared(find(shape, 'account = $2')),
    findAmong: prepared(find(shape, 'account = ANY ($2::text[])')),
  };
}

function find(shape: RecordShape, within: string): string {
  return `SELECT ${columnsOf('record')} FROM ${tableOf(shape)} AS record
    WHERE ${within} AND unique_identifier = ANY ($1::text[])
      AND ($3::text[] IS NULL OR anchor IS NULL OR anchor = ANY ($3::text[]))
      ${ifOpen(shape, 'record')}`;
}

export function draftStatements(shape: RecordShape, parent: RecordShape): DraftStatements {
  const table = tableOf(shape);
  const keys = shape.keys.map((key) => [keyColumn(key), 'text'] as const);
  const wanted = unnest('wanted', ['parent', 'external_identifier'], 2);
  return {
    find: prepared(
      `SELECT ${columnsOf('record')} FROM ${table} AS record
       WHERE account = $1 AND unique_identifier = $2 AND ${IS_OPEN}`,
    ),
    // Named twice: with the join alone the server may read the whole account.
    findPairs: prepared(
      `SELECT ${columnsOf('record')} FROM ${wanted} JOIN ${table} AS record
         ON record.external_identifier = wanted.external_identifier
         AND record.parent = wanted.parent ${IN_PAIR}
       WHERE record.account = $1 AND record.external_identifier = ANY ($3::text[])`,
    ),
    change: prepared(change(table, keys)),
    make: prepared(make(table, tableOf(parent), keys)),
    log: prepared(log(shape)),
    ...writeTogether(shape, parent),
    backdate: prepared(
      `UPDATE ${table} SET inserted_at = $3::bigint, updated_at = greatest(updated_at, $3::bigint)
       WHERE account = $1 AND unique_identifier = $2`,
    ),
    versions: prepared(
      `SELECT unique_identifier, version, position FROM ${table}
       WHERE account = $1 AND unique_identifier = ANY ($2::text[])`,
    ),
    /** Of what record $2 belongs to. */
    parentVersion: prepared<readonly [version: number]>(
      `SELECT version FROM ${tableOf(parent)} WHERE account = $1 AND unique_identifier =
         (SELECT parent FROM ${table} WHERE account = $1 AND unique_identifier = $2)`,
    ),
    removal: removalStatements(shape, parent),
    rename: prepared(
      `UPDATE ${table} SET external_identifier = $3 WHERE account = $1 AND unique_identifier = $2`,
    ),
  };
}

type Columns = readonly (readonly [name: string, type: 'text' | 'bigint'])[];

/** The position of this commit. */
const POSITION = positionOf('$2');

/** Repeats which records are meant: without it the server may read the whole account. */
function bound(alias: string): string {
  return `AND ${alias}.account = $1 AND ${alias}.unique_identifier = ANY ($4::text[])`;
}

/** A record that was removed since is not there to be changed, and so none is below a parent that was. */
function change(table: string, keys: Columns): string {
  const sent: Columns = [
    ['unique_identifier', 'text'],
    ['expected', 'bigint'],
    ['version', 'bigint'],
    ['document', 'text'],
    ['changed_by', 'bigint'],
    ...keys,
  ];
  const changed = 'greatest($3::bigint, record.inserted_at)';
  const set = [
    `position = ${POSITION}`,
    `updated_at = ${changed}`,
    `${UPDATED_HOUR} = ${changed} / ${HOUR_MS}`,
    ...['version', 'document', 'changed_by', ...keys.map(([name]) => name)].map(
      (name) => `${name} = sent.${name}`,
    ),
  ];
  return `UPDATE ${table} AS record SET ${set.join(', ')} FROM ${unnest('sent', sent, 4)}
    WHERE record.unique_identifier = sent.unique_identifier AND record.version = sent.expected
      ${bound('record')} AND ${IS_OPEN}
    RETURNING record.unique_identifier`;
}

/** A record with the position of this commit was written by it. All are looked up at once; what is compared with true is not made a join of. */
function log(shape: RecordShape): string {
  const sent: Columns = [
    ['unique_identifier', 'text'],
    ['anchor', 'text'],
    ['place', 'bigint'],
    ['outcome', 'text'],
    ['version', 'bigint'],
    ['before', 'bigint'],
    ['by', 'text'],
    ['content', 'text'],
  ];
  return `INSERT INTO "${CHANGE_TABLE}" (${CHANGE_COLUMNS})
    SELECT own.account, own.position, place, $2::bigint, '${shape.resource}',
      unique_identifier, anchor, outcome, version, before, by, $3::bigint, content
    FROM ${unnest('sent', sent, 4)} JOIN "commit" AS own ON own.account = $1 AND own.token = $2::bigint
    WHERE (sent.unique_identifier IN (
      SELECT record.unique_identifier FROM ${tableOf(shape)} AS record
      WHERE record.position = ${POSITION} ${bound('record')})) IS TRUE`;
}

function make(table: string, parentTable: string, keys: Columns): string {
  const sent: Columns = [
    ['parent', 'text'],
    ['unique_identifier', 'text'],
    ['external_identifier', 'text'],
    ['version', 'bigint'],
    ['document', 'text'],
    ['changed_by', 'bigint'],
    ['created_by', 'bigint'],
    ...keys,
  ];
  const columns = [
    ['account', 'above.account'],
    // A record directly below an account is its own anchor.
    ['anchor', 'coalesce(above.anchor, sent.unique_identifier)'],
    ['position', POSITION],
    ['inserted_at', '$3::bigint'],
    ['updated_at', '$3::bigint'],
    [UPDATED_HOUR, `$3::bigint / ${HOUR_MS}`],
    ...sent.map(([name]) => [name, `sent.${name}`]),
  ];
  return `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')})
    SELECT ${columns.map(([, value]) => value).join(', ')}
    FROM ${parentTable} AS above JOIN ${unnest('sent', sent, 4)}
      ON above.unique_identifier = sent.parent
    WHERE ${IS_OPEN} ${bound('above')}
    ON CONFLICT (${IDENTITY}) DO NOTHING
    RETURNING unique_identifier`;
}
