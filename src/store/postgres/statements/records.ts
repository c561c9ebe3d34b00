/** The SQL that works on records, each statement by its name. */
import type { RecordShape } from '../../../schema/shape.ts';
import { HOUR_MS, UPDATED_HOUR } from '../../indexed.ts';
import { ROOT_TABLE } from '../../names.ts';
import { RECORD_COLUMNS, type RecordRow } from '../../records.ts';
import { IDENTITY } from '../schema/indexes.ts';
import { ALONG, CHANGE_TABLE, IN_PAIR, keyColumn, tableOf } from '../schema/tables.ts';
import type { Statement } from '../wire/session.ts';
import { CHANGE_COLUMNS } from './changes.ts';
import { AWAITED, positionOf } from './commits.ts';
import { prepared, unnest } from './prepare.ts';
import { columnsOf } from './rows.ts';
import { LOCKED } from './together.ts';

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
  /** Of parent $2, external identifier $3. */
  readonly findPair: Statement<RecordRow>;
  /**
   * Changes records that have the version that is expected, if the account is
   * open; gives those that it changed. Takes the token of the commit, the time,
   * and of each record its unique identifier, the version expected, the next
   * one, the document and the declared keys.
   */
  readonly change: Statement<readonly [unique_identifier: string]>;
  /**
   * Makes records where their pairs have none and their parents stand; gives
   * those that it made. Takes the token of the commit, the time, and of each
   * record its parent, unique identifier, external identifier, version, the
   * document and the declared keys.
   */
  readonly make: Statement<readonly [unique_identifier: string]>;
  /**
   * Logs what `change` and `make` of the same commit have written before. Takes
   * the token of the commit, the time, and of each change the unique identifier
   * of its record, its anchor, place, outcome, version, the position of the change before, who
   * made it, and the content.
   */
  readonly log: Statement;
  /**
   * `change`, `make` and `log` in those accounts that `together.lockFree` has locked.
   * They take no account but the token, the time, and the account of each
   * record before all else of it.
   */
  readonly changeEach: Statement<readonly [unique_identifier: string]>;
  readonly makeEach: Statement<readonly [unique_identifier: string]>;
  readonly logEach: Statement;
  /**
   * Logs that the records $2 are removed, before that is done. Takes the position,
   * the place of the first, the token, who removes them, the time, and whether
   * the log keeps content.
   */
  readonly logRemoved: Statement;
  /** Gives record $2, which was made just before, the time $3 at which it was made first. */
  readonly backdate: Statement;
  /** Keeps of the records $2 where their changes are: at position $3. */
  readonly keepRemoved: Statement;
  /** Of the unique identifiers $2. */
  readonly versions: Statement<
    readonly [unique_identifier: string, version: number, position: number]
  >;
  /** What is under the parents $2; no more than $3. */
  readonly under: Statement<readonly [unique_identifier: string]>;
  /** Of unique identifiers $2. */
  readonly remove: Statement;
  /** Everything. */
  readonly wipe: Statement;
}

/** A closed account is in no answer, and nothing is written under it. */
export function ifOpen(shape: RecordShape, alias: string): string {
  return shape.parent === undefined ? `AND ${alias}.closed_at IS NULL` : '';
}

