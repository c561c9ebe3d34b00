/**
 * Strict-Transport-Security (RFC 6797): browsers return over HTTPS only, so that no intermediary can set a cookie or
 * show a page of its own.
 */
import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../../core/network/networks.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** To be called where browsers reach the service by HTTPS. */
export function wantHttps(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { hostname = '' } = URL.parse(`http://${request.raw.headers.host}`) ?? {};
    // Other services at this machine's own name may not support HTTPS.
    if (!isLoopback(hostname.replace(/^\[|\]$/g, '')))
      reply.header('strict-transport-security', `max-age=${YEAR_S}`);
    done();
  });
}
