/**
 * The indexes on the tables of the resources. Each begins with the account, so
 * that a table could be divided by it, and each has a price at every write:
 * there is one only where rows could not be found without it. Each ends with
 * the number of the record, whether that is said or not, and so walks records
 * that are otherwise alike in the order of their unique identifiers.
 */
import { type DeclaredKey, keySource, type RecordShape } from '../../../core/schema/shape.ts';
import { quoteName } from '../../names.ts';
import { CHANGED_MINUTE, keyColumn, tableName } from './tables.ts';

export interface Index {
  readonly name: string;
  readonly create: string;
}

/**
 * Finds one record, and walks the newest first. With the anchor, so that lists limited to anchors skip other rows
 * without reading them.
 */
export function identifierIndex(shape: RecordShape): Index {
  return index(shape, 'unique_identifier', 'account, unique_identifier, anchor', { unique: true });
}

/**
 * One record for each pair of identifiers. The parent comes last, so that the same index finds an external identifier
 * under any parent: a second one for that would cost every insert more than the order of this one does.
 */
export function identityIndex(shape: RecordShape): Index {
  return index(shape, 'identity', 'account, external_identifier, parent', { unique: true });
}

/** Walks what is below a record, the newest first. Cheap: the newest is at the end. */
export function parentIndex(shape: RecordShape): Index {
  return index(shape, 'parent', 'account, parent');
}

/** Walks records by when they were inserted. Cheap, as that of parents. */
export function insertedIndex(shape: RecordShape): Index {
  return index(shape, 'inserted_at', 'account, inserted_at');
}

/** The records that were changed since they were inserted, by when: a new record costs nothing here. */
export function changedIndex(shape: RecordShape): Index {
  const where = `${CHANGED_MINUTE} > 0`;
  return index(shape, CHANGED_MINUTE, `account, ${CHANGED_MINUTE}`, { where });
}

/**
 * While this index is there as it is described here, every row's column holds
 * what the key gives. Where a key is only filtered by, records without it are
 * left out, and cost nothing.
 */
export function keyIndex(shape: RecordShape, key: DeclaredKey): Index {
  const column = quoteName(keyColumn(key));
  return index(shape, keyColumn(key), `account, ${column}${isWalked(shape, key) ? ANCHORED : ''}`, {
    says: keySource(key),
    ...(key.for === 'filter' ? { where: `${column} <> ''` } : {}),
  });
}

/** With the anchor, as for the newest first. */
const ANCHORED = ', number, anchor';

/** Whether lists walk along the key, or along the many records that are alike in it; the root has no anchor. */
function isWalked({ parent }: RecordShape, key: DeclaredKey): boolean {
  return parent !== undefined && (key.for === 'order' || key.as === 'true');
}

/** All but those of declared keys. Those of the root are made by a migration: it is listed by name alone. */
export function fixedIndexes(shape: RecordShape): readonly Index[] {
  if (shape.parent === undefined) return [];
  return [
    ...[identifierIndex(shape), identityIndex(shape), parentIndex(shape)],
    ...[insertedIndex(shape), changedIndex(shape)],
  ];
}

interface IndexOptions {
  readonly unique?: boolean;
  /** Stored within the index: one that says something else is another index. */
  readonly says?: string;
  readonly where?: string;
}

function index(
  shape: RecordShape,
  name: string,
  columns: string,
  { unique = false, says, where }: IndexOptions = {},
): Index {
  const table = tableName(shape);
  const full = `${table}_${name}`;
  return {
    name: full,
    create: [
      unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX',
      quoteName(full),
      ...(says === undefined ? [] : [`/* ${says} */`]),
      `ON ${quoteName(table)} (${columns})`,
      ...(where === undefined ? [] : [`WHERE ${where}`]),
    ].join(' '),
  };
}
