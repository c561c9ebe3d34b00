/** The servers of a cluster: sessions on each, bounded in all, and where this process reaches it. */
import { whyUnreached } from '../schema/distribution.ts';
import { type Address, atServer } from '../wire/address.ts';
import { whyNot } from '../wire/failure.ts';
import { openSession, sessionOpener } from '../wire/server.ts';
import type { Session } from '../wire/session.ts';
import { createSessions, type Sessions } from '../wire/sessions.ts';

/** By the `name:port` of a server in the cluster, the `address:port` at which this process reaches it, if that is another. */
export type Reached = ReadonlyMap<string, string>;

/** The least number of sessions of each kind at one server. */
const LEAST = 2;
const IDLE_MS = 60_000;

/** How many sessions there are to commit drafts, and for all else. */
interface SessionCounts {
  readonly drafts: number;
  readonly others: number;
}

export type Servers = ReturnType<typeof createServers>;

/** `most` is how many sessions a process may have in all: servers with these names share them with that of the address. */
export function createServers(
  address: Address,
  reached: Reached,
  names: readonly string[],
  most: SessionCounts,
) {
  const share = (all: number): number => Math.max(LEAST, Math.ceil(all / (names.length + 1)));
  const own: SessionCounts = { drafts: share(most.drafts), others: share(most.others) };
  const pools = new Map<string, Readonly<Record<keyof SessionCounts, Sessions>>>();

  function at(name: string) {
    return pools.getOrInsertComputed(name, () => {
      const there = addressOf(address, reached, name);
      const open = sessionOpener(there, `the server ${name} of the cluster`);
      const { patience } = there;
      const pool = (maxSessions: number) =>
        createSessions({ open, maxSessions, patience, idleMs: IDLE_MS });
      return { drafts: pool(own.drafts), others: pool(own.others) };
    });
  }

  for (const name of names) at(name);
  return {
    at,
    all: () => [...pools.values()],
    most: own,
  };
}

function addressOf(address: Address, reached: Reached, name: string): Address {
  return atServer(address, reached.get(name) ?? name);
}

export function readReached(nodes: readonly string[]): Reached {
  return new Map(nodes.map((node) => node.split('=', 2) as [string, string]));
}

/** All servers of the cluster, as its catalogue has them. */
const readNodes = (session: Session) =>
  session.query<
    readonly [name: string, group: number, holds: boolean]
  >(`SELECT nodename || ':' || nodeport, groupid,
          noderole = 'primary' AND isactive AND shouldhaveshards
        FROM pg_dist_node ORDER BY groupid`);

/** Names the servers that hold accounts. */
export async function namesOf(session: Session): Promise<readonly string[]> {
  return (await readNodes(session)).flatMap(([name, , holds]) => (holds ? [name] : []));
}

/** Why this process cannot work at a server that the cluster itself reaches, each in a sentence. `session` is on a server of the cluster. */
export async function outOfReach(session: Session, address: Address, reached: Reached) {
  const nodes = await readNodes(session);
  const names = nodes.map(([name]) => name);
  const unknown = [...reached.keys()].filter((name) => !names.includes(name));
  const faults = nodes.map(async ([name, group, holds]) => {
    if (!holds) return [];
    const why = await faultOf(addressOf(address, reached, name), group);
    if (why === undefined || (await whyUnreached(session, name)) !== undefined) return [];
    const at = reached.has(name) ? ` at ${reached.get(name)}` : '';
    return `Ledgerstone works in each account at its server, and cannot use the server ${name} of the cluster${at}: ${why}. Let it connect to that address, with the user and password of the coordinator (pg_hba.conf), or name another one: CITUS_NODES=${name}=ADDRESS:PORT.`;
  });
  return [
    ...unknown.map(
      (name) => `CITUS_NODES names ${name}, and the cluster knows ${names.join(', ')}.`,
    ),
    ...(await Promise.all(faults)).flat(),
  ];
}

async function faultOf(address: Address, group: number): Promise<string | undefined> {
  try {
    await using session = await openSession(address);
    session.answerWithin(address.patience.connectMs);
    const own = await session.value<number>('SELECT groupid FROM pg_dist_local_group');
    return own === group ? undefined : 'another server answers there';
  } catch (error) {
    return whyNot(error);
  }
}
