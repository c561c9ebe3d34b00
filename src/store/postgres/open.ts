/** Opens a store that is a PostgreSQL database, creating and migrating its tables if requested. */
import { createIdentifiers } from '../../core/schema/id.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { createDamageReporter } from '../damage.ts';
import { createErasedFingerprints } from '../erased-fingerprints.ts';
import { FIXED_TABLES, tableName } from '../names.ts';
import { refuseUnknown } from '../own-tables.ts';
import { type Store, type StoreOptions, StoreUnusable } from '../promises/store.ts';
import { createReceiptRooms } from '../receipt-room.ts';
import { createRemembered } from './cached/remembered.ts';
import { createErasedPairs } from './commit/erased-pairs.ts';
import { createContext } from './context.ts';
import { loadPostgres } from './dump/load.ts';
import { createAccountQueues } from './lock/queues.ts';
import { transact } from './lock/transaction.ts';
import { createCluster } from './placement/cluster.ts';
import { onOneServer, type Placements } from './placement/placements.ts';
import { createServers, namesOf, outOfReach, readReached } from './placement/servers.ts';
import {
  checkNodes,
  checkSpread,
  type Distribution,
  spreadTables,
  untestedCitus,
} from './schema/distribution.ts';
import { watchTables } from './schema/hindrances.ts';
import {
  assertNamesFree,
  declaredTables,
  type Layout,
  measureStore,
  migrate,
  pendingSteps,
  readSchema,
} from './schema/migrate.ts';
import { beginTurn, inTurns } from './schema/waiting.ts';
import { prepared } from './statements/prepare.ts';
import { postgresStore } from './store.ts';
import { type Address, readAddress, untimed } from './wire/address.ts';
import { asUnusable } from './wire/failure.ts';
import { checkPooler, openSession, sessionOpener } from './wire/server.ts';
import { call, type Session } from './wire/session.ts';
import { createSessions, type Sessions } from './wire/sessions.ts';
import { textArray } from './wire/values.ts';

/** How a cluster is used. */
export interface ClusterOptions {
  /** `name:port=address:port`, for servers that are reached at another address than the cluster knows. */
  readonly nodes?: readonly string[];
  /** Whether untested versions of Citus are accepted. */
  readonly untested?: boolean;
}

export interface PostgresOptions extends StoreOptions, Layout, ClusterOptions {
  readonly url: string;
  /** How long tables that are to be changed are waited for. */
  readonly patienceMs?: number;
}

/** The maximum number of concurrent commits of drafts in a process. */
const WRITERS = 8;
/** The maximum number of connections of a process for everything else. */
const MAX_SESSIONS = 4;

/** Sessions of a process of a cluster that only ask what the server of the address knows itself. */
const NEAR = 2;

/** How many characters of documents are cached, by a process that serves and by a command next to it. */
const MAX_REMEMBERED = 32 * 2 ** 20;
const FEW_REMEMBERED = 2 ** 20;

/** Locks out other migrations until the commit. 'Ldgs' identifies our lock among all of a database. */
const lockMigrations = `SELECT pg_advisory_xact_lock(${0x4c646773}, 0)`;

export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { url, shapes, now, machine = now, serve, distribution, historyDays, notices } = options;
  const address = readAddress(url);
  if (serve) await checkPooler(address);
  await onServer(address, (session) => prepareSchema(session, address.place, options));
  const pool = pools(address);
  const sessions = pool(MAX_SESSIONS);
  const placements =
    distribution === undefined
      ? onOneServer(sessions, pool(WRITERS))
      : await openCluster(address, pool, sessions, options);
  const tables = watchTables(shapes);
  options.observer?.show({
    store_size_bytes: () => sizeOf(sessions, shapes, distribution),
    tables_refusing: async () =>
      (await sessions.use(tables.refusing)).map((table) => [table, 1] as const),
  });
  const context = createContext({
    shapes,
    sessions,
    placements,
    accountQueues: createAccountQueues(address.patience.queueMs),
    remembered: createRemembered(serve ? MAX_REMEMBERED : FEW_REMEMBERED),
    rooms: createReceiptRooms(options.receiptBytes ?? Number.POSITIVE_INFINITY),
    erased: createErasedPairs(createErasedFingerprints(options.erasureKeys ?? []), shapes),
    now,
    machine,
    identify: createIdentifiers(machine),
    keys: options.erasureKeys ?? [],
    keepsContent: historyDays > 0,
    reportDamage: createDamageReporter(notices?.damaged),
  });
  const patient = untimed(address);
  const open = () => openSession(patient);
  return postgresStore(address.place, context, pools(patient)(1), open, historyDays, tables);
}

function openCluster(
  address: Address,
  pool: (maxSessions: number) => Sessions,
  home: Sessions,
  { nodes = [], untested = false, serve, notices }: PostgresOptions,
): Promise<Placements> {
  const reached = readReached(nodes);
  return onServer(address, async (session) => {
    const refusal = untested ? undefined : await untestedCitus(session);
    if (refusal !== undefined) notices?.readOnly(refusal);
    const faults = serve ? await outOfReach(session, address, reached) : [];
    if (faults.length > 0) throw new StoreUnusable(faults.join(' '));
    const most = { drafts: WRITERS, others: MAX_SESSIONS };
    const servers = createServers(address, reached, await namesOf(session), most);
    const parts = { home, near: pool(NEAR), writer: pool(servers.most.drafts) };
    return createCluster({ ...parts, spread: await spreadTables(session), servers, refusal });
  });
}

