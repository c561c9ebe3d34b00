/**
 * Checks whether a store has the tables of this version. Until the first release the first migration is edited in
 * place, so its number alone does not show it.
 */
import { DatabaseSync } from 'node:sqlite';
import { tableColumns } from '../../../core/objects/own-object.ts';
import { ownTables } from '../../../core/objects/tables/all.ts';
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { tableName } from '../../names.ts';
import { migrate, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { keyColumn } from './tables.ts';

/** A store with another schema version is not checked: its tables differ for certain. */
export function isMadeAlike(database: DatabaseSync, shapes: readonly RecordShape[]): boolean {
  if (schemaVersion(database) !== SCHEMA_VERSION) return true;
  const made = new DatabaseSync(':memory:');
  try {
    migrate(made, shapes);
    const found = columnsOf(database);
    const declared = new Map([
      ...shapes.map((shape) => [tableName(shape), new Set(shape.keys.map(keyColumn))] as const),
      ...ownTables.map((own) => [own.table, columnNames(own)] as const),
    ]);
    // New tables, declared keys and columns are made when the store is opened.
    const has = (table: string, column: string): boolean =>
      found.get(table)?.has(column) !== false || declared.get(table)?.has(column) === true;
    return [...columnsOf(made)].every(
      ([table, columns]) =>
        (found.has(table) || declared.has(table)) &&
        [...columns].every((column) => has(table, column)),
    );
  } finally {
    made.close();
  }
}

function columnNames(table: OwnTable): ReadonlySet<string> {
  return new Set(tableColumns(table).map(({ name }) => name));
}

function columnsOf(database: DatabaseSync): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = database
    .prepare(
      `SELECT made.name AS made, columns.name AS named
       FROM sqlite_schema AS made JOIN pragma_table_info(made.name) AS columns
       WHERE made.type = 'table' AND made.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  const columns = new Map<string, Set<string>>();
  for (const { made, named } of rows) {
    columns.getOrInsertComputed(String(made), () => new Set()).add(String(named));
  }
  return columns;
}
