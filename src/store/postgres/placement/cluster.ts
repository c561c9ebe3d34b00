/** The accounts of a Citus cluster: each is looked up once, and worked in at its server until it is no more there. */

import { setTimeout as pause } from 'node:timers/promises';
import { BoundedMap } from '../../../core/bounded.ts';
import { ROOT_TABLE } from '../../names.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import { prepared, seen } from '../statements/prepare.ts';
import { HELD, HERE, SETTING } from '../statements/together.ts';
import { isMoved, isOut, isOutOfReach, Moved } from '../wire/failure.ts';
import { createLookUp } from '../wire/lookups.ts';
import {
  call,
  type Naming,
  type Session,
  type Statement,
  type TablePlace,
} from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';
import { numberArray, textArray } from '../wire/values.ts';
import { withParts } from './names.ts';
import { createPatience } from './patience.ts';
import type { Access, Placements, Work } from './placements.ts';
import { answers, createReach } from './reach.ts';
import type { Servers } from './servers.ts';

/** Citus takes this lock before it moves or splits a part, to the end: who has it in `SHARE` mode is waited for. */
const holding = 'pg_catalog.lock_shard_metadata(5, ';

/** Whether the part $1 is on this server, as SQL. */
const isHere = (
  part: string,
) => `EXISTS (SELECT 1 FROM pg_catalog.pg_dist_placement WHERE shardid = ${part}
  AND groupid = (SELECT groupid FROM pg_catalog.pg_dist_local_group LIMIT 1))`;

const hold = prepared`SELECT ${holding}$1::bigint[])`;
const countHere = prepared<readonly [count: number]>`SELECT count(*)::int
  FROM unnest($1::bigint[]) AS part (id) WHERE ${isHere('part.id')}`;

const seenBy = new WeakMap<Statement<readonly unknown[]>, Statement<readonly unknown[]>>();

/** As a server that asks others has to see it. */
const nameSeen: Naming = ({ statement, values }) => {
  const named = seenBy.getOrInsertComputed(statement, () => {
    const text = seen(statement.text);
    if (text === statement.text) return statement;
    const own = statement.name === undefined ? {} : { name: `${statement.name}_seen` };
    return { ...statement, ...own, text };
  });
  return { statement: named as typeof statement, values };
};

/** All accounts, at the server that asks others for them. */
const throughOne: TablePlace = {
  name: nameSeen,
  nameOf: () => nameSeen,
  groups: (accounts) => [[nameSeen, accounts]],
  hold: async () => true,
  isHere: async () => true,
};

type Placement = ReturnType<typeof createPlacement>;

/**
 * `server` is as the cluster calls it, `host:port`; `part` identifies the part of the table of accounts; `names` are those
 * of the parts, by table.
 */
function createPlacement(server: string, part: number, names: ReadonlyMap<string, string>) {
  const known = new WeakMap<Statement<readonly unknown[]>, Statement<readonly unknown[]>>();

  function nameIn(statement: Statement<readonly unknown[]>): Statement<readonly unknown[]> {
    const { name, text } = statement;
    const named = withParts(text, names)
      .replaceAll(SETTING, `${SETTING}_${part}`)
      .replaceAll(HELD, `, ${holding}'{${part}}')`)
      .replaceAll(HERE, `WHERE ${isHere(`${part}`)}`);
    if (named === text) return statement;
    const own = name === undefined ? {} : { name: `${name}_${part}` };
    return { ...statement, ...own, text: named, named: true };
  }

  const name: Naming = (one) => {
    const { statement, values } = one;
    if (statement.named) return one;
    const named = known.get(statement) ?? nameIn(statement);
    known.set(statement, named);
    return { statement: named as typeof statement, values };
  };

  return { server, part, name };
}

/** The placements of some accounts at one server. */
function createPlaced(of: ReadonlyMap<string, Placement>): TablePlace {
  const [first, ...others] = new Set(of.values());
  const name: Naming = others.length > 0 || first === undefined ? (one) => one : first.name;
  const parts = [...new Set([...of.values()].map(({ part }) => part))].sort();

  async function isHere(session: Session): Promise<boolean> {
    const [row] = await session.rows(call(countHere, numberArray(parts)));
    return row?.[0] === parts.length;
  }

  function at(account: string): Placement {
    const placement = of.get(account);
    if (placement === undefined) throw new Moved();
    return placement;
  }

  return {
    name,
    isHere,
    nameOf: (account) => at(account).name,
    groups(accounts) {
      const groups = Map.groupBy(accounts, (account) => at(account));
      return [...groups]
        .sort(([one], [other]) => one.part - other.part)
        .map(([{ name }, own]) => [name, own]);
    },
    async hold(session) {
      const holding = session.run(call(hold, numberArray(parts)));
      const [, here] = await Promise.all([holding, isHere(session)]);
      return here;
    },
  };
}

