/** The names of tables and columns in every SQL store. */
import { ownTables } from '../core/objects/tables/all.ts';
import type { DeclaredKey, RecordShape } from '../core/schema/shape.ts';
import type { ListQuery } from './promises/records.ts';

/** The root of all records: made by the first migration, under any name of its resource. */
export const ROOT_TABLE = 'account';

/** All tables but those of resources: those that the first migration makes, and those that are declared. */
const SHARED_TABLES = [
  ...[ROOT_TABLE, 'change', 'gone', 'receipt', 'receipt_room', 'write_check'],
  ...ownTables.map(({ table }) => table),
];
/** Fixed tables by store, with those that only it has. */
export const FIXED_TABLES = {
  sqlite: [...SHARED_TABLES, 'counter'],
  postgres: [
    ...[...SHARED_TABLES, 'ledgerstone_migration', 'commit', 'answered'],
    ...['search_mark', 'search_record', 'search_term', 'search_feeder'],
  ],
};
const RESERVED: ReadonlySet<string> = new Set(Object.values(FIXED_TABLES).flat());

/** A name as SQL, with any characters in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The table of a resource's records. A name that is taken on one store is taken on both. */
export function tableName(shape: RecordShape): string {
  if (shape.parent === undefined) return ROOT_TABLE;
  if (RESERVED.has(shape.resource)) {
    throw new TypeError(`No resource but the root can be called ${shape.resource}.`);
  }
  return shape.resource;
}

/** The table of a resource's records, as SQL. */
export function tableOf(shape: RecordShape): string {
  return quoteName(tableName(shape));
}

export function keyColumnName({ name }: Pick<DeclaredKey, 'name'>): string {
  return `key_${name}`;
}

/** The column of a declared key, as SQL. */
export function keyColumn(key: DeclaredKey): string {
  return quoteName(keyColumnName(key));
}

/** Throws where the shape declares no key of that name. */
export function declaredKey(shape: RecordShape, name: string): DeclaredKey {
  const key = shape.keys.find((declared) => declared.name === name);
  if (key === undefined) throw new TypeError(`${shape.resource} has no declared key ${name}.`);
  return key;
}

/** Finds the key of that name; throws unless lists can be sorted by it. */
export function orderKey(shape: RecordShape, name: string): DeclaredKey {
  const key = declaredKey(shape, name);
  if (key.for !== 'order') throw new TypeError(`${shape.resource} is not sorted by ${name}.`);
  return key;
}

/** Whether a list is ascending: by its key, or by unique identifier with the newest last. */
export function ascends(order: ListQuery['order']): boolean {
  return order !== 'newest' && order.descending !== true;
}
