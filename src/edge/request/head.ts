/** The head of a request: which headers it may have once only, and what its Host may be (RFC 9112, section 3.2). */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ApiError } from '../../core/errors.ts';
import { OURS } from './own-headers.ts';

/**
 * Every header that the service reads. What may stand in one request `once` is refused where it has two values: which
 * of them another program on the way takes is not known. Values of a `list` belong together, wherever they stand.
 */
export const READ: Readonly<Record<string, 'once' | 'list'>> = {
  ...Object.fromEntries(Object.keys(OURS).map((name) => [name, 'once' as const])),
  accept: 'list',
  'accept-encoding': 'list',
  'accept-language': 'list',
  'access-control-request-method': 'once',
  authorization: 'once',
  'content-encoding': 'once',
  'content-length': 'once',
  'content-type': 'once',
  cookie: 'once',
  forwarded: 'list',
  host: 'once',
  'idempotency-key': 'once',
  'if-match': 'once',
  'if-none-match': 'list',
  'last-event-id': 'once',
  origin: 'once',
  'sec-fetch-dest': 'once',
  'sec-fetch-site': 'once',
  traceparent: 'once',
  'transfer-encoding': 'list',
  'user-agent': 'once',
  'x-api-key': 'once',
  'x-forwarded-for': 'list',
};

type Head = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>;

/** A fault of the head of a request. */
export function headFault({ headers, rawHeaders, httpVersion }: Head): ApiError | undefined {
  const { host } = headers;
  const repeated = repeatedIn(rawHeaders, headers);
  if (repeated === 'host')
    return malformed('The request has more than one Host header: send one, with one value.');
  if (host === undefined)
    return httpVersion === '1.1' ? malformed('The request has no Host header.') : undefined;
  if (!isHost(host))
    return malformed(
      'The header Host is not the name or the address of a host, with or without a port: send it as it stands in the URL.',
    );
  if (repeated === undefined) return undefined;
  return new ApiError('header_invalid', {
    message: `The request has the header ${nameIn(rawHeaders, repeated)} more than once, with different values: send one.`,
  });
}

const malformed = (message: string) => new ApiError('request_malformed', { message });

/** The first header that has two values, or that is a second Host. */
function repeatedIn(raw: readonly string[], headers: Head['headers']): string | undefined {
  // Node has each name once there.
  if (raw.length / 2 === Object.keys(headers).length) return undefined;
  const seen = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [`${raw[at]}`.toLowerCase(), `${raw[at + 1]}`];
    const known = seen.get(name);
    if (known === undefined) seen.set(name, value);
    else if (isOnce(name) && (name === 'host' || known !== value)) return name;
  }
  return undefined;
}

/** Ours are all for once, also those of versions to come. */
function isOnce(name: string): boolean {
  return READ[name] === 'once' || (READ[name] === undefined && name.startsWith('ledgerstone-'));
}

/** As the request spells it. */
function nameIn(raw: readonly string[], name: string): string {
  return raw.find((one, at) => at % 2 === 0 && one.toLowerCase() === name) ?? name;
}

/** `example.org`, `192.0.2.7:8080`, `[2001:db8::7]:8080`. */
function isHost(text: string): boolean {
  const [, address, name, port = ''] =
    /^(?:\[([\da-f:.]+)\]|([\w.~-]|%[\da-f]{2})+)(?::(\d{0,5}))?$/i.exec(text) ?? [];
  if (address === undefined && name === undefined) return false;
  return (address === undefined || isIPv6(address)) && Number(port) <= 65_535;
}
