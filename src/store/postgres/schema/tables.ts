/** The tables of the resources, made from their shapes: all alike, but for their declared keys. */
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { keyColumnName, quoteName, tableName } from '../../names.ts';
import { UPDATED_HOUR } from '../../records/records.ts';

/** Holds which migrations were done; that it is there marks a store as one of ours. */
export const MIGRATION_TABLE = 'ledgerstone_migration';
export const CHANGE_TABLE = 'change';

/**
 * Collations that compare like the default, but tie a statement to the index made for it: `IN_PAIR` for the
 * parent in look-ups of a pair of identifiers, `ALONG` for the account in walks below a parent or along a key. The
 * server has no statistics of a table that was empty a moment ago, and would otherwise read all of any index that
 * begins with the account.
 */
export const IN_PAIR = 'COLLATE "POSIX"';
export const ALONG = 'COLLATE "ucs_basic"';

export function tableOf(shape: RecordShape): string {
  return quoteName(tableName(shape));
}

/** The column of a declared key, as SQL. */
export function keyColumn(key: DeclaredKey): string {
  return quoteName(keyColumnName(key));
}

/**
 * Leaves free space on each page: an update that fits on the page of the record touches no index, unless a key
 * changed.
 */
const ROOM = ' WITH (fillfactor = 80)';

/** With `partitions` above 0, a hash of the account divides the table into that many. */
export function createTable(shape: RecordShape, partitions: number): string {
  const columns = `
  account text COLLATE "C" NOT NULL,
  unique_identifier text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  anchor text COLLATE "C" NOT NULL,
  external_identifier text COLLATE "C" NOT NULL,
  document text NOT NULL,
  version bigint NOT NULL,
  position bigint NOT NULL,
  inserted_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  ${UPDATED_HOUR} bigint NOT NULL,
  created_by integer, -- the numbers of sources; NULL: unknown
  changed_by integer
`;
  return divided(tableName(shape), columns, partitions, ROOM);
}

/** The log of changes: what each commit did, to which record. Rows are only appended, at the end of those of an account. */
export function createChangeTable(partitions: number): string {
  const columns = `
  account text COLLATE "C" NOT NULL,
  position bigint NOT NULL, -- of the commit, among those of its account
  place bigint NOT NULL, -- within the commit: 0, 1, 2, …
  token bigint NOT NULL, -- of the commit
  resource text COLLATE "C" NOT NULL,
  record text COLLATE "C" NOT NULL, -- unique identifier
  anchor text COLLATE "C", -- as the record's
  outcome text COLLATE "C" NOT NULL, -- created, updated, deleted, restored or wiped
  version bigint NOT NULL, -- that it leaves
  before bigint NOT NULL, -- position of the record's change before this one; 0: none
  by text COLLATE "C", -- unique identifier of who changed it
  occurred_at bigint NOT NULL,
  content text -- a merge patch that gives the previous content; the document, for a removal
`;
  return `${divided(CHANGE_TABLE, columns, partitions)};
    CREATE UNIQUE INDEX change_place ON ${CHANGE_TABLE} (account, position, place)`;
}

function divided(name: string, columns: string, partitions: number, room = ''): string {
  const table = quoteName(name);
  const parts = Array.from({ length: partitions }, (_, remainder) => {
    const part = quoteName(`${name}_${remainder}`);
    return `CREATE TABLE ${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder})${room}`;
  });
  const how = partitions > 0 ? ' PARTITION BY HASH (account)' : room;
  return [`CREATE TABLE ${table} (${columns})${how}`, ...parts].join(';\n');
}

export function addKeyColumn(shape: RecordShape, key: DeclaredKey): string {
  return `ALTER TABLE ${tableOf(shape)} ADD COLUMN IF NOT EXISTS ${keyColumn(key)} text COLLATE "C" NOT NULL DEFAULT ''`;
}
