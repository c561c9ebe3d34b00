/** The address of a client: that of its connection, or the one that trusted proxies report. */
import { type Includes, includedIn, readAddress } from './networks.ts';

export interface RequestOrigin {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: {
    readonly 'x-forwarded-for'?: string | string[] | undefined;
    readonly forwarded?: string | string[] | undefined;
  };
}

/**
 * The address of the client, in one spelling. `undefined` where it is unknown: the connection is gone, or what the
 * proxies wrote names no address or two different ones.
 */
export type ClientAddressOf = (request: RequestOrigin) => string | undefined;

/**
 * Trusts only the proxies in these networks. Each proxy adds at the right whom it was called by, so headers are read
 * from there until an address is not a proxy: the rest, left of that one, was written by the client.
 */
export function createClientAddress(proxies: readonly string[]): ClientAddressOf {
  if (proxies.length === 0) return connectionOf;
  const isProxy = includedIn(proxies);
  return (request) => {
    const nearest = connectionOf(request);
    if (nearest === undefined || !isProxy(nearest)) return nearest;
    const { 'x-forwarded-for': listed, forwarded } = request.headers;
    const claimed =
      listed === undefined ? undefined : firstBefore(nearest, `${listed}`, isProxy, addressIn);
    if (forwarded === undefined) return listed === undefined ? nearest : claimed;
    const named = firstBefore(nearest, `${forwarded}`, isProxy, forIn);
    // A proxy writes one of them and may hand on what a client wrote in the other.
    return listed === undefined || claimed === named ? named : undefined;
  };
}

function connectionOf({ socket: { remoteAddress } }: RequestOrigin): string | undefined {
  return remoteAddress === undefined ? undefined : readAddress(remoteAddress);
}

/** The first from the right that is not a proxy; the leftmost where all are, `undefined` where one cannot be read. */
function firstBefore(
  nearest: string,
  list: string,
  isProxy: Includes,
  read: (element: string) => string | undefined,
): string | undefined {
  let address: string | undefined = nearest;
  for (let end = list.length; end > 0; ) {
    const comma = list.lastIndexOf(',', end - 1);
    const element = list.slice(comma + 1, end).trim();
    end = comma;
    if (element === '') continue;
    address = read(element);
    if (address === undefined || !isProxy(address)) return address;
  }
  return address;
}

/** An address, which may have a port: `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::7`, `[2001:db8::7]:4711`. */
function addressIn(element: string): string | undefined {
  const [, bracketed, dotted] =
    /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(element) ?? [];
  return readAddress(bracketed ?? dotted ?? element);
}

/**
 * The `for` of an element of `Forwarded` (RFC 7239). Quotes are taken off
 * after the list is cut at commas and semicolons, of which an address has none:
 * a quote that a client leaves open cannot swallow what a proxy writes after it.
 */
function forIn(element: string): string | undefined {
  const values = element
    .split(';')
    .flatMap((pair) => /^\s*for\s*=\s*("?)([^"]*)\1\s*$/i.exec(pair)?.[2] ?? []);
  const [value] = values;
  return value === undefined || values.length > 1 ? undefined : addressIn(value);
}
