/** Tables that Citus spreads over several servers, by account: checked when a store is opened, spread when they are made. */
import { ROOT_TABLE } from '../../names.ts';
import { StoreUnavailable, StoreUnusable } from '../../promises/store.ts';
import { prepared } from '../statements/prepare.ts';
import { unreached } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

export type Distribution = 'citus';

/** The tables of the schema that Citus distributes; `undefined` if the database has no Citus. */
export async function readSpread(session: Session): Promise<ReadonlySet<string> | undefined> {
  if ((await citusVersion(session)) === undefined) return undefined;
  const rows = await session.query<readonly [table: string]>(
    `SELECT relname::text FROM pg_class JOIN pg_dist_partition ON logicalrelid = pg_class.oid
      WHERE relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(([table]) => table));
}

/** Tables whose rows lie each at the server of its account. */
export async function spreadTables(session: Session): Promise<ReadonlySet<string>> {
  const rows = await session.query<readonly [table: string]>(
    `SELECT relname::text FROM pg_class JOIN pg_dist_partition ON logicalrelid = pg_class.oid
      WHERE relnamespace = current_schema()::regnamespace AND partmethod = 'h'`,
  );
  return new Set(rows.map(([table]) => table));
}

function citusVersion(session: Session): Promise<string | undefined> {
  return session.value("SELECT extversion FROM pg_extension WHERE extname = 'citus'");
}

/** Throws `StoreUnusable` if the setting does not match the tables. */
export function checkSpread(
  { ours, spread }: { readonly ours: boolean; readonly spread: ReadonlySet<string> | undefined },
  declared: Distribution | undefined,
  place: string,
): void {
  if (declared === undefined) {
    if (!spread?.has(ROOT_TABLE)) return;
    throw new StoreUnusable(
      `The store at ${place} is distributed by Citus: set DATABASE_DISTRIBUTION=citus.`,
    );
  }
  if (spread === undefined) {
    throw new StoreUnusable(
      `DATABASE_DISTRIBUTION is citus, but the database at ${place} has no Citus: run CREATE EXTENSION citus in it, or leave the setting out.`,
    );
  }
  if (ours && !spread.has(ROOT_TABLE)) {
    throw new StoreUnusable(
      `DATABASE_DISTRIBUTION is citus, but the store at ${place} was created without it: name another database, or leave the setting out.`,
    );
  }
}

/** Major versions whose names of parts and locks are as we use them; the tests ran on 13.2. */
const TESTED = ['13'];

/** Why nothing is to be written with this version of Citus; `undefined`: it was tested. */
export async function untestedCitus(session: Session): Promise<string | undefined> {
  const version = (await citusVersion(session)) ?? '';
  const [major = ''] = version.split(/[.-]/);
  if (TESTED.includes(major)) return undefined;
  return `No records are written: Ledgerstone was not tested with Citus ${version}, and each commit depends on inner names and locks of Citus. Use Citus ${TESTED.join(' or ')}, or set CITUS_UNTESTED=yes.`;
}

/**
 * Finds whether the coordinator, where it answers, knows the server of the session. One that was removed is not told,
 * goes on with its own copies, of keys as well, and gets nothing that is written elsewhere.
 */
const removed = prepared<readonly [node: string]>`SELECT own.nodename || ':' || own.nodeport
  FROM run_command_on_coordinator('SELECT EXISTS (SELECT 1 FROM pg_dist_node WHERE groupid = '
    || (SELECT groupid FROM pg_dist_local_group) || ')') AS told
  JOIN pg_dist_node AS own ON own.groupid = (SELECT groupid FROM pg_dist_local_group)
  WHERE told.success AND told.result = 'f'`;

async function whyRemoved(session: Session): Promise<string | undefined> {
  const [row] = await session.rows(call(removed));
  if (row === undefined) return undefined;
  return `The server ${row[0]} was removed from its cluster: take it out of DATABASE_URL and CITUS_NODES`;
}

/** Throws `StoreUnusable` where the server is none of its cluster, or one that can be reached would lose what was answered. */
export async function checkNodes(session: Session): Promise<void> {
  const why = await whyRemoved(session);
  if (why !== undefined) throw new StoreUnusable(`${why}.`);
  const rows = await session.query<
    readonly [node: string, says: string]
  >(`SELECT nodename || ':' || nodeport, result
        FROM run_command_on_all_nodes($settings$
          SELECT concat_ws(' ', current_setting('fsync'), current_setting('synchronous_commit'),
            current_setting('citus.recover_2pc_interval'))
        $settings$) AS told JOIN pg_dist_node USING (nodeid) WHERE success`);
  for (const [node, says] of rows) {
    const [fsync, commits, recovery] = says.split(' ');
    const fault =
      fsync === 'off'
        ? 'fsync off, so that a crash would lose what was answered as stored'
        : commits === 'off'
          ? 'synchronous_commit off, so that a crash would lose what was answered as stored'
          : recovery === '-1'
            ? 'citus.recover_2pc_interval off, so that a crash could lock accounts for good'
            : undefined;
    if (fault === undefined) continue;
    throw new StoreUnusable(`The server ${node} of the cluster has ${fault}: turn it on.`);
  }
}

/** Why the server of the session does not reach one of its cluster, which is named `name:port`; `undefined`: it does. */
export async function whyUnreached(session: Session, name: string): Promise<string | undefined> {
  const text = `SELECT citus_check_connection_to_node(nodename, nodeport) FROM pg_dist_node
    WHERE nodename || ':' || nodeport = $1`;
  const isUp = await session.value<boolean | null>(text, name);
  return isUp === true ? undefined : unreached(session.unreached).why;
}

/** Writes on every server at $1, apart from each other, and gives those on which it cannot be done. */
const checkEach = prepared<readonly [node: string, says: string]>`SELECT
  nodename || ':' || nodeport, result
  FROM run_command_on_placements('write_check', 'UPDATE %s SET checked_at = ' || $1::bigint)
  WHERE NOT success`;

/** Throws `StoreUnavailable` unless a write can be committed on every server, and the one that is asked is one of them. */
export async function checkEachWritable(session: Session, now: number): Promise<void> {
  const why = await whyRemoved(session);
  if (why !== undefined) throw new StoreUnavailable(`${why}, and start this process again.`);
  const faults: string[] = [];
  for (const [node, says] of await session.rows(call(checkEach, now))) {
    faults.push(`${node} (${(await whyUnreached(session, node)) ?? says})`);
  }
  if (faults.length === 0) return;
  throw new StoreUnavailable(
    `Nothing can be written on these servers of the cluster: ${faults.join(', ')}.`,
  );
}

/**
 * Lets statements that change all parts of a table go over one connection, as a transaction with such as make tables
 * wants it.
 */
export const beginSpreading = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'";

/** Whether a table has an account in all its keys. */
const saysAccount = `EXISTS (SELECT FROM pg_attribute
            WHERE attrelid = pg_class.oid AND attname = 'account' AND NOT attisdropped
              AND NOT EXISTS (SELECT FROM pg_index
                WHERE indrelid = pg_class.oid AND indisunique AND attnum <> ALL (indkey)))`;

/** The names of the tables that are spread where there are several servers. */
export const tablesOfAccounts = `SELECT relname::text AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND ${saysAccount}`;

/**
 * Spreads those of the tables that have an account in all their keys by it, all parts of an
 * account on one server, and puts a copy of each of the others on every server.
 */
export async function spread(session: Session, tables: readonly string[]): Promise<void> {
  const rows = await session.query<readonly [name: string, table: string, ofAccounts: boolean]>(
    `SELECT relname::text, pg_class.oid::regclass::text, ${saysAccount}
          FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])
          ORDER BY relname <> '${ROOT_TABLE}', relname`,
    textArray(tables),
  );
  for (const [name, table, ofAccounts] of rows) {
    const text = !ofAccounts
      ? 'SELECT create_reference_table($1::regclass)'
      : name === ROOT_TABLE
        ? "SELECT create_distributed_table($1::regclass, 'account', colocate_with := 'none')"
        : `SELECT create_distributed_table($1::regclass, 'account', colocate_with := '${ROOT_TABLE}')`;
    await session.query(text, table);
  }
}
