/** The SQL of the log of changes, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { ChangeRow } from '../../log.ts';
import { ROOT_TABLE } from '../../names.ts';
import { bounded, elementsOf, prepare } from './prepare.ts';

/** The columns of the log, in the order in which `append` takes them. */
export const CHANGE_COLUMNS =
  'account, position, place, token, resource, record, anchor, outcome, version, before, "by", occurred_at, content';

/** For whatever writes. */
export function changeStatements(database: DatabaseSync) {
  return {
    append: prepare(
      database,
      `INSERT INTO change (${CHANGE_COLUMNS}) VALUES (${CHANGE_COLUMNS.replaceAll(/[^,]+/g, '?')})`,
    ),
    /** Leaves nothing of what was logged of account ? but that it was. */
    forgetContent: prepare(
      database,
      'UPDATE change SET content = NULL WHERE account = ? AND content IS NOT NULL',
    ),
    /** Of the removed record of account ?, unique identifier ?, that went at position ?. */
    goneNumber: prepare<readonly [number: number]>(
      database,
      'SELECT number FROM gone WHERE account = ? AND record = ? AND position = ?',
    ),
    /** Takes the removed record of account ?, unique identifier ? from among those. */
    bringBack: prepare(database, 'DELETE FROM gone WHERE account = ? AND record = ?'),
    /** Of account ?. */
    forgetGone: prepare(database, 'DELETE FROM gone WHERE account = ?'),
  };
}

/** For whoever reads the log, or removes what is old. */
export function logStatements(database: DatabaseSync) {
  const row = (content: string) =>
    `position, place, token, resource, record, anchor, outcome, version, before, "by", occurred_at, ${content}`;
  const account = `(SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?1)`;
  return {
    /** Of account ?1, from position ?2, place ?3 on; no more than ?4. */
    read: prepare<ChangeRow>(
      database,
      `SELECT ${row("iif(outcome = 'deleted', NULL, content)")} FROM change
       WHERE account = ${account} AND (position, place) >= (?2, ?3)
       ORDER BY position, place LIMIT ${bounded('?4')}`,
    ),
    /** The first and the last of account ?1. */
    first: prepare<Mark>(
      database,
      `SELECT position, place, token FROM change WHERE account = ${account}
       ORDER BY position, place LIMIT 1`,
    ),
    last: prepare<Mark>(
      database,
      `SELECT position, place, token FROM change WHERE account = ${account}
       ORDER BY position DESC, place DESC LIMIT 1`,
    ),
    /** By the unique identifiers of accounts ?. */
    positions: prepare<readonly [account: string, position: number]>(
      database,
      `SELECT unique_identifier, value FROM ${ROOT_TABLE} JOIN counter ON counter.account = number
       WHERE unique_identifier IN ${elementsOf('?')}`,
    ),
    /** Those of account ?1, record ?2 at position ?3, the newest first. */
    of: prepare<ChangeRow>(
      database,
      `SELECT ${row('content')} FROM change
       WHERE account = ${account} AND position = ?3 AND record = ?2 ORDER BY place DESC`,
    ),
    /** Of resource ?1, unique identifier ?2, in accounts ?3; the parent by its number. */
    gone: prepare<GoneRow>(
      database,
      `SELECT owner.unique_identifier, gone.position, gone.parent, gone.external_identifier, gone.inserted_at
       FROM ${ROOT_TABLE} AS owner JOIN gone ON gone.account = owner.number
       WHERE owner.unique_identifier IN ${elementsOf('?3')} AND record = ?2 AND resource = ?1`,
    ),
    /** The next account after number ?. */
    nextAccount: prepare<readonly [number: number]>(
      database,
      `SELECT number FROM ${ROOT_TABLE} WHERE number > ? ORDER BY number LIMIT 1`,
    ),
    /** The first ?2 of account number ?1. */
    oldest: prepare<readonly [position: number, place: number, occurred_at: number]>(
      database,
      `SELECT position, place, occurred_at FROM change WHERE account = ?1
       ORDER BY position, place LIMIT ${bounded('?2')}`,
    ),
    /** Those of account number ?1 up to position ?2, place ?3, and where the removed records among them were. */
    remove: prepare(
      database,
      'DELETE FROM change WHERE account = ?1 AND (position, place) <= (?2, ?3)',
    ),
    removeGone: prepare(
      database,
      `DELETE FROM gone WHERE account = ?1 AND (account, record, position) IN (
         SELECT account, record, position FROM change
         WHERE account = ?1 AND (position, place) <= (?2, ?3) AND outcome = 'deleted')`,
    ),
  };
}

type Mark = readonly [position: number, place: number, token: number];

type GoneRow = readonly [
  account: string,
  position: number,
  parent: number,
  external_identifier: string,
  inserted_at: number,
];
