/** At which address the browser of a request has the console, and whether people may sign in there. */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { isLoopback } from '../../core/network/networks.ts';

export interface Site {
  /** As browsers write it: `https://records.example.com`. */
  readonly origin: string;
  readonly hostname: string;
  readonly secure: boolean;
}

interface SiteParts {
  /** `undefined` where the operator has not set it. */
  readonly publicUrl: string | undefined;
  /** Whether connections are encrypted by this process. */
  readonly tls: boolean;
}

/** Whether browsers reach the service by HTTPS alone, but for this machine's own. */
export function isSecure({ publicUrl, tls }: SiteParts): boolean {
  return tls || publicUrl?.startsWith('https:') === true;
}

export type SiteOf = (request: FastifyRequest) => Site;

/** Throws `sign_in_insecure` where the address of a request is neither encrypted nor of this machine. */
export function createSiteOf({ publicUrl, tls }: SiteParts): SiteOf {
  const known = publicUrl === undefined ? null : URL.parse(publicUrl);
  const set = known === null ? undefined : siteAt(known);
  return (request) => {
    if (set?.secure === true) return set;
    const { host = '' } = request.raw.headers;
    const url = URL.parse(`${tls ? 'https' : 'http'}://${host}`);
    const site = url === null || url.host !== host.toLowerCase() ? undefined : siteAt(url);
    // A foreign name may resolve to this machine; it is not ours.
    if (site !== undefined && (tls || isLocal(site.hostname, request.raw.socket))) return site;
    throw new ApiError('sign_in_insecure');
  };
}

function siteAt({ origin, hostname, protocol }: URL): Site {
  return { origin, hostname, secure: protocol === 'https:' };
}

/** Whether a request comes from this machine, to one of its own names. */
function isLocal(hostname: string, { remoteAddress = '' }: Socket): boolean {
  return (
    isLoopback(hostname.replace(/^\[|\]$/g, '')) &&
    isLoopback(remoteAddress.replace(/^::ffff:/, ''))
  );
}
