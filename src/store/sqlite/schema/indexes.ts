/**
 * The indexes on the tables of the resources. Each begins with the account, so that a table could be divided by it, and
 * slows down every write, so there is one only where rows could not be found without it. Each ends with the number of
 * the record, explicitly or not, and so walks records that are otherwise equal in the order of their unique
 * identifiers.
 */
import { type DeclaredKey, keySource, type RecordShape } from '../../../core/schema/shape.ts';
import { keyColumnName, quoteName, tableName } from '../../names.ts';
import { CHANGED_MINUTE, keyColumn } from './tables.ts';

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

/** Walks the children of a record, the newest first. Cheap: the newest is at the end. */
export function parentIndex(shape: RecordShape): Index {
  return index(shape, 'parent', 'account, parent');
}

/** Walks records by the time of their insertion. Cheap, like that of parents. */
export function insertedIndex(shape: RecordShape): Index {
  return index(shape, 'inserted_at', 'account, inserted_at');
}

/**
 * Walks records that were changed since their insertion, by the time of the change: a new record costs nothing here.
 */
export function changedIndex(shape: RecordShape): Index {
  const where = `${CHANGED_MINUTE} > 0`;
  return index(shape, CHANGED_MINUTE, `account, ${CHANGED_MINUTE}`, { where });
}

/**
 * While this index exists with this description, the column of every row has the value of its key. If a key is only
 * used for filters, records without it are left out, and cost nothing.
 */
export function keyIndex(shape: RecordShape, key: DeclaredKey): Index {
  const column = keyColumn(key);
  return index(
    shape,
    keyColumnName(key),
    `account, ${column}${isWalked(shape, key) ? ANCHORED : ''}`,
    {
      says: keySource(key),
      ...(key.for === 'filter' ? { where: `${column} <> ''` } : {}),
    },
  );
}

/** With the anchor, as for the newest first. */
const ANCHORED = ', number, anchor';

/** Whether lists walk along the key, or along the many records with the same key; the root has no anchor. */
function isWalked({ parent }: RecordShape, key: DeclaredKey): boolean {
  return parent !== undefined && (key.for === 'order' || key.as === 'true');
}

/** All indexes except those of declared keys. Those of the root are made by a migration: it is listed by name alone. */
export function fixedIndexes(shape: RecordShape): readonly Index[] {
  if (shape.parent === undefined) return [];
  return [
    ...[identifierIndex(shape), identityIndex(shape), parentIndex(shape)],
    ...[insertedIndex(shape), changedIndex(shape)],
  ];
}

/** `says` is stored in the index itself: one with another text is another index. */
function index(
  shape: RecordShape,
  name: string,
  columns: string,
  { unique, says, where }: { unique?: boolean; says?: string; where?: string } = {},
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