type SchemaOptions = Pick<PostgresOptions, 'shapes' | keyof Layout>;

/** Makes the schema where there is none, and begins to fill the store, which must be empty. Throws `StoreUnusable`. */
export async function openLoading(options: SchemaOptions & Pick<PostgresOptions, 'url'>) {
  const { url, shapes, distribution } = options;
  const address = readAddress(url);
  const { place } = address;
  await onServer(address, (session) => prepareSchema(session, place, { ...options, create: true }));
  const session = await openSession(untimed(address)).catch((error: unknown) => {
    throw asUnusable(error, place);
  });
  return loadPostgres(session, place, shapes, distribution !== undefined);
}

/** Creates pools of sessions that share the knowledge that the server cannot be reached. */
function pools(address: Address): (maxSessions: number) => Sessions {
  const open = sessionOpener(address);
  const { patience } = address;
  return (maxSessions) => createSessions({ open, maxSessions, patience });
}

/** The changes to its schema that opening the store would make, in words; all of it when no store exists yet. */
export function pendingPostgres(options: SchemaOptions & Pick<PostgresOptions, 'url'>) {
  const address = readAddress(options.url);
  return onServer(address, async (session) => {
    const schema = await readSchema(session, address.place);
    await assertNamesFree(session, schema, options, address.place);
    checkSpread(schema, options.distribution, address.place);
    return pendingSteps(schema, options, await measureStore(session, schema));
  });
}

/** Safe when many processes do so at once. */
async function prepareSchema(
  session: Session,
  place: string,
  options: SchemaOptions & Pick<PostgresOptions, 'create' | 'notices' | 'patienceMs'>,
): Promise<void> {
  const { shapes, create, distribution } = options;
  const found = await readSchema(session, place);
  checkSpread(found, distribution, place);
  if (!found.ours && !create) throw noStore(place);
  if (distribution !== undefined) await checkNodes(session);
  const first = async (text: string) => (await session.query(text))[0];
  await refuseUnknown(place, declaredTables(found), shapes, first);
  if (pendingSteps(found, options).steps.length === 0) return;
  if (distribution !== undefined && !found.alterable) throw notAtCoordinator(place);
  const waits = options.notices?.waits;
  await inTurns(session, { place, patienceMs: options.patienceMs, waits }, () =>
    transact(session, async () => {
      await session.query(lockMigrations);
      await session.query(beginTurn);
      const schema = await readSchema(session, place);
      await assertNamesFree(session, schema, options, place);
      await migrate(session, schema, options);
    }),
  );
}

async function onServer<T>(address: Address, work: (session: Session) => Promise<T>): Promise<T> {
  try {
    await using session = await openSession(untimed(address));
    return await work(session);
  } catch (error) {
    throw asUnusable(error, address.place);
  }
}

function notAtCoordinator(place: string): StoreUnusable {
  return new StoreUnusable(
    `The server at ${place} is not the coordinator of its cluster, where tables are made: run "ledgerstone migrate" with the coordinator's address.`,
  );
}

export function noStore(place: string): StoreUnusable {
  return new StoreUnusable(
    `There is no Ledgerstone store at ${place}: check the address, or make one with "ledgerstone serve", "ledgerstone dev", "ledgerstone migrate" or "ledgerstone accounts create".`,
  );
}

/** Measures tables $1 with their partitions, indexes and long values. */
const measure = prepared<readonly [bytes: number]>`SELECT
  coalesce(sum(pg_total_relation_size(part.relid)), 0)::bigint
  FROM pg_class, LATERAL (SELECT pg_class.oid AS relid WHERE relkind = 'r'
    UNION ALL SELECT relid FROM pg_partition_tree(pg_class.oid) WHERE relkind = 'p') AS part
  WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])`;

/** Measures tables that lie on several servers, as far as those can be reached; every copy counts. */
const measureSpread = prepared<readonly [bytes: number]>`SELECT
  coalesce(sum(citus_total_relation_size(pg_class.oid, fail_on_error := false)), 0)::bigint
  FROM pg_class JOIN pg_dist_partition ON logicalrelid = pg_class.oid
  WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])`;

/** The server's write-ahead log serves all of its databases, and is not counted. */
async function sizeOf(
  sessions: Sessions,
  shapes: readonly RecordShape[],
  distribution: Distribution | undefined,
): Promise<ReadonlyMap<string, number>> {
  const statement = distribution === undefined ? measure : measureSpread;
  const bytesOf = async (tables: readonly string[]): Promise<number> => {
    const [row] = await sessions.rows(call(statement, textArray(tables)));
    return row?.[0] ?? 0;
  };
  const all = [...new Set([...shapes.map(tableName), ...FIXED_TABLES.postgres])];
  const ofSearch = (table: string): boolean => table.startsWith('search_');
  const [records, search] = await Promise.all([
    bytesOf(all.filter((table) => !ofSearch(table))),
    bytesOf(all.filter(ofSearch)),
  ]);
  return new Map(Object.entries({ records, log: 0, search }));
}
