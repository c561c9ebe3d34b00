/** Opens a store that is a PostgreSQL database, creating and migrating its tables if requested. */

import { createIdentifiers } from '../../core/schema/id.ts';
import { createDamageTeller } from '../damage.ts';
import { createErasedMarks } from '../erased-marks.ts';
import type { Loading } from '../loading.ts';
import { refuseUnknown } from '../own-tables.ts';
import { type Store, type StoreOptions, StoreUnusable } from '../promises/store.ts';
import { createReceiptRooms } from '../receipt-room.ts';
import { ErasedPairs } from './commit/erased-pairs.ts';
import { createContext } from './context.ts';
import { Remembered } from './fast/remembered.ts';
import { Cluster } from './placement/cluster.ts';
import { onOneServer, type Placements } from './placement/placements.ts';
import { namesOf, readReached, Servers, wantReach } from './placement/servers.ts';
import { checkNodes, checkSpread, untestedCitus } from './schema/distribution.ts';
import {
  declaredTables,
  type Layout,
  migrate,
  pendingSteps,
  readSchema,
} from './schema/migrate.ts';
import { sizeOf } from './schema/size.ts';
import { postgresStore } from './store.ts';
import { Lanes } from './turn/lanes.ts';
import { transact } from './turn/transaction.ts';
import { loadPostgres } from './whole/load.ts';
import { type Address, readAddress, untimed } from './wire/address.ts';
import { asUnusable } from './wire/failure.ts';
import { checkPooler } from './wire/pooler.ts';
import { openSession, sessionOpener } from './wire/server.ts';
import { call, type Session, type Statement } from './wire/session.ts';
import { Sessions } from './wire/sessions.ts';

/** How a cluster is used. */
export interface ClusterOptions {
  /** `name:port=address:port`, for servers that are reached at another address than the cluster knows. */
  readonly nodes?: readonly string[];
  /** Whether untested versions of Citus are accepted. */
  readonly untested?: boolean;
}

export interface PostgresOptions extends StoreOptions, Layout, ClusterOptions {
  readonly url: string;
}

/** The maximum number of concurrent commits of drafts in a process. */
const WRITERS = 8;
/** The maximum number of connections of a process for everything else. */
const MAX_SESSIONS = 4;

/** How many characters of documents are cached, by a process that serves and by a command next to it. */
const MAX_REMEMBERED = 32 * 2 ** 20;
const FEW_REMEMBERED = 2 ** 20;

/** Locks out other migrations until the commit. 'Ldgs' identifies our lock among all of a database. */
const keepMigrating: Statement = { text: `SELECT pg_advisory_xact_lock(${0x4c646773}, 0)` };

export async function openPostgres({
  url,
  shapes,
  now,
  create,
  serve,
  receiptBytes = Number.POSITIVE_INFINITY,
  historyDays,
  erasureKeys = [],
  observer,
  notices,
  nodes = [],
  untested = false,
  ...layout
}: PostgresOptions): Promise<Store> {
  const address = readAddress(url);
  if (serve) await checkPooler(address);
  await onServer(address, (session) => prepareSchema(session, { address, shapes, create, layout }));
  const pool = pools(address);
  const sessions = pool(MAX_SESSIONS);
  const placements =
    layout.distribution === undefined
      ? onOneServer(sessions, pool(WRITERS))
      : await openCluster(address, pool, { sessions, nodes, untested, serve, notices });
  observer?.show({ store_size_bytes: () => sizeOf(sessions, shapes, layout.distribution) });
  const context = createContext(shapes, {
    sessions,
    placements,
    lanes: new Lanes(address.patience.turnMs),
    remembered: new Remembered(serve ? MAX_REMEMBERED : FEW_REMEMBERED),
    rooms: createReceiptRooms(receiptBytes),
    erased: new ErasedPairs(createErasedMarks(erasureKeys), shapes),
    now,
    identify: createIdentifiers(now),
    keepsContent: historyDays > 0,
    tellDamage: createDamageTeller(notices?.damaged),
  });
  const own = {
    untimed: pools(untimed(address))(1),
    open: () => openSession(untimed(address)),
  };
  return postgresStore(address.place, context, own, historyDays);
}

async function openCluster(
  address: Address,
  pool: (most: number) => Sessions,
  {
    sessions: home,
    nodes,
    untested,
    serve,
    notices,
  }: Required<ClusterOptions> &
    Pick<PostgresOptions, 'serve' | 'notices'> & { readonly sessions: Sessions },
): Promise<Placements> {
  const reached = readReached(nodes);
  return onServer(address, async (session) => {
    const refusal = untested ? undefined : await untestedCitus(session);
    if (refusal !== undefined) notices?.readOnly(refusal);
    if (serve) await wantReach(session, address, reached);
    const names = await namesOf(session);
    const servers = new Servers(address, reached, names, { drafts: WRITERS, others: MAX_SESSIONS });
    return new Cluster({ home, writer: pool(servers.most.drafts), servers, refusal });
  });
}

/** Makes the schema where there is none, and begins to fill the store, which must be empty. Throws `StoreUnusable`. */
export async function openLoading({
  url,
  shapes,
  ...layout
}: Pick<PostgresOptions, 'url' | 'shapes' | keyof Layout>): Promise<Loading> {
  const address = readAddress(url);
  await onServer(address, (session) =>
    prepareSchema(session, { address, shapes, create: true, layout }),
  );
  let session: Session;
  try {
    session = await openSession(untimed(address));
  } catch (error) {
    throw asUnusable(error, address.place);
  }
  return loadPostgres(session, address.place, shapes, layout.distribution !== undefined);
}

/** Creates pools of sessions that share the knowledge that the server cannot be reached. */
function pools(address: Address): (most: number) => Sessions {
  const open = sessionOpener(address);
  const { patience } = address;
  return (most) => new Sessions({ open, most, patience });
}

/** The changes to its schema that opening the store would make, in words; all of it when no store exists yet. */
export function pendingPostgres({
  url,
  shapes,
  ...layout
}: Pick<PostgresOptions, 'url' | 'shapes' | keyof Layout>): Promise<readonly string[]> {
  const address = readAddress(url);
  return onServer(address, async (session) => {
    const schema = await readSchema(session, address.place);
    checkSpread(schema, layout.distribution, address.place);
    return pendingSteps(schema, shapes, layout);
  });
}

interface Preparation extends Pick<PostgresOptions, 'shapes' | 'create'> {
  readonly address: Address;
  readonly layout: Layout;
}

/** Safe when many processes do so at once. */
async function prepareSchema(
  session: Session,
  { address: { place }, shapes, create, layout }: Preparation,
): Promise<void> {
  const found = await readSchema(session, place);
  checkSpread(found, layout.distribution, place);
  if (!found.ours && !create) throw noStore(place);
  if (layout.distribution !== undefined) await checkNodes(session);
  await refuseUnknown(place, declaredTables(found), shapes, async (text) => {
    return (await session.rows(call({ text })))[0];
  });
  if (pendingSteps(found, shapes, layout).length === 0) return;
  if (layout.distribution !== undefined && !found.alterable) throw notAtCoordinator(place);
  await transact(session, async () => {
    await session.run(call(keepMigrating));
    const schema = await readSchema(session, place);
    await migrate(session, schema, shapes, layout);
  });
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
