/** The server's address, for the driver and for people. */
import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { lookUpAside } from '../../../core/aside/names.ts';
import { serversOf } from '../../../core/network/servers.ts';
import { redact } from '../../../core/observe/redact.ts';
import { StoreUnusable } from '../../promises/store.ts';
import type { Limits } from './settings.ts';
import { readTexts } from './values.ts';

export interface Address {
  readonly url: string;
  /** Servers and database, for people; holds no password. */
  readonly place: string;
  /** The first that can be used is. */
  readonly servers: readonly Server[];
  readonly patience: Patience;
  readonly limits: Limits;
}

interface Server {
  /** `host:port`. */
  readonly name: string;
  readonly config: ClientConfig;
}

/** How long the server may be silent, in milliseconds; 0: without limit. */
export interface Patience {
  readonly connectMs: number;
  /** While an answer is waited for. */
  readonly answerMs: number;
  /** How long work waits until others have done theirs. */
  readonly queueMs: number;
}

/**
 * No request is to wait much longer than five seconds. These follow from it: a connection that has gone silent is given
 * up, and a new one is tried once.
 */
const HURRY: Patience = { connectMs: 2_000, answerMs: 3_000, queueMs: 5_000 };
/**
 * A statement ends, also one that waits for a lock, before the server is taken for silent: the server itself is to say
 * so. A process that stands still in the middle of a transaction must not hold up others for so long that they are
 * refused, nor must two, one behind the other.
 */
const LIMITS: Limits = { statementMs: 2_500, idleMs: 1_000 };
/** The driver asks for no limit by saying nothing, and then the server takes that of the role: this is the longest. */
const LONGEST_MS = 2 ** 31 - 1;

/** Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the parameters that the driver knows; the servers may be several. */
export function readAddress(url: string): Address {
  const urls = serversOf(url);
  const clients = urls.map(clientOf);
  const names = clients.map(
    ({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`,
  );
  const [{ host, database }] = clients as [Client];
  return {
    url,
    place: host.startsWith('/')
      ? `postgres:///${database}?host=${host}`
      : `postgres://${names.join()}/${database}`,
    patience: HURRY,
    limits: LIMITS,
    servers: urls.map((connectionString, at) => ({
      name: names[at] ?? '',
      config: {
        connectionString,
        stream: () => new ServerSocket(),
        fallback_application_name: 'ledgerstone',
        types: readTexts,
        pipeline: true,
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        statement_timeout: LIMITS.statementMs,
        idle_in_transaction_session_timeout: LIMITS.idleMs,
      },
    })),
  };
}

/** Connects as the driver asks it to: to a port of a host, or to a path. */
class ServerSocket extends Socket {
  override connect(...to: unknown[]): this {
    const [port, host] = to;
    return typeof port === 'number' && typeof host === 'string'
      ? super.connect({ port, host, lookup: lookUpAside })
      : super.connect(...(to as [string]));
  }
}

function clientOf(connectionString: string): Client {
  try {
    return new Client({ connectionString });
  } catch (error) {
    const why = error instanceof Error ? redact(error.message) : '';
    throw new StoreUnusable(
      `The address of the store cannot be read (${why}): write postgres://USER:PASSWORD@HOST:PORT/DATABASE.`,
      { cause: error },
    );
  }
}

/** Addresses the same database and user at another server, as `host:port`. */
export function atServer({ url }: Address, server: string): Address {
  const other = new URL(serversOf(url)[0] ?? '');
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(server) ?? [];
  for (const name of ['host', 'port']) other.searchParams.delete(name);
  other.hostname = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  other.port = port;
  return readAddress(other.href);
}

/** Without time limits, for long work such as a migration. */
export function untimed({ url, place, servers }: Address): Address {
  const unlimited = {
    statement_timeout: LONGEST_MS,
    idle_in_transaction_session_timeout: LONGEST_MS,
  };
  return {
    url,
    place,
    patience: { connectMs: 10_000, answerMs: 0, queueMs: 0 },
    limits: { statementMs: 0, idleMs: 0 },
    servers: servers.map(({ name, config }) => ({ name, config: { ...config, ...unlimited } })),
  };
}
