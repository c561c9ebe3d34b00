/** The tables of the resources, made from their shapes: all alike, but for their declared keys. */
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { keyColumnName, quoteName, ROOT_TABLE, tableNameOf } from '../../names.ts';
import { UPDATED_HOUR } from '../../records/indexed.ts';

/** Holds which migrations were done; that it is there marks a store as one of ours. */
export const MIGRATION_TABLE = 'ledgerstone_migration';
/** The log of changes. */
export const CHANGE_TABLE = 'change';
export const FIXED_TABLES: ReadonlySet<string> = new Set([
  ROOT_TABLE,
  MIGRATION_TABLE,
  'commit',
  CHANGE_TABLE,
  'gone',
  'api_key',
  'receipt',
  'answered',
  'receipt_room',
  'refused_request',
  'request_activity',
  'webhook_endpoint',
  'webhook_delivery',
  'staff',
  'staff_passkey',
  'staff_identity',
  'staff_session',
  'staff_ceremony',
  'self_test',
  'self_test_sighting',
  'import_run',
  'location_settings',
  'write_check',
  'search_mark',
  'search_record',
  'search_term',
  'search_feeder',
  'checked_backup',
  'seen_time',
  'followed_backup',
]);

/**
 * How a parent is compared where a pair of identifiers is looked for, and an
 * account where records are walked below a parent or along a key: the same as
 * ever, but only the indexes made for it can serve that. Of a table that was
 * empty a moment ago the server knows nothing: it would else take any index
 * that begins with the account, and read all of it.
 */
export const IN_PAIR = 'COLLATE "POSIX"';
export const ALONG = 'COLLATE "ucs_basic"';

/** Where a resource's records are. */
export function tableName(shape: RecordShape): string {
  return tableNameOf(shape, FIXED_TABLES);
}

export function tableOf(shape: RecordShape): string {
  return quoteName(tableName(shape));
}

/** The column of a declared key, as SQL. */
export function keyColumn(key: DeclaredKey): string {
  return quoteName(keyColumnName(key));
}

/**
 * Leaves room on each page: a changed record that stays on its page leaves the
 * indexes alone, unless a key has changed.
 */
const ROOM = ' WITH (fillfactor = 80)';

/** With `partitions` above 0, a hash of the account divides the table into that many. */
export function createTable(shape: RecordShape, partitions: number): readonly string[] {
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
  ${UPDATED_HOUR} bigint NOT NULL
`;
  return divided(tableName(shape), columns, partitions, ROOM);
}

/** The log of changes: what each commit did, to which record. Rows are only ever added at the end of an account's. */
export function createChangeTable(partitions: number): readonly string[] {
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
  content text -- what makes of the record the one before: a merge patch; of a removal the document
`;
  return [
    ...divided(CHANGE_TABLE, columns, partitions),
    `CREATE UNIQUE INDEX change_place ON ${CHANGE_TABLE} (account, position, place)`,
  ];
}

function divided(name: string, columns: string, partitions: number, room = ''): readonly string[] {
  const table = quoteName(name);
  const parts = Array.from({ length: partitions }, (_, remainder) => {
    const part = quoteName(`${name}_${remainder}`);
    return `CREATE TABLE ${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder})${room}`;
  });
  const how = partitions > 0 ? ' PARTITION BY HASH (account)' : room;
  return [`CREATE TABLE ${table} (${columns})${how}`, ...parts];
}

export function addKeyColumn(shape: RecordShape, key: DeclaredKey): string {
  return `ALTER TABLE ${tableOf(shape)} ADD COLUMN IF NOT EXISTS ${keyColumn(key)} text COLLATE "C" NOT NULL DEFAULT ''`;
}
