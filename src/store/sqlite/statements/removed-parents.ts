/** The SQL on the parents of rows that are still to be swept. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './prepare.ts';

export type RemovedParentRow = readonly [
  number: number,
  account: number,
  resource: string,
  by: string | null,
  position: number,
];

export function removedParentStatements(database: DatabaseSync) {
  return {
    /** Takes the number (of the parent, and of the removal), account, resource, who removed it and the position of that. */
    note: prepare(
      database,
      `INSERT INTO removed_parent (number, account, resource, removal, "by", position)
       VALUES (?1, ?2, ?3, ?1, ?4, ?5)`,
    ),
    next: prepare<RemovedParentRow>(
      database,
      'SELECT number, account, resource, "by", position FROM removed_parent LIMIT 1',
    ),
    forget: prepare(database, 'DELETE FROM removed_parent WHERE number = ?'),
  };
}
