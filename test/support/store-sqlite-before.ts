/** SQLite stores in the layout that they had before records had numbers: that of schema 3. */
import { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../src/schema/shape.ts';
import { quoteName } from '../../src/store/sqlite/statements/prepare.ts';
import { keyColumn, parentTable, tableName } from '../../src/store/sqlite/tables.ts';

const RECORD =
  'unique_identifier, anchor, external_identifier, document, version, mark, inserted_at, updated_at';

/** Turns a store that is closed into one of schema 3 with the same records. */
export function asBefore(path: string, shapes: readonly RecordShape[]): void {
  const database = new DatabaseSync(path);
  const [root, ...resources] = shapes as [RecordShape, ...RecordShape[]];
  database.exec('BEGIN');
  // Children first: they are told their parents' names by the parents' numbers.
  for (const shape of resources.toReversed()) {
    asTableBefore(database, shape, parentTable(shape, root) as string);
  }
  database.exec(`
    DROP TABLE removed_parent;
    CREATE TABLE removed_parent (
      unique_identifier TEXT NOT NULL PRIMARY KEY,
      account TEXT NOT NULL,
      resource TEXT NOT NULL,
      removal TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX removed_parent_removal ON removed_parent (removal, resource);
    ALTER TABLE commit_counter DROP COLUMN last_number;
    ALTER TABLE account RENAME TO account_now;
    CREATE TABLE account (
      account TEXT NOT NULL,
      unique_identifier TEXT NOT NULL,
      parent TEXT CHECK (parent IS NULL),
      anchor TEXT CHECK (anchor IS NULL),
      external_identifier TEXT CHECK (external_identifier IS NULL),
      document TEXT NOT NULL,
      version INTEGER NOT NULL,
      mark INTEGER NOT NULL,
      inserted_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
      closed_at INTEGER,
      key_name TEXT NOT NULL DEFAULT '',
      CHECK (account = unique_identifier)
    ) STRICT;
    INSERT INTO account (account, ${RECORD}, livemode, closed_at, key_name)
      SELECT unique_identifier, ${RECORD}, livemode, closed_at, key_name FROM account_now;
    DROP TABLE account_now;
    CREATE UNIQUE INDEX account_unique_identifier ON account (account, unique_identifier);
    CREATE INDEX "account_key_name" /* folded name */ ON "account" (account, "key_name", unique_identifier);
    PRAGMA user_version = 3;
    COMMIT`);
  database.close();
}

function asTableBefore(database: DatabaseSync, shape: RecordShape, parents: string): void {
  const name = tableName(shape);
  const table = quoteName(name);
  const columns = shape.keys.map((key) => quoteName(keyColumn(key)));
  const copied = [RECORD, 'updated_hour', ...columns].join(', ');
  database.exec(`
    ALTER TABLE ${table} RENAME TO now;
    CREATE TABLE ${table} (
      account TEXT NOT NULL,
      unique_identifier TEXT NOT NULL,
      parent TEXT NOT NULL,
      anchor TEXT NOT NULL,
      external_identifier TEXT NOT NULL,
      document TEXT NOT NULL,
      version INTEGER NOT NULL,
      mark INTEGER NOT NULL,
      inserted_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      updated_hour INTEGER NOT NULL
      ${columns.map((column) => `, ${column} TEXT NOT NULL DEFAULT ''`).join('')}
    ) STRICT;
    INSERT INTO ${table} (account, parent, ${copied})
      SELECT
        (SELECT unique_identifier FROM account WHERE number = now.account),
        (SELECT unique_identifier FROM ${quoteName(parents)} WHERE number = now.parent),
        ${copied}
      FROM now ORDER BY random();
    DROP TABLE now`);
  const index = (unique: string, suffix: string, says: string, on: string, where = '') =>
    database.exec(
      `CREATE ${unique}INDEX ${quoteName(`${name}_${suffix}`)}${says} ON ${table} (${on})${where}`,
    );
  index('UNIQUE ', 'unique_identifier', '', 'account, unique_identifier, anchor');
  index('UNIQUE ', 'identity', '', 'account, external_identifier, parent');
  index('', 'parent', '', 'account, parent, unique_identifier');
  index('', 'updated_hour', '', 'account, updated_hour');
  for (const key of shape.keys) {
    const column = quoteName(keyColumn(key));
    const says = ` /* ${key.as} ${key.path.join('.')} */`;
    const where = key.for === 'filter' ? ` WHERE ${column} <> ''` : '';
    index('', keyColumn(key), says, `account, ${column}, unique_identifier`, where);
  }
}
