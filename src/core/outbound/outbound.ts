/**
 * The way out: every request that this service sends by itself goes through
 * here, so that none of them leads into the operator's network.
 */

import { isIP, type LookupFunction } from 'node:net';
import { lookupBy } from '../aside/names.ts';
import { includedIn, readAddress } from '../network/networks.ts';
import { checkAddress, type Destination, destinationOf, type OutboundUse } from './destination.ts';
import type { Exchange, ExchangeRequest, OutboundAnswer } from './exchange.ts';
import { createNameLookups, type LookUp } from './lookups.ts';
import { OutboundError, outboundErrorOf } from './outbound-error.ts';

export interface OutboundRequest {
  readonly url: string;
  readonly use: OutboundUse;
  /** The account that it is sent for: name look-ups are round-robin by account. */
  readonly group: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for all of it, redirects included. */
  readonly ms: number;
  /** Bytes that are read of the answer's body; a longer one is cut, and `isWhole` says so. */
  readonly bytes: number;
  /** Redirects that are followed, each of which is checked, for a GET; 0 where not said: an answer that redirects is the answer. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundOptions {
  /** Networks, in their one spelling, that requests may go to though they are not public. */
  readonly allowed: readonly string[];
  readonly agent: string;
  readonly lookUp?: LookUp;
  /** Milliseconds that pass, by which look-ups are slow. */
  readonly elapsed?: () => number;
  /** Certificates, as PEM, that are trusted in place of those of the system. */
  readonly ca?: string | undefined;
}

const CHECK_MS = 5_000;

export type Outbound = ReturnType<typeof createOutbound>;

export function createOutbound({ allowed, agent, lookUp, elapsed, ca }: OutboundOptions) {
  const addresses = createAddresses(allowed, createNameLookups(lookUp, elapsed));
  // A connection is reused only for requests of the same use, which are allowed the same connections.
  const exchanges: Partial<Record<OutboundUse, Promise<Exchange>>> = {};
  const exchangeFor = (use: OutboundUse): Promise<Exchange> => {
    // Loaded by the first request: TLS is a tenth of what a start loads.
    exchanges[use] ??= import('./exchange.ts').then((module) => module.createExchange(ca));
    return exchanges[use];
  };

  return {
    /** Throws `OutboundError` where nothing may be sent to the URL, and where its name cannot be looked up. */
    check: (url: string, use: OutboundUse, group: string): Promise<void> =>
      within(CHECK_MS, undefined, async (signal) =>
        addresses.check(destinationOf(url, use), { group, signal }),
      ),
    /** Throws `OutboundError` where no answer comes; any answer, of any status, is one. */
    async send(request: OutboundRequest): Promise<OutboundAnswer> {
      const { use, group, method = 'GET', body, bytes } = request;
      const redirects = method === 'GET' ? (request.redirects ?? 0) : 0;
      const first = destinationOf(request.url, use);
      return within(request.ms, request.signal, async (signal) => {
        let destination = first;
        let headers: ExchangeRequest['headers'] = {
          'User-Agent': agent,
          'Accept-Encoding': 'identity',
          ...request.headers,
        };
        for (let followed = 0; ; followed += 1) {
          addresses.checkHost(destination);
          const lookup = addresses.lookupFor(destination, { group, signal });
          const exchange = await exchangeFor(use);
          const sent = { method, headers, body, bytes, signal };
          const answer = await exchange.send(destination, lookup, sent);
          const next = redirects > 0 ? redirectOf(answer, destination) : undefined;
          if (next === undefined) return answer;
          if (followed === redirects)
            throw new OutboundError('redirects_too_many', 'The URL redirects too often.');
          destination = destinationOf(next, use);
          if (destination.url.origin !== first.url.origin) headers = withoutSecrets(headers);
        }
      });
    },
    close(): void {
      for (const made of Object.values(exchanges)) made.then((exchange) => exchange.close());
    },
  };
}

