/** A SQLite store at one moment: a read transaction on a connection of its own, concurrent with writes. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, ROOT_TABLE, tableOf } from '../../names.ts';
import type { LoggedChange } from '../../promises/log.ts';
import type { InspectedRecord, Snapshot } from '../../promises/snapshot.ts';
import { parentOf } from '../../tables.ts';
import {
  type SnapshotOf,
  type SnapshotSql,
  toInspected,
  wholeSnapshot,
} from '../../whole-snapshot.ts';
import { changesOf, type LogRow, ROW_COLUMNS } from '../commit/change-rows.ts';
import { openDatabase } from '../file/connection.ts';
import { asUnavailable } from '../file/failure.ts';
import { MINUTE_HOLDS, recordSum } from '../schema/tables.ts';
import { elementsOf, prepare } from '../statements/prepare.ts';
import { accountsOf, recordColumns } from '../statements/records.ts';

type ChangesRow = readonly [account: string, ...row: LogRow];

/** The number of account ?1. */
const ACCOUNT = `(SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?1)`;

interface SnapshotOptions extends Pick<SnapshotOf, 'shapes'> {
  readonly path: string;
  readonly now: () => number;
}

export function takeSnapshot({ path, now, ...of }: SnapshotOptions): Snapshot {
  const database = begin(path);
  return sqliteSnapshot(database, { ...of, taken_at: now() }, () => database.close());
}

function begin(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(path);
    // Other connections checkpoint the log, so this one need not. Most pages are read once, so a larger cache costs
    // memory without making exports and backups faster.
    database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192');
    database.exec('BEGIN; SELECT count(*) FROM counter');
    return database;
  } catch (error) {
    database?.close();
    throw asUnavailable(error);
  }
}

/** Reads on a connection that is in a transaction. */
export function sqliteSnapshot(
  database: DatabaseSync,
  of: SnapshotOf,
  release?: () => void,
): Snapshot {
  const { snapshot, read, few } = wholeSnapshot(SQL, of, {
    async *pages(sql, values) {
      yield prepare<readonly unknown[]>(database, sql).iterate(...(values as SQLInputValue[]));
    },
    few: async (sql, values) =>
      prepare<readonly unknown[]>(database, sql).all(...(values as SQLInputValue[])),
    texts: (list) => (list === undefined ? null : JSON.stringify([...list])),
    toChanges: (row) => toChanges(row as ChangesRow),
    asUnavailable,
    ...(release && { release }),
  });
  return {
    ...snapshot,
    async changesAt(records) {
      const changes: LoggedChange[] = [];
      const commit = prepare<ChangesRow>(database, CHANGES_AT);
      const byCommit = Map.groupBy(records, ({ account, position }) => `${account} ${position}`);
      for (const some of byCommit.values()) {
        const { account, position } = some[0] as (typeof records)[number];
        const names = new Set(some.map(({ unique_identifier }) => unique_identifier));
        for (const row of commit.iterate(account, position)) {
          changes.push(...toChanges(row).filter(({ record }) => names.has(record)));
        }
      }
      return changes;
    },
    inspect(shape) {
      const sql = SQL.inspection(shape, parentOf(shape, of.shapes));
      type Row = readonly [inserted_at: number, sum: number | null, ...unknown[]];
      return read<Row, InspectedRecord>(([inserted_at, sum, ...row]) => {
        const record = toInspected(row);
        const damaged = sum !== null && sum !== recordSum({ ...record, inserted_at });
        return { ...record, damaged };
      }, sql);
    },
    /** Finds damage of the pages of the file, and of indexes against their tables. */
    async damage() {
      const lines = await few<readonly [text: string]>('PRAGMA integrity_check(20)');
      return lines.map(([text]) => text).filter((text) => text !== 'ok');
    },
  };
}

function toChanges([account, ...row]: ChangesRow): readonly LoggedChange[] {
  return changesOf(account, row);
}

