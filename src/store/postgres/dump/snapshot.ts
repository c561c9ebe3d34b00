/** A moment of a PostgreSQL store: one transaction that only reads, on a connection of its own. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, ROOT_TABLE, tableOf } from '../../names.ts';
import { type ChangeRow, toChange } from '../../promises/log.ts';
import type { Snapshot } from '../../promises/snapshot.ts';
import { HOUR_MS, RECORD_COLUMNS, UPDATED_HOUR } from '../../records/records.ts';
import { type SnapshotOf, type SnapshotSql, wholeSnapshot } from '../../whole-snapshot.ts';
import { CHANGE_TABLE } from '../schema/tables.ts';
import { TOKEN } from '../statements/changes.ts';
import { unnest } from '../statements/prepare.ts';
import { asUnavailable } from '../wire/failure.ts';
import type { Session } from '../wire/session.ts';
import { numberArray, textArray, textsOf } from '../wire/values.ts';

/** How many rows are fetched at a time: of the largest documents, some megabytes. */
const FETCHED = 200;
/** Accounts whose records the server merges: it holds a page of each. With more, it sorts all records. */
const MERGED = 100;

/** `shapes` are parents before children, the root first. */
export async function takeSnapshot(
  open: () => Promise<Session>,
  shapes: readonly RecordShape[],
  now: () => number,
  isSpread: boolean,
): Promise<Snapshot> {
  let session: Session | undefined;
  try {
    session = await open();
    for (const text of [...beginSnapshot, ...(isSpread ? beginReadSpread : beginRead)]) {
      await session.query(text);
    }
    const own = session;
    return postgresSnapshot(session, { shapes, isSpread, taken_at: now() }, () => own.close());
  } catch (error) {
    session?.destroy();
    throw asUnavailable(error);
  }
}

/** Reads in the transaction of a session. */
export function postgresSnapshot(
  session: Session,
  of: SnapshotOf & { readonly isSpread: boolean },
  release?: () => Promise<void>,
): Snapshot {
  let cursors = 0;
  const { snapshot, recordsIn, few } = wholeSnapshot(SQL, of, {
    async *pages(sql, values, few) {
      cursors += 1;
      const cursor = `read_${cursors}`;
      try {
        await few(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, ...values);
        for (let isFull = true; isFull; ) {
          const rows = await few(`FETCH ${FETCHED} FROM ${cursor}`);
          isFull = rows.length === FETCHED;
          yield rows;
        }
      } finally {
        if (session.usable) await few(`CLOSE ${cursor}`).catch(() => undefined);
      }
    },
    few: (text, values) => session.query<readonly unknown[]>(text, ...values),
    texts: (list) => (list === undefined ? null : textArray([...list])),
    toChanges: (row) => [toChangeImage(row as ChangeImageRow)],
    asUnavailable,
    ...(release && { release }),
  });
  return {
    ...snapshot,
    async changesAt(records) {
      const positions = numberArray(records.map(({ position }) => position));
      const [accounts, identifiers] = textsOf(records, 'account', 'unique_identifier');
      const rows = await few<ChangeImageRow>(changesAt, accounts, positions, identifiers);
      const wanted = new Set(
        records.map((one) => `${one.account} ${one.position} ${one.unique_identifier}`),
      );
      return rows
        .map(toChangeImage)
        .filter((one) => wanted.has(`${one.account} ${one.position} ${one.record}`));
    },
    /** By account, where these are few enough to be merged. */
    async *records(shape, scope) {
      const rows =
        scope !== undefined || of.isSpread
          ? []
          : await few<readonly [account: string]>(someAccounts, MERGED + 1);
      if (rows.length === 0 || rows.length > MERGED) return yield* snapshot.records(shape, scope);
      yield* recordsIn(recordsOfEach(shape, rows.length), ...rows.flat());
    },
    async damage() {
      const rows = await few<readonly [name: string]>(invalidIndexes);
      return rows.map(([name]) => `the index ${name} is not valid: rebuild it with REINDEX`);
    },
  };
}

type ChangeImageRow = readonly [account: string, ...change: ChangeRow];

function toChangeImage([account, ...row]: ChangeImageRow) {
  return toChange(account, row);
}

/** Begins a transaction that reads the whole store as of one moment, without a time limit. */
export const beginSnapshot = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  // Where an index has the requested order, nothing is sorted before the first row.
  'SET LOCAL enable_sort = off',
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
] as const;

/**
 * The first statement that reads sets the moment. If tables are spread, each server has a moment of its own, set
 * here, and is read over one connection, so that all reads there show the same.
 */
const beginRead = ['SELECT FROM write_check'] as const;
const beginReadSpread = [
  'SET LOCAL citus.max_adaptive_executor_pool_size = 1',
  ...beginRead,
  // Requests one row from each server, so that their moments are close together.
  `SELECT account FROM ${ROOT_TABLE} LIMIT 1`,
] as const;

/** No more than $1. */
const someAccounts = `SELECT unique_identifier FROM ${ROOT_TABLE} LIMIT $1`;

/** Takes accounts $1, $2, … The records of each come in the order of an index, and the server merges them as they are read. */
export function recordsOfEach(shape: RecordShape, accounts: number): string {
  const each = Array.from(
    { length: accounts },
    (_, at) =>
      `(${selectRecords(shape)} WHERE account = $${at + 1}
        ORDER BY unique_identifier)`,
  );
  return `SELECT * FROM (${each.join(' UNION ALL ')}) AS one_of_each ORDER BY unique_identifier`;
}

