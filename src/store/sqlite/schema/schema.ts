/** The whole schema that a new store gets, as SQL to be read: `schema.sql` is made from it. */
import { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { migrate } from './migrate.ts';

export function describeSchema(shapes: readonly RecordShape[]): string {
  const database = new DatabaseSync(':memory:');
  migrate(database, shapes);
  const statements = database
    .prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all();
  database.close();
  return statements.map(({ sql }) => `${sql};\n`).join('\n');
}
