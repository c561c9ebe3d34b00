/** The servers of a cluster: sessions on each, bounded in all, and where this process reaches it. */
import { StoreUnusable } from '../../promises/store.ts';
import { whyUnreached } from '../schema/distribution.ts';
import { type Address, atServer } from '../wire/address.ts';
import { whyNot } from '../wire/failure.ts';
import { openSession, sessionOpener } from '../wire/server.ts';
import { call, type Session } from '../wire/session.ts';
import { Sessions } from '../wire/sessions.ts';

/** By the `name:port` of a server in the cluster, the `address:port` at which this process reaches it, if that is another. */
export type Reached = ReadonlyMap<string, string>;

/** The least number of sessions of each kind at one server. */
const LEAST = 2;
const IDLE_MS = 60_000;

interface AtServer {
  /** To commit drafts. */
  readonly drafts: Sessions;
  readonly others: Sessions;
}

export class Servers {
  readonly #address: Address;
  readonly #reached: Reached;
  /** How many sessions there are on each. */
  readonly most: { readonly drafts: number; readonly others: number };
  readonly #pools = new Map<string, AtServer>();

  /** `most` is how many sessions a process may have in all: servers with these names share them with that of the address. */
  constructor(
    address: Address,
    reached: Reached,
    names: readonly string[],
    most: { readonly drafts: number; readonly others: number },
  ) {
    const share = (all: number): number => Math.max(LEAST, Math.ceil(all / (names.length + 1)));
    this.#address = address;
    this.#reached = reached;
    this.most = { drafts: share(most.drafts), others: share(most.others) };
    for (const name of names) this.at(name);
  }

  get names(): readonly string[] {
    return [...this.#pools.keys()];
  }

  at(name: string): AtServer {
    return this.#pools.getOrInsertComputed(name, () => {
      const address = addressOf(this.#address, this.#reached, name);
      const open = sessionOpener(address, `the server ${name} of the cluster`);
      const pool = (most: number) =>
        new Sessions({ open, most, patience: address.patience, idleMs: IDLE_MS });
      return { drafts: pool(this.most.drafts), others: pool(this.most.others) };
    });
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    await Promise.all(pools.flatMap(({ drafts, others }) => [drafts.close(), others.close()]));
  }
}

function addressOf(address: Address, reached: Reached, name: string): Address {
  return atServer(address, reached.get(name) ?? name);
}

export function readReached(nodes: readonly string[]): Reached {
  return new Map(nodes.map((node) => node.split('=', 2) as [string, string]));
}

/** All servers of the cluster, as its catalogue has them. */
const readNodes = (session: Session) =>
  session.rows<readonly [name: string, group: number, holds: boolean]>(
    call({
      text: `SELECT nodename || ':' || nodeport, groupid,
          noderole = 'primary' AND isactive AND shouldhaveshards
        FROM pg_dist_node ORDER BY groupid`,
    }),
  );

/** Names the servers that hold accounts. */
export async function namesOf(session: Session): Promise<readonly string[]> {
  return (await readNodes(session)).flatMap(([name, , holds]) => (holds ? [name] : []));
}

/** Why this process cannot work at a server that the cluster itself reaches, each in a sentence. `session` is on a server of the cluster. */
export async function outOfReach(
  session: Session,
  address: Address,
  reached: Reached,
): Promise<readonly string[]> {
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

export async function wantReach(
  session: Session,
  address: Address,
  reached: Reached,
): Promise<void> {
  const faults = await outOfReach(session, address, reached);
  if (faults.length > 0) throw new StoreUnusable(faults.join(' '));
}

async function faultOf(address: Address, group: number): Promise<string | undefined> {
  try {
    await using session = await openSession(address);
    session.wantAnswers(address.patience.connectMs);
    const [row] = await session.rows<readonly [group: number]>(
      call({ text: 'SELECT groupid FROM pg_dist_local_group' }),
    );
    return row?.[0] === group ? undefined : 'another server answers there';
  } catch (error) {
    return whyNot(error);
  }
}