/** Does the work, and gives up on it in time, also where a name is looked up, which nothing can interrupt. */
async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(ms);
  const ending = signal === undefined ? late : AbortSignal.any([late, signal]);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new OutboundError('timed_out', 'There was no answer in time.'));
  ending.addEventListener('abort', end, { once: true });
  if (ending.aborted) end();
  try {
    return await Promise.race([work(ending), ended]);
  } catch (error) {
    throw ending.aborted
      ? new OutboundError('timed_out', 'There was no answer in time.')
      : outboundErrorOf(error);
  } finally {
    ending.removeEventListener('abort', end);
  }
}

/** Credentials for one host are not sent to another. */
function withoutSecrets(headers: ExchangeRequest['headers']): ExchangeRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)),
  );
}

function redirectOf({ status, headers }: OutboundAnswer, { url }: Destination): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  if (!isRedirect || headers.location === undefined) return undefined;
  const next = URL.parse(headers.location, url);
  if (next === null)
    throw new OutboundError('url_refused', 'redirects to something that is no URL');
  return next.href;
}

interface LookUpOptions {
  readonly group: string;
  readonly signal: AbortSignal;
}

/** `allowed` are networks that the operator lets requests go to. */
function createAddresses(allowed: readonly string[], find: ReturnType<typeof createNameLookups>) {
  const isAllowed = includedIn(allowed);

  const checkOne = (destination: Destination, text: string): void => {
    const address = readAddress(text);
    checkAddress(destination, {
      isPublic: isPublic(text),
      isAllowed: address !== undefined && !text.includes('%') && isAllowed(address),
    });
  };

  const checked = async (destination: Destination, { group, signal }: LookUpOptions) => {
    const found = await find(destination.host, group, signal);
    if (found.length === 0)
      throw new OutboundError('name_unknown', 'The host name has no address.');
    for (const { address } of found) checkOne(destination, address);
    return found;
  };

  /** Throws `OutboundError` where the host is an address that may not be reached. */
  const checkHost = (destination: Destination): void => {
    if (isIP(destination.host) !== 0) checkOne(destination, destination.host);
  };

  return {
    checkHost,
    /** Throws `OutboundError` where the host, or one of the addresses of its name, may not be reached. */
    async check(destination: Destination, asking: LookUpOptions): Promise<void> {
      checkHost(destination);
      if (isIP(destination.host) === 0) await checked(destination, asking);
    },
    /** The look-up of a socket: it connects to what was checked, even if the name changes afterwards. */
    lookupFor: (destination: Destination, asking: LookUpOptions): LookupFunction =>
      lookupBy(() => checked(destination, asking)),
  };
}

/** IPv6 hands out addresses from here alone: all others lead to this machine, this network, or to IPv4 by another name. */
const GLOBAL = '2000::/3';

/** https://www.iana.org/assignments/iana-ipv4-special-registry and its IPv6 counterpart. */
const NOT_PUBLIC = [
  // This network and this machine.
  ...['0.0.0.0/8', '127.0.0.0/8'],
  // Private, shared with a carrier's customers, and link-local, where clouds keep their metadata.
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
  // Protocol assignments, documentation, benchmarks, and the relays of 6to4.
  ...['192.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '198.18.0.0/15'],
  '192.88.99.0/24',
  // Multicast, reserved and broadcast.
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Public by number, and the metadata of Azure's machines.
  '168.63.129.16',
  // Teredo and other protocols, documentation, 6to4, and segment routing.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
];

const isGlobal = includedIn([GLOBAL]);
const isSpecial = includedIn(NOT_PUBLIC);

/** Whether an address, in any spelling, is one of the internet. */
export function isPublic(text: string): boolean {
  const address = readAddress(text);
  if (address === undefined || text.includes('%') || isSpecial(address)) return false;
  return !address.includes(':') || isGlobal(address);
}