/** The SQL that reads everything: each statement runs once, from the first row to the last. */
const SQL: SnapshotSql = {
  store: 'sqlite',
  allAccounts: `SELECT unique_identifier, livemode, document, version, position, inserted_at,
      updated_at, closed_at, coalesce((SELECT value FROM counter WHERE counter.account = number), 0)
    FROM ${ROOT_TABLE} ORDER BY unique_identifier`,
  /** Numbers have the order of unique identifiers. */
  allRecords: (shape, parent) => `${selectRecords(shape, parent)} ORDER BY number`,
  /** Takes account ?1 and, unless null, under anchors ?2. */
  recordsOf: (shape, parent) => `${selectRecords(shape, parent)}
    WHERE account = ${ACCOUNT} AND (?2 IS NULL OR anchor IN ${elementsOf('?2')})
    ORDER BY unique_identifier`,
  /** Takes unique identifiers ?1, in accounts ?2 and, unless null, under anchors ?3. */
  recordsNamed: (shape, parent) => `${selectRecords(shape, parent)}
    WHERE account IN ${accountsOf('?2')} AND unique_identifier IN ${elementsOf('?1')}
      AND (?3 IS NULL OR anchor IN ${elementsOf('?3')})`,
  /** With whether the parent, in the same account, exists; and what is stored next to the record. */
  inspection(shape, parent) {
    const table = tableOf(shape);
    const under =
      parent === undefined
        ? '1'
        : `EXISTS (SELECT 1 FROM ${tableOf(parent)} AS above
             WHERE above.number = ${table}.parent AND above.account = ${table}.account)`;
    const owner = `(SELECT unique_identifier FROM ${ROOT_TABLE} AS owner WHERE owner.number = ${table}.account)`;
    const [sum, timed] = parent === undefined ? ['NULL', '1'] : ['sum', MINUTE_HOLDS];
    const columns = [under, timed, ...shape.keys.map(keyColumn)].join(', ');
    return `SELECT inserted_at, ${sum}, unique_identifier, ${owner}, document, version, position,
      updated_at, ${columns} FROM ${table} ORDER BY number`;
  },
  /**
   * Unless ?1 is null, those of these unique identifiers. Parents are looked for by number among those that stand, and
   * then among those that were removed.
   */
  allGone: (shape, parent) => `WITH above AS MATERIALIZED (
      SELECT number, record FROM gone WHERE resource = ${sqlText(parent.resource)})
    SELECT gone.record, owner.unique_identifier, gone.position,
      coalesce((SELECT unique_identifier FROM ${tableOf(parent)} AS standing WHERE standing.number = gone.parent),
        above.record), gone.external_identifier, gone.inserted_at, gone.removal, gone.below, gone.created_by
    FROM gone JOIN ${ROOT_TABLE} AS owner ON owner.number = gone.account
    LEFT JOIN above ON above.number = gone.parent
    WHERE gone.resource = ${sqlText(shape.resource)}
      AND (?1 IS NULL OR gone.record IN ${elementsOf('?1')}) ORDER BY gone.record`,
  /** Receipts that expire after ?1. A record is named where it is there. */
  allReceipts(shapes) {
    const record = shapes.map(
      (shape) =>
        `WHEN ${sqlText(shape.resource)} THEN (SELECT unique_identifier FROM ${tableOf(shape)} WHERE number = receipt.record)`,
    );
    return `SELECT owner.unique_identifier, receipt.owner, idempotency_key, lower(hex(fingerprint)),
        receipt.expires_at, size, outcome, resource, CASE resource ${record.join(' ')} END,
        receipt.version, receipt.unique_identifier, below, drafts
      FROM receipt JOIN ${ROOT_TABLE} AS owner ON owner.number = receipt.account
      WHERE receipt.expires_at > ?1 ORDER BY receipt.number`;
  },
  /** A row of the log for each: several changes. */
  allChanges: `SELECT (SELECT unique_identifier FROM ${ROOT_TABLE} WHERE number = change.account),
      ${ROW_COLUMNS}
    FROM change ORDER BY account, position, place`,
  /** Takes account ?1, from position ?2 on. */
  changesFrom: `SELECT ?1, ${ROW_COLUMNS} FROM change WHERE account = ${ACCOUNT} AND position >= ?2
    ORDER BY position, place`,
};

/** Takes account ?1, position ?2. */
const CHANGES_AT = `SELECT ?1, ${ROW_COLUMNS} FROM change WHERE account = ${ACCOUNT} AND position = ?2
  ORDER BY place`;

function selectRecords(shape: RecordShape, parent: RecordShape | undefined): string {
  const columns = recordColumns(shape, parent);
  return `SELECT ${columns} FROM ${tableOf(shape)}`;
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
