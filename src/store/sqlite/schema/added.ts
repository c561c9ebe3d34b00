/** Finds in a store's file what somebody else has put there. */
import { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { quoteName } from '../../names.ts';
import { prepare } from '../statements/prepare.ts';
import { migrate } from './migrate.ts';

export interface Added {
  readonly table: string;
  /** Its kind and name. */
  readonly what: string;
  /** The statement that takes it out. */
  readonly drop: string;
}

type Entry = readonly [type: string, name: string, table: string, sql: string];

/** The triggers and unique indexes that a store which is made now does not have. */
export function addedTo(database: DatabaseSync, shapes: readonly RecordShape[]): readonly Added[] {
  using fresh = new DatabaseSync(':memory:');
  migrate(fresh, shapes);
  const own = new Set(entriesIn(fresh).map(([, name]) => name));
  return entriesIn(database)
    .filter(([, name]) => !own.has(name))
    .map(([type, name, table]) => ({
      table,
      what: `the ${type === 'index' ? 'unique index' : type} ${name}`,
      drop: `DROP ${type.toUpperCase()} ${quoteName(name)}`,
    }));
}

function entriesIn(database: DatabaseSync): readonly Entry[] {
  const entries = prepare<Entry>(
    database,
    `SELECT type, name, tbl_name, sql FROM sqlite_schema
    WHERE type = 'trigger' OR type = 'index' AND sql LIKE 'CREATE UNIQUE %' ORDER BY tbl_name, name`,
  );
  return entries.all();
}
