/** The SQL of the log of changes, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { ROOT_TABLE } from '../../names.ts';
import { EXPIRED } from '../../promises/log.ts';
import { type LogRow, ROW_COLUMNS, sumOf } from '../commit/change-rows.ts';
import { bounded, elementsOf, preparing } from './prepare.ts';

/** For writers. */
export function changeStatements(database: DatabaseSync) {
  const sql = preparing(database);
  database.function('change_sum', { deterministic: true, varargs: true }, (...row) => sumOf(row));
  return {
    /** Takes the columns in the order in which they stand here. */
    append: sql`INSERT INTO change (account, ${ROW_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    /** Takes the removed record of account ?, unique identifier ?, that went at position ?. */
    goneNumber: sql<readonly [number: number]>`SELECT number FROM gone WHERE account = ?
      AND record = ? AND position = ?`,
    /** Takes the removed record of account ?, unique identifier ? from among those. */
    bringBack: sql`DELETE FROM gone WHERE account = ? AND record = ?`,
  };
}

/** For readers of the log, and for removing what is old. */
export function logStatements(database: DatabaseSync) {
  const sql = preparing(database);
  const gone = `owner.unique_identifier, record, resource, gone.position, gone.parent,
    gone.external_identifier, gone.inserted_at, removal, below, gone.created_by`;
  const account = `(SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?1)`;
  return {
    /** Takes account ?1, from that on which has position ?2, place ?3; no more than ?4. */
    read: sql<LogRow>`SELECT ${ROW_COLUMNS} FROM change
      WHERE account = ${account} AND (position, place) >= (?2, coalesce((
        SELECT max(place) FROM change
        WHERE account = ${account} AND position = ?2 AND place <= ?3), 0))
      ORDER BY position, place LIMIT ${bounded('?4')}`,
    /** The first position of account ?1. */
    first: sql<readonly [position: number]>`SELECT position FROM change WHERE account = ${account}
      ORDER BY position, place LIMIT 1`,
    /** The last of account ?1 up to position ?2. */
    lastUpTo: sql<
      readonly [position: number, place: number, token: number, occurred_at: number]
    >`SELECT position, place + count - 1,
      token, occurred_at FROM change
      WHERE account = ${account} AND position <= ?2 ORDER BY position DESC, place DESC LIMIT 1`,
    /** Takes account ?1, position ?2 after which it looks, time ?3, and how many rows ?4: gives the first position of that time or later, and the last of all. */
    doneSince: sql<readonly [found: number | null, upTo: number | null]>`SELECT
      min(CASE WHEN occurred_at >= ?3 THEN position END), max(position) FROM (
        SELECT position, occurred_at FROM change WHERE account = ${account} AND position > ?2
        ORDER BY position, place LIMIT ${bounded('?4')})`,
    /** By the unique identifiers of accounts ?. */
    positions: sql<readonly [account: string, position: number]>`SELECT unique_identifier, value
      FROM ${ROOT_TABLE} JOIN counter ON counter.account = number
      WHERE unique_identifier IN ${elementsOf('?')}`,
    /** Changes of account ?1 at position ?3 that have a change of record ?2, in their order. */
    of: sql<LogRow>`SELECT ${ROW_COLUMNS} FROM change
      WHERE account = ${account} AND position = ?3 AND instr(changes, ?2) ORDER BY place`,
    /** Changes of account ?1 at position ?2, in their order. */
    commit: sql<LogRow>`SELECT ${ROW_COLUMNS} FROM change WHERE account = ${account}
      AND position = ?2 ORDER BY place`,
    /** Takes resource ?1, unique identifier ?2, in accounts ?3. */
    gone: sql<readonly unknown[]>`SELECT ${gone} FROM ${ROOT_TABLE} AS owner
      JOIN gone ON gone.account = owner.number
      WHERE owner.unique_identifier IN ${elementsOf('?3')} AND record = ?2 AND resource = ?1`,
    /** The removed record of account ? that had number ?. */
    goneAbove: sql<readonly [record: string]>`SELECT record FROM gone
      WHERE account = (SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?) AND number = ?`,
    /** Changes of account ?1 that were removed by themselves before position ?2, the newest first, up to ?3. */
    removedAlone: sql<readonly unknown[]>`SELECT ${gone} FROM ${ROOT_TABLE} AS owner
      JOIN gone ON gone.account = owner.number
      WHERE owner.unique_identifier = ?1 AND removal < ?2 AND below IS NOT NULL
      ORDER BY removal DESC LIMIT ${bounded('?3')}`,
    /** Changes of account ?1 that went with the removal at position ?2, of resource ?3, after unique identifier ?4, up to ?5. */
    removedWith: sql<readonly unknown[]>`SELECT ${gone} FROM ${ROOT_TABLE} AS owner
      JOIN gone ON gone.account = owner.number
      WHERE owner.unique_identifier = ?1 AND removal = ?2 AND resource = ?3 AND record > ?4
      ORDER BY record LIMIT ${bounded('?5')}`,
    /** The next account after number ?. */
    nextAccount: sql<readonly [number: number, unique_identifier: string]>`SELECT number,
      unique_identifier FROM ${ROOT_TABLE} WHERE number > ? ORDER BY number LIMIT 1`,
    /** The first ?2 of account number ?1, and whether only a mark is left of each. */
    oldest: sql<
      readonly [position: number, place: number, occurred_at: number, expired: 0 | 1]
    >`SELECT position, place, occurred_at,
        count = 1 AND instr(changes, char(9) || '${EXPIRED.outcome}' || char(9)) > 0
      FROM change WHERE account = ?1
      ORDER BY position, place LIMIT ${bounded('?2')}`,
    /** Changes of account number ?1 up to position ?2, place ?3 that have removals. */
    removals: sql<LogRow>`SELECT ${ROW_COLUMNS} FROM change WHERE account = ?1
      AND (position, place) <= (?2, ?3)
        AND instr(changes, 'deleted') ORDER BY position, place`,
    /** The row of account number ?1 at position ?2, place ?3. */
    at: sql<LogRow>`SELECT ${ROW_COLUMNS} FROM change WHERE account = ?1 AND position = ?2
      AND place = ?3`,
    /** Changes of account number ?1 up to position ?2, place ?3. */
    remove: sql`DELETE FROM change WHERE account = ?1 AND (position, place) <= (?2, ?3)`,
    /** Takes account number ?, record ?, that went at position ?. */
    removeGone: sql`DELETE FROM gone WHERE account = ? AND record = ? AND position = ?`,
  };
}
