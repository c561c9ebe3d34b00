/** Headers of all answers: HTTPS, and what pages of other origins may do. */
import type { FastifyInstance } from 'fastify';
import about from '../../../package.json' with { type: 'json' };
import { isLoopback } from '../../core/network/networks.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Sets `Strict-Transport-Security` (RFC 6797), where browsers reach the service by HTTPS: they return over HTTPS only, so
 * that no intermediary can set a cookie or show a page of its own.
 */
export function requireHttps(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { hostname = '' } = URL.parse(`http://${request.raw.headers.host}`) ?? {};
    // Other services at this machine's own name may not support HTTPS.
    if (!isLoopback(hostname.replace(/^\[|\]$/g, '')))
      reply.header('strict-transport-security', `max-age=${YEAR_S}`);
    done();
  });
}

/** Lets pages of other origins call the service, as far as the operator allows. */
export async function allowOrigins(server: FastifyInstance, origins: readonly string[]) {
  // Preflights are answered before anything of ours runs.
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('Request-Id', request.id);
    reply.header('Ledgerstone-Version', about.version);
    done();
  });
  const { default: cors } = await import('@fastify/cors');
  await server.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
      ...['Ledgerstone-Mode', 'Ledgerstone-Provoke', 'Ledgerstone-Sync', 'Ledgerstone-Instead-Of'],
      ...['Ledgerstone-Unknown-Fields', 'Last-Event-ID', 'traceparent', 'tracestate'],
    ],
    exposedHeaders: [
      ...['Request-Id', 'Ledgerstone-Version', 'Deprecation', 'Sunset', 'Ledgerstone-Outcome'],
      ...['Ledgerstone-Kept', 'Ledgerstone-Newer', 'Ledgerstone-Removed', 'Ledgerstone-Removal'],
      ...['Ledgerstone-Key-Expires', 'Server-Timing', 'ETag', 'Link', 'Retry-After'],
      ...['RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed', 'Ledgerstone-Dry-Run'],
    ],
    maxAge: 7200,
    strictPreflight: false,
  });
}
