/**
 * The indexes on the tables of the resources. Each begins with the account, so that a table could be divided by it, and
 * slows down every write, so there is one only where rows could not be found without it. Each ends with the number of
 * the record, explicitly or not, and so walks records that are otherwise equal in the order of their unique
 * identifiers.
 */
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { tableName } from '../../names.ts';
import { type Index, indexOn, keyIndexOn } from '../../own-tables.ts';
import { CHANGED_MINUTE } from './tables.ts';

/** Their columns, after the account: those with an anchor let lists that are limited to anchors skip other rows without reading them. */
const COLUMNS = {
  /** Finds one record, and walks the newest first. */
  unique_identifier: 'unique_identifier, anchor',
  /**
   * One record for each pair of identifiers. The parent comes last, so that the same index finds an external identifier
   * under any parent: a second one for that would cost every insert more than the order of this one does.
   */
  identity: 'external_identifier, parent',
  /** Walks the children of a record, the newest first. Cheap: the newest is at the end. */
  parent: 'parent',
  /** Walks records by the time of their insertion. Cheap, like that of parents. */
  inserted_at: 'inserted_at',
  /** Walks records that were changed since their insertion, by the time of the change: a new record costs nothing here. */
  [CHANGED_MINUTE]: CHANGED_MINUTE,
};

/** A migration makes those of the root: it is listed by name alone. */
export function fixedIndexes(shape: RecordShape): readonly Index[] {
  if (shape.parent === undefined) return [];
  return Object.entries(COLUMNS).map(([name, columns]) =>
    indexOn(tableName(shape), name, `account, ${columns}`, {
      unique: name === 'unique_identifier' || name === 'identity',
      where: name === CHANGED_MINUTE ? `${CHANGED_MINUTE} > 0` : undefined,
    }),
  );
}

/** The name of one of them. */
export function indexName(shape: RecordShape, of: keyof typeof COLUMNS): string {
  return `${tableName(shape)}_${of}`;
}

export function keyIndex(shape: RecordShape, key: DeclaredKey): Index {
  return keyIndexOn(
    shape,
    key,
    (column, isWalked) => `account, ${column}${isWalked ? ', number, anchor' : ''}`,
  );
}
