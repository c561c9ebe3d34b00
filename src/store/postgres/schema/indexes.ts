/**
 * The indexes on the tables of the resources. Each begins with the account, as
 * every unique key of a table that is divided by it must, and each has a price
 * at every write: there is one only where rows could not be found without it.
 */
import { type DeclaredKey, keySource, type RecordShape } from '../../../core/schema/shape.ts';
import { keyColumnName, quoteName, tableName } from '../../names.ts';
import { UPDATED_HOUR } from '../../records/records.ts';
import { ALONG, IN_PAIR, keyColumn, tableOf } from './tables.ts';

export interface Index {
  readonly name: string;
  readonly create: string;
  /** Stored as the comment of the index: one that says something else is another index. */
  readonly says: string;
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
 * All indexes but those of declared keys. An index with a condition, even one that always holds,
 * serves only statements that contain it: the planner uses it for no other. A migration makes the
 * indexes of the root, which is listed by name alone.
 */
export function fixedIndexes(shape: RecordShape): readonly Index[] {
  if (shape.parent === undefined) return [];
  return [
    // Finds one record, and walks the newest first. With the anchor, so that lists limited to anchors skip other rows
    // without reading them.
    index(shape, 'unique_identifier', 'account, unique_identifier, anchor', { unique: true }),
    // Walks the records below a record, newest first.
    index(shape, 'parent', `account ${ALONG}, parent, unique_identifier`),
    // Finds records changed or inserted since some time: no record is updated before it is inserted.
    index(shape, UPDATED_HOUR, `account, ${UPDATED_HOUR}`, { where: `${UPDATED_HOUR} >= 0` }),
    // The parent comes last, so that the same index finds an external identifier under any parent.
    index(shape, 'identity', IDENTITY, { unique: true }),
  ];
}

/**
 * While this index is there and says the same, every row's column holds what
 * the key gives. Where a key is only filtered by, records without it are left
 * out, and cost nothing.
 */
export function keyIndex(shape: RecordShape, key: DeclaredKey): Index {
  const column = keyColumn(key);
  const account = key.for === 'filter' ? 'account' : `account ${ALONG}`;
  // With the anchor where lists walk along the key, or along the many records that are alike in it; the root has none.
  const walked = shape.parent !== undefined && (key.for === 'order' || key.as === 'true');
  const columns = `${account}, ${indexed(column)}, unique_identifier${walked ? ', anchor' : ''}`;
  return index(shape, keyColumnName(key), columns, {
    of: keySource(key),
    ...(key.for === 'filter' ? { where: `${column} <> ''` } : {}),
  });
}

function index(
  shape: RecordShape,
  name: string,
  columns: string,
  { unique = false, of = '', where }: { unique?: boolean; of?: string; where?: string } = {},
): Index {
  const full = `${tableName(shape)}_${name}`;
  const create = [
    unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX',
    `${quoteName(full)} ON ${tableOf(shape)} (${columns})`,
    ...(where === undefined ? [] : [`WHERE ${where}`]),
  ].join(' ');
  return { name: full, create, says: of === '' ? create : `${create} of ${of}` };
}
