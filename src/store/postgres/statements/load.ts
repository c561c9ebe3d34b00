/** The SQL that fills a new store. Rows go to the server as one JSON array: as many as there are in one statement. */
import { ownColumns } from '../../../core/objects/own-object.ts';
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { FIXED_TABLES, keyColumnName, quoteName, ROOT_TABLE, tableName } from '../../names.ts';
import { RECORD_COLUMNS, UPDATED_HOUR } from '../../records/records.ts';
import { CHANGE_TABLE, tableOf } from '../schema/tables.ts';
import { CHANGE_COLUMNS } from './changes.ts';
import { RECEIPT } from './receipts.ts';

/** How a column is written in JSON. */
type SqlType = 'text' | 'bigint' | 'boolean' | 'numeric' | 'text[]';

const NUMBERS = new Set(
  `version position place token before occurred_at inserted_at updated_at closed_at expires_at
    size below removal committed created_by changed_by ${UPDATED_HOUR}`.split(/\s+/),
);

function given(columns: readonly (readonly [name: string, type: SqlType])[]): string {
  const said = columns.map(([name, type]) => `${quoteName(name)} ${type}`).join(', ');
  return `json_to_recordset($1::json) AS given (${said})`;
}

/** Parameters for columns whose names say what they are. */
function named(columns: readonly string[]): string {
  const others = (name: string) => (name === 'livemode' ? 'boolean' : 'text');
  return given(columns.map((name) => [name, NUMBERS.has(name) ? 'bigint' : others(name)]));
}

function insert(table: string, columns: readonly string[]): string {
  const names = columns.map(quoteName).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${named(columns)}`;
}

/** No other connection reads or writes the tables until the commit. */
export function lockTables(shapes: readonly RecordShape[]): string {
  const tables = new Set([...FIXED_TABLES.postgres, ...shapes.map(tableName)]);
  return `LOCK TABLE ${[...tables].map(quoteName).join(', ')} IN ACCESS EXCLUSIVE MODE`;
}

/** Whether the store has anything in it. With a column each: Citus cannot look into a table for none. */
export const lookInside = `SELECT
  EXISTS (SELECT account FROM ${ROOT_TABLE}) OR EXISTS (SELECT unique_identifier FROM api_key)`;

/** The journal of a store that was served while it was empty. */
export const forgetName = 'DELETE FROM erasure_journal';

const OF_STORE = `datname = current_database() AND application_name = current_setting('application_name')`;

/** How many other sessions work on this store. */
export const lookAround = `SELECT count(*)::int FROM pg_stat_activity
  WHERE ${OF_STORE} AND pid <> pg_backend_pid()`;
/** Looks for others at any server of a cluster. */
export const lookAroundSpread = `SELECT count(*)::int FROM citus_stat_activity
  WHERE ${OF_STORE} AND NOT is_worker_query AND global_pid <> citus_backend_gpid()`;

export function insertAccounts(root: RecordShape): string {
  return insert(ROOT_TABLE, [
    ...['account', 'livemode', 'unique_identifier', 'document', 'version', 'position'],
    ...['inserted_at', 'updated_at', 'closed_at', ...root.keys.map(keyColumnName)],
  ]);
}

/** The commit that an account was left at is not queried any more: its token is new. */
export const insertCommits = `INSERT INTO commit (account, position, token, committed_at)
  SELECT unique_identifier, committed, (random() * 281474976710655)::bigint, updated_at
  FROM ${named(['unique_identifier', 'committed', 'updated_at'])}`;

export function insertRecords(shape: RecordShape): string {
  return insert(tableOf(shape), [
    ...RECORD_COLUMNS,
    UPDATED_HOUR,
    ...shape.keys.map(keyColumnName),
  ]);
}

export const insertGone = insert('gone', [
  ...['account', 'record', 'position', 'resource', 'parent', 'external_identifier', 'inserted_at'],
  ...['removal', 'below', 'created_by'],
]);

const receiptColumns = RECEIPT.map(([name]) => name);

export const insertReceipts = `INSERT INTO receipt (${receiptColumns.join(', ')})
  SELECT ${receiptColumns.join(', ').replace('fingerprint', "decode(fingerprint, 'hex')")}
  FROM ${named(receiptColumns)}`;

/** The document stored with such a receipt of a record that exists. */
export function insertAnswered(shape: RecordShape): string {
  const columns = ['account', 'record', 'version', 'document', 'updated_at', 'expires_at'];
  return `INSERT INTO answered (account, record, version, anchor, parent, external_identifier, document,
      inserted_at, updated_at, expires_at)
    SELECT DISTINCT ON (given.account, record, given.version) given.account, record, given.version,
      anchor, parent, external_identifier, given.document, inserted_at, given.updated_at, expires_at
    FROM ${named(columns)} JOIN ${tableOf(shape)} AS standing
      ON standing.account = given.account AND standing.unique_identifier = given.record
    ORDER BY given.account, record, given.version, expires_at DESC
    ON CONFLICT (account, record, version) DO UPDATE
      SET expires_at = greatest(answered.expires_at, excluded.expires_at)`;
}

export const insertRooms =
  'INSERT INTO receipt_room (owner, bytes) SELECT owner, sum(size)::bigint FROM receipt GROUP BY owner';

export const insertChanges = insert(CHANGE_TABLE, CHANGE_COLUMNS.split(', '));

const KINDS = {
  text: 'text',
  number: 'numeric',
  bytes: 'text',
  flag: 'boolean',
  texts: 'text[]',
} as const;

export function insertRows(table: OwnTable): string {
  const all = ownColumns(table);
  const names = all.map(({ name }) => quoteName(name)).join(', ');
  const values = all.map(({ name, kind }) =>
    kind === 'bytes' ? `decode(${quoteName(name)}, 'hex')` : quoteName(name),
  );
  const rows = given(all.map(({ name, kind }) => [name, KINDS[kind]]));
  return `INSERT INTO ${quoteName(table.table)} (${names}) SELECT ${values.join(', ')} FROM ${rows}`;
}
