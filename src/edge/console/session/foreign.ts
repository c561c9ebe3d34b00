/**
 * Refuses cross-origin requests before any other check. A page on another port of the same host does send the cookie,
 * although it is `SameSite=Strict`; but it cannot claim to be of the same origin, nor set our header without a
 * preflight.
 */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import type { SiteOf } from '../site.ts';

/** Throws `cross_site_refused` for requests to `/console/api` from anywhere but the console. */
export function refuseForeign(request: FastifyRequest, siteOf: SiteOf): void {
  if (request.route.config?.person === undefined) return;
  const { headers, method } = request;
  const site = headers['sec-fetch-site'];
  const own =
    site === undefined ? headers.origin === siteOf(request).origin : site === 'same-origin';
  // Requests of image elements lack our header; other pages cannot read what they show.
  const isImage = method === 'GET' && headers['sec-fetch-dest'] === 'image';
  if (!own || (headers['ledgerstone-console'] !== '1' && !isImage))
    throw new ApiError('cross_site_refused');
}