const IS_OPEN = `EXISTS (SELECT FROM ${ROOT_TABLE} AS root
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
  const wanted = unnest(
    'wanted',
    [
      ['parent', 'text'],
      ['external_identifier', 'text'],
    ],
    2,
  );
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
    findPair: prepared(
      `SELECT ${RECORD_COLUMNS.join(', ')} FROM ${table}
       WHERE account = $1 AND parent = $2 ${IN_PAIR} AND external_identifier = $3`,
    ),
    change: prepared(change(table, keys, IN_ONE)),
    make: prepared(make(table, tableOf(parent), keys, IN_ONE)),
    changeEach: prepared(change(table, keys, IN_EACH)),
    makeEach: prepared(make(table, tableOf(parent), keys, IN_EACH)),
    log: prepared(log(shape, IN_ONE)),
    logEach: prepared(log(shape, IN_EACH)),
    logRemoved: prepared(
      `INSERT INTO ${CHANGE_TABLE} (${CHANGE_COLUMNS})
       SELECT account, $3::bigint, $4::bigint + row_number() OVER (ORDER BY unique_identifier) - 1,
         $5::bigint, '${shape.resource}', unique_identifier, anchor, 'deleted', version + 1,
         position, $6::text, $7::bigint, CASE WHEN $8::boolean THEN document END
       FROM ${table} WHERE account = $1 AND unique_identifier = ANY ($2::text[])`,
    ),
    backdate: prepared(
      `UPDATE ${table} SET inserted_at = $3::bigint, updated_at = greatest(updated_at, $3::bigint)
       WHERE account = $1 AND unique_identifier = $2`,
    ),
    keepRemoved: prepared(
      `INSERT INTO gone
         (account, record, position, resource, parent, external_identifier, inserted_at)
       SELECT account, unique_identifier, $3::bigint, '${shape.resource}', parent,
         external_identifier, inserted_at
       FROM ${table} WHERE account = $1 AND unique_identifier = ANY ($2::text[])`,
    ),
    versions: prepared(
      `SELECT unique_identifier, version, position FROM ${table}
       WHERE account = $1 AND unique_identifier = ANY ($2::text[])`,
    ),
    under: prepared(
      `SELECT unique_identifier FROM ${table}
       WHERE account = ($1 ${ALONG}) AND parent = ANY ($2::text[]) LIMIT $3`,
    ),
    remove: prepared(
      `DELETE FROM ${table} WHERE account = $1 AND unique_identifier = ANY ($2::text[])`,
    ),
    wipe: prepared(`DELETE FROM ${table} WHERE account = $1`),
  };
}

type Columns = readonly (readonly [name: string, type: 'text' | 'bigint'])[];

/** How statements say in which account they write; both have the first column of the records' own as $4. */
interface Within {
  /** The account of a record that is sent, as SQL, as are the others. */
  readonly account: string;
  readonly isOpen: string;
  readonly position: string;
  readonly token: string;
  readonly logged: {
    readonly account: string;
    readonly position: string;
    /** What is read for it besides what is sent. */
    readonly beside: string;
    /** Whether this commit wrote the record. Not by a join: the server may begin one with all records of an account. */
    readonly isWritten: (table: string) => string;
  };
  readonly now: string;
  /** Repeats which records are meant: without it the server may read the whole account. */
  readonly bound: (alias: string) => string;
  /** What is sent before the rest of each record, beginning with parameter `first`. */
  readonly sent: Columns;
  readonly first: number;
}

const IN_ONE: Within = {
  account: '$1',
  isOpen: IS_OPEN,
  position: positionOf('$2'),
  token: '$2',
  logged: {
    account: 'own.account',
    position: 'own.position',
    beside: 'JOIN commit AS own ON own.account = $1 AND own.token = $2::bigint',
    // All looked up at once; what is compared with true is not made a join of.
    isWritten: (table) => `(sent.unique_identifier IN (
      SELECT record.unique_identifier FROM ${table} AS record
      WHERE record.account = $1 AND record.unique_identifier = ANY ($4::text[])
        AND record.position = ${positionOf('$2')})) IS TRUE`,
  },
  now: '$3::bigint',
  bound: (alias) => `AND ${alias}.unique_identifier = ANY ($4::text[])`,
  sent: [],
  first: 4,
};

const IN_EACH: Within = {
  account: 'sent.account',
  isOpen: `sent.account = ANY (${LOCKED})`,
  // Not by a join: the server may begin one with all records of an account.
  position: positionOf('$1', 'sent.account'),
  token: '$1',
  logged: {
    account: 'sent.account',
    position: positionOf('$1', 'sent.account'),
    beside: '',
    isWritten: (table) => `${positionOf('$1', 'sent.account')} = (
      SELECT record.position FROM ${table} AS record
      WHERE record.account = sent.account AND record.unique_identifier = sent.unique_identifier)`,
  },
  now: '$2::bigint',
  bound: () => '',
  sent: [['account', 'text']],
  first: 3,
};

/** A record that was removed since is not there to be changed, and so none is below a parent that was. */
function change(table: string, keys: Columns, within: Within): string {
  const sent: Columns = [
    ...within.sent,
    ['unique_identifier', 'text'],
    ['expected', 'bigint'],
    ['version', 'bigint'],
    ['document', 'text'],
    ...keys,
  ];
  const changed = `greatest(${within.now}, record.inserted_at)`;
  const set = [
    `position = ${within.position}`,
    `updated_at = ${changed}`,
    `${UPDATED_HOUR} = ${changed} / ${HOUR_MS}`,
    ...['version', 'document', ...keys.map(([name]) => name)].map(
      (name) => `${name} = sent.${name}`,
    ),
  ];
  return `UPDATE ${table} AS record SET ${set.join(', ')}
    FROM ${unnest('sent', sent, within.first)}
    WHERE record.account = ${within.account} ${within.bound('record')}
      AND record.unique_identifier = sent.unique_identifier AND record.version = sent.expected
      AND ${within.isOpen}
    RETURNING record.unique_identifier`;
}

/** A record with the position of this commit was written by it. */
function log(shape: RecordShape, within: Within): string {
  const { logged, now, token, sent, first } = within;
  const columns: Columns = [
    ...sent,
    ['unique_identifier', 'text'],
    ['anchor', 'text'],
    ['place', 'bigint'],
    ['outcome', 'text'],
    ['version', 'bigint'],
    ['before', 'bigint'],
    ['by', 'text'],
    ['content', 'text'],
  ];
  return `INSERT INTO ${CHANGE_TABLE} (${CHANGE_COLUMNS})
    SELECT ${logged.account}, ${logged.position}, place, ${token}::bigint, '${shape.resource}',
      unique_identifier, anchor, outcome, version, before, by, ${now}, content
    FROM ${unnest('sent', columns, first)} ${logged.beside}
    WHERE ${logged.isWritten(tableOf(shape))}`;
}

function make(table: string, parentTable: string, keys: Columns, within: Within): string {
  const { now } = within;
  const own: Columns = [
    ['parent', 'text'],
    ['unique_identifier', 'text'],
    ['external_identifier', 'text'],
    ['version', 'bigint'],
    ['document', 'text'],
    ...keys,
  ];
  const columns = [
    ['account', 'above.account'],
    // What is right below an account is its own anchor.
    ['anchor', 'coalesce(above.anchor, sent.unique_identifier)'],
    ['position', within.position],
    ['inserted_at', now],
    ['updated_at', now],
    [UPDATED_HOUR, `${now} / ${HOUR_MS}`],
    ...own.map(([name]) => [name, `sent.${name}`]),
  ];
  return `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')})
    SELECT ${columns.map(([, value]) => value).join(', ')}
    FROM ${parentTable} AS above JOIN ${unnest('sent', [...within.sent, ...own], within.first)}
      ON above.unique_identifier = sent.parent
    WHERE above.account = ${within.account} ${within.bound('above')}
      AND ${within.isOpen}
    ON CONFLICT (${IDENTITY}) DO NOTHING
    RETURNING unique_identifier`;
}
