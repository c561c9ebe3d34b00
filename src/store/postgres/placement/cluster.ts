/** The accounts of a Citus cluster: each is looked up once, and worked in at its server until it is no more there. */

import { setTimeout as pause } from 'node:timers/promises';
import { BoundedMap } from '../../../core/bounded.ts';
import { ROOT_TABLE } from '../../names.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import { Gathering } from '../commit/gathering.ts';
import { prepared } from '../statements/prepare.ts';
import { isMoved, isOut, Moved } from '../wire/failure.ts';
import { call, type Session, type TablePlace } from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';
import { textArray } from '../wire/values.ts';
import { createPlaced, Placement } from './placement.ts';
import type { Access, Placements, Work } from './placements.ts';
import type { Servers } from './servers.ts';

type PartRow = readonly [
  account: string,
  table: string,
  name: string,
  server: string,
  part: number,
];

/** The parts of all tables that hold each of the accounts $1, and the server that has them. */
const lookUp = prepared<PartRow>`SELECT wanted.account, relname::text,
  relname || '_' || other.shardid,
     nodename || ':' || nodeport, own.shardid
   FROM unnest($1::text[]) AS wanted (account)
   JOIN pg_dist_shard AS own
     ON own.shardid = get_shard_id_for_distribution_column('${ROOT_TABLE}', wanted.account)
   JOIN pg_dist_partition AS root ON root.logicalrelid = own.logicalrelid
   JOIN pg_dist_partition AS beside ON beside.colocationid = root.colocationid
   JOIN pg_dist_shard AS other
     ON other.logicalrelid = beside.logicalrelid AND other.shardminvalue = own.shardminvalue
   JOIN pg_class ON pg_class.oid = other.logicalrelid
   JOIN pg_dist_placement AS placement ON placement.shardid = own.shardid
   JOIN pg_dist_node AS node ON node.groupid = placement.groupid AND node.noderole = 'primary'`;

/** How long it is tried to find an account where it is said to be. While it moves, statements wait by themselves. */
const MOVING_MS = 2_000;
const AGAIN_MS = 25;
/** How long others are asked first after the server of the address was out of reach: each attempt may take seconds. */
const SPARED_MS = 30_000;
/** More accounts than these are looked up again now and then. */
const MAX_KNOWN = 100_000;

/** Accounts at one server, each with its placement. */
interface There {
  readonly server: string;
  readonly placements: ReadonlyMap<string, Placement>;
}

interface ClusterParts {
  /** Sessions on the server of the address: it reaches all others. */
  readonly home: Sessions;
  readonly writer: Sessions;
  readonly servers: Servers;
  /** Why nothing is to be written. */
  readonly refusal: string | undefined;
}