/** Indexes of the store's tables that the server does not use. */
const invalidIndexes = `SELECT indexrelid::regclass::text FROM pg_index
  JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = current_schema()::regnamespace AND NOT (indisvalid AND indisready)`;

const CHANGE_COLUMNS = `account, position, place, ${TOKEN}, resource, record, anchor, outcome,
    version, before, by, occurred_at, content`;

/**
 * Takes accounts $1, positions $2, records $3. Each commit is read by itself, and once: whatever the server knows of the
 * table, it takes the index, and a commit that changed thousands of records is not read thousands of times.
 */
export const changesAt = `SELECT found.* FROM
    (SELECT DISTINCT account, position FROM ${unnest('asked', ['account', ['position', 'bigint'], 'record'])}) AS commit_of
  CROSS JOIN LATERAL (
    SELECT ${CHANGE_COLUMNS} FROM ${CHANGE_TABLE}
    WHERE account = commit_of.account AND position = commit_of.position AND record = ANY ($3::text[])
    OFFSET 0) AS found
  ORDER BY account, position, place`;

/** The SQL that reads everything there is, each the query of a cursor. */
const SQL: SnapshotSql = {
  store: 'postgres',
  allAccounts: `SELECT unique_identifier, livemode, document, version, position, inserted_at,
      updated_at, closed_at, coalesce((SELECT max(commit.position) FROM commit
        WHERE commit.account = ${ROOT_TABLE}.account), 0)
    FROM ${ROOT_TABLE} ORDER BY unique_identifier`,
  allRecords: (shape) => `${selectRecords(shape)} ORDER BY unique_identifier`,
  /** Takes account $1 and, unless null, under anchors $2. */
  recordsOf: (shape) => `${selectRecords(shape)}
    WHERE account = $1 AND ($2::text[] IS NULL OR anchor = ANY ($2::text[]))
    ORDER BY unique_identifier`,
  /** Takes unique identifiers $1, in accounts $2 and, unless null, under anchors $3. */
  recordsNamed: (shape) => `${selectRecords(shape)}
    WHERE account = ANY ($2::text[]) AND unique_identifier = ANY ($1::text[])
      AND ($3::text[] IS NULL OR anchor = ANY ($3::text[]))`,
  /** With whether the parent exists, and what is stored next to the record. */
  inspection(shape, parent) {
    const table = tableOf(shape);
    const under =
      parent === undefined
        ? 'true'
        : `EXISTS (SELECT 1 FROM ${tableOf(parent)} AS above
             WHERE above.account = ${table}.account AND above.unique_identifier = ${table}.parent)`;
    const timed = parent === undefined ? 'true' : `${UPDATED_HOUR} = updated_at / ${HOUR_MS}`;
    const columns = [under, timed, ...shape.keys.map(keyColumn)].join(', ');
    return `SELECT unique_identifier, account, document, version, position, updated_at, ${columns} FROM ${table}`;
  },
  /**
   * Unless $1 is null, those of these unique identifiers. A parent is included where it stands, or was removed and can
   * come back.
   */
  allGone(shape, parent) {
    const isParent = `account = gone.account AND`;
    return `SELECT record, account, position,
        CASE WHEN EXISTS (SELECT 1 FROM ${tableOf(parent)} AS standing
              WHERE standing.${isParent} standing.unique_identifier = gone.parent)
            OR EXISTS (SELECT 1 FROM gone AS above
              WHERE above.${isParent} above.record = gone.parent)
          THEN parent END,
        external_identifier, inserted_at, removal, below, created_by
      FROM gone WHERE resource = '${sqlText(shape.resource)}'
        AND ($1::text[] IS NULL OR record = ANY ($1::text[])) ORDER BY record`;
  },
  /** Receipts that expire after $1. A record is named where it is there. */
  allReceipts(shapes) {
    const each = (then: (shape: RecordShape) => string) => {
      const cases = shapes.map(
        (shape) =>
          `WHEN starts_with(receipt.record, '${sqlText(shape.prefix)}') THEN ${then(shape)}`,
      );
      return `CASE WHEN receipt.version IS NOT NULL THEN CASE ${cases.join(' ')} END END`;
    };
    const resource = each((shape) => `'${sqlText(shape.resource)}'`);
    const record = each(
      (shape) => `(SELECT unique_identifier FROM ${tableOf(shape)} AS standing
        WHERE standing.account = receipt.account AND standing.unique_identifier = receipt.record)`,
    );
    return `SELECT receipt.account, receipt.owner, idempotency_key, encode(fingerprint, 'hex'),
        receipt.expires_at, size, outcome, ${resource}, ${record}, receipt.version,
        CASE WHEN below IS NOT NULL THEN receipt.record END, below, drafts
      FROM receipt WHERE receipt.expires_at > $1 ORDER BY receipt.expires_at`;
  },
  allChanges: `SELECT ${CHANGE_COLUMNS} FROM ${CHANGE_TABLE} ORDER BY account, position, place`,
  /** Takes account $1, from position $2 on. */
  changesFrom: `SELECT ${CHANGE_COLUMNS} FROM ${CHANGE_TABLE} WHERE account = $1 AND position >= $2
    ORDER BY position, place`,
};

function selectRecords(shape: RecordShape): string {
  return `SELECT ${RECORD_COLUMNS.join(', ')} FROM ${tableOf(shape)}`;
}

function sqlText(text: string): string {
  return text.replaceAll("'", "''");
}
