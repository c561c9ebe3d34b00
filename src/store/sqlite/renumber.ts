/**
 * Gives numbers to the records of a table that was made before there were any
 * (`docs/decisions/0014`): its rows are copied into a new table, in the order
 * of their unique identifiers.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../schema/shape.ts';
import { HOUR_MS, UPDATED_HOUR } from '../indexed.ts';
import { StoreUnusable } from '../store.ts';
import { fixedIndexes, keyIndex } from './indexes.ts';
import { quoteName } from './statements/prepare.ts';
import { addKeyColumn, createTable, keyColumn, tableName } from './tables.ts';

/** What stands in a row as it stood before. */
const KEPT = [
  'unique_identifier',
  'anchor',
  'external_identifier',
  'document',
  'version',
  'mark',
  'inserted_at',
];

/** What waited to be swept away, by the unique identifier of its parent. */
const SWEPT = 'removed_parent_before';

/** When all tables have numbers. */
export function forgetSwept(database: DatabaseSync): void {
  database.exec(`DROP TABLE IF EXISTS ${SWEPT}`);
}

/**
 * The parents' table, `parents`, has its numbers already. Rows whose parent is
 * gone are not copied: they waited to be swept away, or `StoreUnusable` is
 * thrown. The columns of `keys` hold what they should, and are copied with
 * their indexes.
 */
export function renumber(
  database: DatabaseSync,
  shape: RecordShape,
  parents: string,
  keys: readonly DeclaredKey[],
): void {
  const table = quoteName(tableName(shape));
  const before = quoteName(`${tableName(shape)} before`);
  database.exec(`ALTER TABLE ${table} RENAME TO ${before}`);
  database.exec(createTable(shape));
  for (const key of keys) database.exec(addKeyColumn(shape, key));
  const kept = [...KEPT, ...keys.map((key) => quoteName(keyColumn(key)))];
  const { changes } = database
    .prepare(`
    INSERT INTO ${table} (number, account, parent, updated_at, ${UPDATED_HOUR}, ${kept.join(', ')})
    SELECT
      (SELECT last_number FROM commit_counter) + row_number() OVER (ORDER BY old.unique_identifier),
      above.account, above.number,
      max(old.updated_at, old.inserted_at), max(old.updated_at, old.inserted_at) / ${HOUR_MS},
      ${kept.map((column) => `old.${column}`).join(', ')}
    FROM ${before} AS old
    CROSS JOIN account ON account.unique_identifier = old.account
    CROSS JOIN ${quoteName(parents)} AS above
      ON above.account = account.number AND above.unique_identifier = old.parent`)
    .run();
  refuseOrphans(database, shape, Number(changes));
  database.exec(`
    UPDATE commit_counter
    SET last_number = max(last_number, (SELECT coalesce(max(number), 0) FROM ${table}))`);
  database.exec(`DROP TABLE ${before}`);
  for (const { create } of fixedIndexes(shape)) database.exec(create);
  for (const key of keys) database.exec(keyIndex(shape, key).create);
}

/** No record is left behind unseen: all that were not `copied` waited to be swept away. */
function refuseOrphans(database: DatabaseSync, shape: RecordShape, copied: number): void {
  const before = quoteName(`${tableName(shape)} before`);
  const found = database
    .prepare(
      `SELECT count(*) AS count FROM ${before}
       WHERE parent NOT IN (SELECT unique_identifier FROM ${SWEPT})`,
    )
    .get();
  const left = Number(found?.count) - copied;
  if (left === 0) return;
  throw new StoreUnusable(
    `The store cannot be brought up to date: ${left} of its records of ${shape.resource} belong to none that is there. Nothing was changed: restore it from a backup, or go on with the version before and report this.`,
  );
}