export class Cluster implements Placements {
  readonly together = false;
  readonly #parts: ClusterParts;
  readonly #known = new BoundedMap<string, Placement>(MAX_KNOWN);
  readonly #doubted = new Set<Placement>();
  /** Each once, so that its statements are prepared once. By server and part. */
  readonly #placements = new Map<string, Placement>();
  readonly #lookingUp = new Gathering((_: Cluster, accounts: readonly string[]) =>
    this.#lookUp(accounts),
  );
  #sparedUntil = 0;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
  }

  at(accounts: Iterable<string>, access: Access): Work {
    const { home, refusal } = this.#parts;
    if (refusal !== undefined && access !== 'read') throw new StoreUnavailable(refusal);
    if (refusal !== undefined) return home;
    const all = [...new Set(accounts)];
    return workOf((work) => this.#useTogether(all, access, work));
  }

  async each<T>(
    accounts: Iterable<string>,
    read: (session: Session, own: readonly string[]) => Promise<T>,
    enough: (done: readonly T[]) => boolean = () => false,
  ): Promise<readonly T[]> {
    const { home, refusal } = this.#parts;
    const all = [...new Set(accounts)];
    if (refusal !== undefined) return [await home.use((session) => read(session, all))];
    const told = await Promise.allSettled(await this.#useEach(all, read));
    const done = told.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const failed = told.find((one) => one.status === 'rejected');
    if (failed !== undefined && !(isOut(failed.reason) && enough(done))) throw failed.reason;
    return done;
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

  doubt(accounts: Iterable<string>): void {
    for (const account of accounts) {
      const known = this.#known.get(account);
      if (known !== undefined) this.#doubted.add(known);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#parts.writer.close(), this.#parts.servers.close()]);
  }

  /** At their server; where they are at several, at that of the address, which reaches all. */
  async #useTogether<T>(
    accounts: readonly string[],
    access: Access,
    work: (session: Session) => Promise<T>,
    until = performance.now() + MOVING_MS,
  ): Promise<T> {
    const { home, writer } = this.#parts;
    const [there, ...others] = await this.#findAll(accounts);
    if (others.length > 0 && access === 'shared') throw new Moved();
    if (there === undefined || others.length > 0) {
      return (access === 'drafts' ? writer : home).use(work);
    }
    const again = () => this.#useTogether(accounts, access, work, until);
    return this.#useAt(there, access, work, { until, again });
  }

  /** At each of their servers, apart from the others. */
  async #useEach<T>(
    accounts: readonly string[],
    read: (session: Session, own: readonly string[]) => Promise<T>,
    until = performance.now() + MOVING_MS,
  ): Promise<readonly Promise<readonly T[]>[]> {
    return (await this.#findAll(accounts)).map((there) => {
      const own = [...there.placements.keys()];
      const work = async (session: Session): Promise<readonly T[]> => [await read(session, own)];
      const again = async () => (await Promise.all(await this.#useEach(own, read, until))).flat();
      return this.#useAt(there, 'read', work, { until, again });
    });
  }

  /** `again` is done where they are no more there. */
  async #useAt<T>(
    { server, placements }: There,
    access: Access,
    work: (session: Session) => Promise<T>,
    { until, again }: { readonly until: number; readonly again: () => Promise<T> },
  ): Promise<T> {
    const { drafts, others } = this.#parts.servers.at(server);
    const sessions = access === 'read' || access === 'turns' ? others : drafts;
    try {
      return await sessions.use((session) =>
        workAt(session, createPlaced(placements), access, work),
      );
    } catch (error) {
      if (!isMoved(error) && !isOut(error)) throw error;
      for (const one of placements.values()) this.#doubted.add(one);
      if (isOut(error)) {
        // A server that is out of reach may have been replaced.
        const [found] = await this.#findAll([...placements.keys()]);
        const isSame = placements.entries().every(([of, one]) => found?.placements.get(of) === one);
        if (isSame) throw error;
      }
      if (performance.now() >= until) {
        throw isOut(error) ? error : new StoreUnavailable(MOVING, { cause: error });
      }
      if (!isOut(error)) await pause(AGAIN_MS);
    }
    return again();
  }

  /** By server. */
  async #findAll(accounts: readonly string[]): Promise<readonly There[]> {
    const finding = accounts.map(async (one) => [one, await this.#find(one)] as const);
    const servers = Map.groupBy(await Promise.all(finding), ([, { server }]) => server);
    return [...servers].map(([server, own]) => ({ server, placements: new Map(own) }));
  }

  /** While no server tells where it is, it is looked for where it was. */
  async #find(account: string): Promise<Placement> {
    const known = this.#known.get(account);
    if (known !== undefined && !this.#doubted.has(known)) return known;
    try {
      const found = await this.#lookingUp.find(this, account, account);
      if (found === undefined) throw new StoreUnavailable(MOVING);
      return found;
    } catch (error) {
      if (known === undefined || !isOut(error)) throw error;
      return known;
    }
  }

  async #lookUp(accounts: readonly string[]): Promise<ReadonlyMap<string, Placement>> {
    const rows = await this.anywhere((session) => session.rows(call(lookUp, textArray(accounts))));
    const found = new Map<string, Placement>();
    for (const [account, parts] of Map.groupBy(rows, ([account]) => account)) {
      const [, , , server, part] = parts[0] as PartRow;
      const placement = this.#placements.getOrInsertComputed(`${server} ${part}`, () => {
        return new Placement(server, part, new Map(parts.map(([, table, name]) => [table, name])));
      });
      this.#known.set(account, placement);
      this.#doubted.delete(placement);
      found.set(account, placement);
    }
    return found;
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
  access: Access,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { place: before } = session;
  session.place = place;
  try {
    if (access !== 'read') return await work(session);
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