type PartRow = readonly [
  account: string,
  table: string,
  name: string,
  server: string,
  part: number,
];

/** The parts of all tables that hold each of the accounts $1, and the server that has them. */
const lookUpParts = prepared<PartRow>`SELECT wanted.account, relname::text,
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
  /** Sessions on the server of the address for what asks others, one of which may not answer. */
  readonly home: Sessions;
  /** Sessions there for what it knows itself: nothing that asks others keeps these from accounts. */
  readonly near: Sessions;
  /** The tables whose rows lie at the servers of their accounts; all others have a copy on every server. */
  readonly spread: ReadonlySet<string>;
  readonly writer: Sessions;
  readonly servers: Servers;
  /** Why nothing is to be written. */
  readonly refusal: string | undefined;
}

export function createCluster(parts: ClusterParts): Placements {
  const { home, near, spread, writer, servers, refusal } = parts;
  const known = new BoundedMap<string, Placement>(MAX_KNOWN);
  const doubted = new Set<Placement>();
  /** Each once, so that its statements are prepared once. By server and part. */
  const placementsByPart = new Map<string, Placement>();
  /** Until when those that did not answer are asked last. */
  const sparedUntil = new Map<Sessions, number>();
  const patience = createPatience((server) => answers(servers.at(server).others));
  const reachOf = createReach(spread);

  /** For what each server knows itself: the first that answers does. */
  async function alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const isSpared = (one: Sessions) => performance.now() < (sparedUntil.get(one) ?? 0);
    const all = [near, ...servers.all().map(({ others }) => others)];
    let failure: unknown;
    for (const sessions of [...all.filter((one) => !isSpared(one)), ...all.filter(isSpared)]) {
      try {
        return await sessions.use(work);
      } catch (error) {
        if (!isOut(error)) throw error;
        failure ??= error;
        sparedUntil.set(sessions, performance.now() + SPARED_MS);
      }
    }
    throw failure;
  }

  /** For what asks several servers. Where that of the address answers and another one does not, no other gets further. */
  async function across<T>(work: (session: Session) => Promise<T>): Promise<T> {
    try {
      return await home.use(work);
    } catch (error) {
      if (!isOut(error) || isOutOfReach((error as Error).cause) || (await answers(near)))
        throw error;
      return alone(work);
    }
  }

  /** At their server; where they are at several, at that of the address, which reaches all. */
  async function useTogether<T>(
    accounts: readonly string[],
    access: Access,
    work: (session: Session) => Promise<T>,
    until = performance.now() + MOVING_MS,
  ): Promise<T> {
    const [there, ...others] = await findAll(accounts);
    if (others.length > 0 && access === 'shared') throw new Moved();
    if (there === undefined || others.length > 0) {
      const asking = access === 'drafts' ? writer : home;
      return asking.use((session) => inPlace(session, throughOne, () => work(session)));
    }
    const again = () => useTogether(accounts, access, work, until);
    return useAt(there, access, work, until, again);
  }

  /** At each of their servers, apart from the others. */
  async function useEach<T>(
    accounts: readonly string[],
    read: (session: Session, own: readonly string[]) => Promise<T>,
    until = performance.now() + MOVING_MS,
  ): Promise<readonly Promise<readonly T[]>[]> {
    return (await findAll(accounts)).map((there) => {
      const own = [...there.placements.keys()];
      const work = async (session: Session): Promise<readonly T[]> => [await read(session, own)];
      const again = async () => (await Promise.all(await useEach(own, read, until))).flat();
      return patience.at(there.server, () => useAt(there, 'read', work, until, again));
    });
  }

  /** `again` is done where they are no more there. */
  async function useAt<T>(
    { server, placements }: There,
    access: Access,
    work: (session: Session) => Promise<T>,
    until: number,
    again: () => Promise<T>,
  ): Promise<T> {
    const { drafts, others } = servers.at(server);
    const sessions = access === 'read' || access === 'locked' ? others : drafts;
    try {
      return await sessions.use((session) =>
        workAt(session, createPlaced(placements), access, work),
      );
    } catch (error) {
      if (!isMoved(error) && !isOut(error)) throw error;
      for (const one of placements.values()) doubted.add(one);
      if (isOut(error)) {
        // A server that is out of reach may have been replaced.
        const [found] = await findAll([...placements.keys()]);
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
  async function findAll(accounts: readonly string[]): Promise<readonly There[]> {
    const finding = accounts.map(async (one) => [one, await find(one)] as const);
    const there = Map.groupBy(await Promise.all(finding), ([, { server }]) => server);
    return [...there].map(([server, own]) => ({ server, placements: new Map(own) }));
  }

  /** While no server tells where it is, it is looked for where it was. */
  async function find(account: string): Promise<Placement> {
    const last = known.get(account);
    if (last !== undefined && !doubted.has(last)) return last;
    try {
      const found = await lookUp(known, account, account);
      if (found === undefined) throw new StoreUnavailable(MOVING);
      return found;
    } catch (error) {
      if (last === undefined || !isOut(error)) throw error;
      return last;
    }
  }

  const lookUp = createLookUp(async (_: typeof known, accounts: readonly string[]) => {
    const rows = await alone((session) => session.rows(call(lookUpParts, textArray(accounts))));
    const found = new Map<string, Placement>();
    for (const [account, parts] of Map.groupBy(rows, ([account]) => account)) {
      const [, , , server, part] = parts[0] as PartRow;
      const placement = placementsByPart.getOrInsertComputed(`${server} ${part}`, () => {
        const names = new Map(parts.map(([, table, name]) => [table, name]));
        return createPlacement(server, part, names);
      });
      known.set(account, placement);
      doubted.delete(placement);
      found.set(account, placement);
    }
    return found;
  });

  return {
    together: false,
    at(accounts, access) {
      if (refusal !== undefined && access !== 'read') throw new StoreUnavailable(refusal);
      if (refusal !== undefined) {
        const use: Work['use'] = (work) =>
          home.use((session) => inPlace(session, throughOne, () => work(session)));
        return { use, rows: (call) => use((session) => session.rows(call)) };
      }
      const all = [...new Set(accounts)];
      const use: Work['use'] = (work) => useTogether(all, access, work);
      return { use, rows: (call) => use((session) => session.rows(call)) };
    },
    async each(accounts, read, enough = () => false) {
      const all = [...new Set(accounts)];
      if (refusal !== undefined) {
        const reading = (session: Session) =>
          inPlace(session, throughOne, () => read(session, all));
        return [await home.use(reading)];
      }
      const results = await Promise.allSettled(await useEach(all, read));
      const done = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const failed = results.find((one) => one.status === 'rejected');
      if (failed !== undefined && !(isOut(failed.reason) && enough(done))) throw failed.reason;
      return done;
    },
    locate: async (account) => (await find(account)).server,
    alone,
    async read(wanted) {
      const reach = reachOf(wanted.statement);
      if (reach === 'alone') return alone((session) => session.rows(wanted));
      const account = reach === 'all' ? undefined : wanted.values[reach];
      if (typeof account === 'string') return this.at([account], 'read').rows(wanted);
      return across((session) => session.rows(wanted));
    },
    serverOf(account) {
      const last = known.get(account);
      return last === undefined || doubted.has(last) ? undefined : last.server;
    },
    doubt(accounts) {
      for (const account of accounts) {
        const last = known.get(account);
        if (last !== undefined) doubted.add(last);
      }
    },
    async close() {
      patience.close();
      const pools = servers.all().flatMap(({ drafts, others }) => [drafts, others]);
      await Promise.all([near, writer, ...pools].map((sessions) => sessions.close()));
    },
  };
}

const MOVING = 'The store cannot be used now: the account is moving to another server.';

async function inPlace<T>(session: Session, place: TablePlace, work: () => Promise<T>): Promise<T> {
  const { place: before } = session;
  session.place = place;
  try {
    return await work();
  } finally {
    session.place = before;
  }
}

/** Reads are asked in one message with whether they were of the account as it is; other work asks by itself. */
async function workAt<T>(
  session: Session,
  place: TablePlace,
  access: Access,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return inPlace(session, place, async () => {
    if (access !== 'read') return await work(session);
    const [working, looking] = [work(session), place.isHere(session)];
    const { sent } = session;
    const [done, here] = await Promise.allSettled([working, looking]);
    if (done.status === 'rejected') throw done.reason;
    if (here.status === 'rejected') throw here.reason;
    const isHere = here.value && (session.sent === sent || (await place.isHere(session)));
    if (!isHere) throw new Moved();
    return done.value;
  });
}
