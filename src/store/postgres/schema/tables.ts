/** The tables of the resources, made from their shapes: all alike, but for their declared keys. */
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, quoteName, tableName, tableOf } from '../../names.ts';
import { type Index, indexOn, keyIndexOn } from '../../own-tables.ts';
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

/** The most of a declared key that an index holds, in characters: an entry of an index has at most 2,704 bytes. */
const INDEXED = 256;

/** The indexed expression of a declared key (a column or a value), as SQL. */
export function indexed(key: string): string {
  return `left(${key}, ${INDEXED})`;
}

/** The columns that identify a record for its sender. Unique indexes of a partitioned table must contain the account, which partitions it. */
export const IDENTITY = `account, external_identifier, parent ${IN_PAIR}`;

/**
 * All indexes on the table of a resource but those of declared keys. Each begins with the account, as every unique key of
 * a table that is divided by it must, and each has a price at every write: there is one only where rows could not be
 * found without it. An index with a condition, even one that always holds, serves only statements that contain it: the
 * planner uses it for no other. A migration makes the indexes of the root, which is listed by name alone.
 */
export function fixedIndexes(shape: RecordShape): readonly Index[] {
  if (shape.parent === undefined) return [];
  const index = indexOn.bind(undefined, tableName(shape));
  return [
    // Finds one record, and walks the newest first. With the anchor, so that lists limited to anchors skip other rows
    // without reading them.
    index('unique_identifier', 'account, unique_identifier, anchor', { unique: true }),
    // Walks the records below a record, newest first.
    index('parent', `account ${ALONG}, parent, unique_identifier`),
    // Finds records changed or inserted since some time: no record is updated before it is inserted.
    index(UPDATED_HOUR, `account, ${UPDATED_HOUR}`, { where: `${UPDATED_HOUR} >= 0` }),
    // The parent comes last, so that the same index finds an external identifier under any parent.
    index('identity', IDENTITY, { unique: true }),
  ];
}

export function keyIndex(shape: RecordShape, key: DeclaredKey): Index {
  const account = key.for === 'filter' ? 'account' : `account ${ALONG}`;
  return keyIndexOn(shape, key, (column, isWalked) => {
    return `${account}, ${indexed(column)}, unique_identifier${isWalked ? ', anchor' : ''}`;
  });
}
