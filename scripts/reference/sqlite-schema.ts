/** Describes the schema that a new SQLite store gets, as SQL: `docs/schema.sql`. */
import { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';

export function describeSchema(shapes: readonly RecordShape[]): string {
  const database = new DatabaseSync(':memory:');
  migrate(database, shapes);
  const statements = database
    .prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all();
  database.close();
  return statements.map(({ sql }) => `${sql};\n`).join('\n');
}
