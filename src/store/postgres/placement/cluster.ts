/** The accounts of a Citus cluster: each is looked up once, and worked in at its server until it is no more there. */
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT_TABLE } from '../../names.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import { prepared } from '../statements/prepare.ts';
import { isMoved, isOut, Moved } from '../wire/failure.ts';
import { call, type Session, type TablePlace } from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';
import { Placed, Placement } from './placement.ts';
import type { Doing, Placements, Work } from './placements.ts';
import type { Servers } from './servers.ts';

/** The parts of all tables that hold account $1, and the server that has them. */
const lookUp = prepared<readonly [table: string, name: string, server: string, part: number]>(
  `SELECT relname::text, relname || '_' || other.shardid, nodename || ':' || nodeport, own.shardid
   FROM pg_dist_shard AS own
   JOIN pg_dist_partition AS root ON root.logicalrelid = own.logicalrelid
   JOIN pg_dist_partition AS beside ON beside.colocationid = root.colocationid
   JOIN pg_dist_shard AS other
     ON other.logicalrelid = beside.logicalrelid AND other.shardminvalue = own.shardminvalue
   JOIN pg_class ON pg_class.oid = other.logicalrelid
   JOIN pg_dist_placement AS placement ON placement.shardid = own.shardid
   JOIN pg_dist_node AS node ON node.groupid = placement.groupid AND node.noderole = 'primary'
   WHERE own.shardid = get_shard_id_for_distribution_column('${ROOT_TABLE}', $1::text)`,
);

/** How long it is tried to find an account where it is said to be. While it moves, statements wait by themselves. */
const MOVING_MS = 2_000;
const AGAIN_MS = 25;
/** How long others are asked first after the server of the address was out of reach: each attempt may take seconds. */
const SPARED_MS = 30_000;
/** More accounts than these are looked up again now and then. */
const MAX_KNOWN = 100_000;

interface ClusterParts {
  /** Sessions on the server of the address: it reaches all others. */
  readonly home: Sessions;
  readonly writer: Sessions;
  readonly servers: Servers;
  /** Why nothing is to be written. */
  readonly refusal: string | undefined;
}

export class Cluster implements Placements {
  readonly #parts: ClusterParts;
  readonly #known = new Map<string, Placement>();
  readonly #doubted = new Set<Placement>();
  /** Each once, so that its statements are prepared once. By server and part. */
  readonly #placements = new Map<string, Placement>();
  readonly #lookingUp = new Map<string, Promise<Placement>>();
  #sparedUntil = 0;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
  }

  at(accounts: Iterable<string>, doing: Doing): Work {
    const { home, writer, refusal } = this.#parts;
    if (refusal !== undefined && doing !== 'read') throw new StoreUnavailable(refusal);
    const [only, ...others] = refusal === undefined ? new Set(accounts) : [];
    if (only === undefined || others.length > 0) return doing === 'drafts' ? writer : home;
    return workOf((work) => this.#useAt(only, doing, work));
  }

  async anywhere<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { home, servers } = this.#parts;
    const spared = performance.now() < this.#sparedUntil;
    const others = servers.names.map((name) => servers.at(name).others);
    let failure: unknown;
    for (const sessions of spared ? [...others, home] : [home, ...others]) {
      try {
        return await sessions.use(work);
      } catch (error) {
        if (!isOut(error)) throw error;
        failure ??= error;
        if (sessions === home) this.#sparedUntil = performance.now() + SPARED_MS;
      }
    }
    throw failure;
  }

  serverOf(account: string): string | undefined {
    const known = this.#known.get(account);
    return known === undefined || this.#doubted.has(known) ? undefined : known.server;
  }

  sharing(accounts: readonly string[]): Work {
    const { servers, refusal } = this.#parts;
    if (refusal !== undefined) throw new StoreUnavailable(refusal);
    const placements = accounts.map((account) => this.#known.get(account));
    const [first] = placements;
    const together = placements.filter((one) => one !== undefined && one.server === first?.server);
    if (first === undefined || together.length < accounts.length) throw new Moved();
    const placed = new Placed(
      new Map(accounts.map((account, at) => [account, together[at] as Placement])),
    );
    const { drafts } = servers.at(first.server);
    return workOf((work) => drafts.use((session) => workAt(session, placed, 'drafts', work)));
  }

  doubt(accounts: Iterable<string>): void {
    for (const account of accounts) {
      const known = this.#known.get(account);
      if (known !== undefined) this.#doubted.add(known);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#parts.writer.close(), this.#parts.servers.close()]);
  }

  async #useAt<T>(
    account: string,
    doing: Doing,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const until = performance.now() + MOVING_MS;
    for (;;) {
      const placement = await this.#find(account);
      const { drafts, others } = this.#parts.servers.at(placement.server);
      try {
        const sessions = doing === 'drafts' ? drafts : others;
        return await sessions.use((session) => workAt(session, placement, doing, work));
      } catch (error) {
        if (!isMoved(error) && !isOut(error)) throw error;
        this.#doubted.add(placement);
        // A server that is out of reach may have been replaced.
        if (isOut(error) && (await this.#find(account)) === placement) throw error;
        if (performance.now() >= until) {
          throw isOut(error) ? error : new StoreUnavailable(MOVING, { cause: error });
        }
        if (!isOut(error)) await pause(AGAIN_MS);
      }
    }
  }

  /** While no server tells where it is, it is looked for where it was. */
  async #find(account: string): Promise<Placement> {
    const known = this.#known.get(account);
    if (known !== undefined && !this.#doubted.has(known)) return known;
    const finding = this.#lookingUp.getOrInsertComputed(account, () =>
      this.#lookUp(account).finally(() => this.#lookingUp.delete(account)),
    );
    try {
      return await finding;
    } catch (error) {
      if (known === undefined || !isOut(error)) throw error;
      return known;
    }
  }

  async #lookUp(account: string): Promise<Placement> {
    const rows = await this.anywhere((session) => session.rows(call(lookUp, account)));
    const [, , server, part] = rows[0] ?? [];
    if (server === undefined || part === undefined) throw new StoreUnavailable(MOVING);
    const placement = this.#placements.getOrInsertComputed(`${server} ${part}`, () => {
      return new Placement(server, part, new Map(rows.map(([table, name]) => [table, name])));
    });
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(account, placement);
    this.#doubted.delete(placement);
    return placement;
  }
}

const MOVING = 'The store cannot be used now: the account is moving to another server.';

function workOf(use: Work['use']): Work {
  return { use, rows: (call) => use((session) => session.rows(call)) };
}

/** Reads are asked in one message with whether they were of the account as it is; other work asks by itself. */
async function workAt<T>(
  session: Session,
  place: TablePlace,
  doing: Doing,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { place: before } = session;
  session.place = place;
  try {
    if (doing !== 'read') return await work(session);
    const [working, looking] = [work(session), place.isHere(session)];
    const { sent } = session;
    const [done, here] = await Promise.allSettled([working, looking]);
    if (done.status === 'rejected') throw done.reason;
    if (here.status === 'rejected') throw here.reason;
    const isHere = here.value && (session.sent === sent || (await place.isHere(session)));
    if (!isHere) throw new Moved();
    return done.value;
  } finally {
    session.place = before;
  }
}
