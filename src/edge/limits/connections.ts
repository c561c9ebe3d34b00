/** Limits open connections: keyless ones are few and closed soon, and no key may use all connections. */
import { close, open, readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../core/errors.ts';
import type { Observer } from '../../core/observe/observers.ts';
import { isDiscarded } from '../fair/discarding.ts';

/** How long a connection without a key may be idle; only a moment while there are too many. */
const KEYLESS_IDLE_MS = 15_000;
const KEYLESS_MOMENT_MS = 1_000;
/** How long a connection without a key may be idle while its response is made or sent, such as a page, or a refused body arrives. */
const KEYLESS_READING_MS = 60_000;
const LOOK_MS = 500;
/** The least time between two log lines with the same reason. */
const LOG_AGAIN_MS = 10_000;

export const CONNECTION_REFUSALS = ['full', 'keyless', 'key_share', 'descriptors'] as const;
export type ConnectionRefusal = (typeof CONNECTION_REFUSALS)[number];

/** The state of a connection; stored on the socket, since every request needs it. */
interface Standing {
  key: string | undefined;
  /** When the connection, or its last request without a key, arrived. */
  at: number;
}

declare module 'node:net' {
  interface Socket {
    standing?: Standing;
  }
}

export interface ConnectionLimits {
  readonly most: number;
  /** Called with the reason for refusals, and their number since the last call. */
  readonly log: (reason: ConnectionRefusal, count: number) => void;
  readonly observer?: Pick<Observer, 'show' | 'connectionRefused'> | undefined;
  /** Milliseconds that pass, by which connections are idle. */
  readonly elapsed?: () => number;
}

/** Whether its request has arrived whole, and waits for the response. */
function isAnswering(
  socket: Socket & {
    readonly _httpMessage?: ServerResponse | null;
    readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  },
): boolean {
  return Boolean(socket._httpMessage) && socket.parser?.incoming?.complete !== false;
}

/** Watches the connections of a server, starting with its first. */
export function watchConnections(
  server: Server,
  { most, log, observer, elapsed = () => performance.now() }: ConnectionLimits,
) {
  const mostKeyless = Math.ceil(most / 4);
  const mostOfOne = Math.ceil(most / 2);
  /** Connections without a key, longest idle first. */
  const keyless = new Set<Socket>();
  const byKey = new Map<string, number>();
  const refusals = new Map<ConnectionRefusal, { count: number; loggedAt: number }>();
  let keyed = 0;

  const refused = (reason: ConnectionRefusal): void => {
    observer?.connectionRefused(reason);
    const noted = refusals.getOrInsert(reason, { count: 0, loggedAt: Number.NEGATIVE_INFINITY });
    noted.count += 1;
    const now = elapsed();
    if (now - noted.loggedAt < LOG_AGAIN_MS) return;
    log(reason, noted.count);
    noted.count = 0;
    noted.loggedAt = now;
  };

  const leave = (key: string): void => {
    keyed -= 1;
    const left = (byKey.get(key) ?? 1) - 1;
    if (left === 0) byKey.delete(key);
    else byKey.set(key, left);
  };

  server.maxConnections = most;
  // If several processes share the port, Node would pass excess connections between full processes forever.
  Object.assign(server, { dropMaxConnection: true });
  server.on('drop', () => refused('full'));
  server.on('connection', (socket: Socket) => {
    const standing: Standing = { key: undefined, at: elapsed() };
    socket.standing = standing;
    keyless.add(socket);
    socket.on('close', () => {
      if (standing.key === undefined) keyless.delete(socket);
      else leave(standing.key);
    });
  });

  const closeQuiet = (now: number): void => {
    let tooMany = keyless.size - mostKeyless;
    for (const socket of keyless) {
      const quiet = now - (socket.standing?.at ?? 0);
      if (quiet < KEYLESS_MOMENT_MS || (tooMany <= 0 && quiet < KEYLESS_IDLE_MS)) break;
      const isBusy =
        socket.writableLength > 0 || (tooMany <= 0 && (isDiscarded(socket) || isAnswering(socket)));
      if (isBusy && quiet < KEYLESS_READING_MS) continue;
      if (tooMany > 0) refused('keyless');
      tooMany -= 1;
      socket.destroy();
    }
  };

  const look = setInterval(() => {
    closeQuiet(elapsed());
    // Where descriptors are used up, the system silently closes new connections.
    open('/dev/null', (error, descriptor) => {
      if (error === null) close(descriptor);
      else if (error.code === 'EMFILE' || error.code === 'ENFILE') refused('descriptors');
    });
  }, LOOK_MS).unref();
  server.once('close', () => clearInterval(look));
  observer?.show({ connections: () => Object.entries({ keyed, keyless: keyless.size }) });

  return {
    /** Notes a valid key on the connection. Returns `rate_limited` if the key has too many connections. */
    keyed(socket: Socket, key: string): ApiError | undefined {
      const { standing } = socket;
      if (standing === undefined || standing.key === key || socket.destroyed) return undefined;
      const has = byKey.get(key) ?? 0;
      if (has >= mostOfOne) {
        refused('key_share');
        const headers = { 'Retry-After': '1', Connection: 'close' };
        return new ApiError('connections_too_many', { values: { has }, headers });
      }
      if (standing.key === undefined) keyless.delete(socket);
      else leave(standing.key);
      standing.key = key;
      byKey.set(key, has + 1);
      keyed += 1;
      return undefined;
    },
    /** Notes a request without a valid key. */
    keyless(socket: Socket): void {
      const { standing } = socket;
      if (standing === undefined || standing.key !== undefined || socket.destroyed) return;
      standing.at = elapsed();
      keyless.delete(socket);
      keyless.add(socket);
    },
  };
}

/** The descriptors reserved for the store, the log, Node and connections to a database. */
const RESERVED = 64;
/** The most connections: more would need more memory than most machines can spare. */
const MAX_CONNECTIONS = 10_000;
const MIN_CONNECTIONS = 16;

/** Returns the limit on descriptors; infinite if the system has none. */
export function mostDescriptors(): number {
  let soft: string | undefined;
  try {
    soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  } catch {
    // Looking up the names of all interfaces would take seconds.
    Object.assign(process.report, { excludeNetwork: true });
    const report = process.report.getReport() as {
      readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
    };
    soft = report.userLimits?.open_files?.soft?.toString();
  }
  const limit = Number(soft);
  return Number.isInteger(limit) ? limit : Number.POSITIVE_INFINITY;
}

/** Returns each process's default limit: four fifths of the descriptors left, at most 10,000 for all processes. */
export function connectionsFor(descriptors: number, processes = 1): number {
  const left = Math.floor((descriptors - RESERVED) * 0.8);
  return Math.max(MIN_CONNECTIONS, Math.min(Math.ceil(MAX_CONNECTIONS / processes), left));
}
