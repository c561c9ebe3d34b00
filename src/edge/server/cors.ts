/** Lets pages of other origins call the service, as far as the operator allows. */
import type { FastifyInstance } from 'fastify';
import about from '../../../package.json' with { type: 'json' };

export async function allowOrigins(
  server: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
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
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Ledgerstone-Mode',
      'Ledgerstone-Provoke',
      'Ledgerstone-Sync',
      'Ledgerstone-Unknown-Fields',
      'Last-Event-ID',
      'traceparent',
      'tracestate',
    ],
    exposedHeaders: [
      'Request-Id',
      'Ledgerstone-Version',
      'Deprecation',
      'Sunset',
      'Ledgerstone-Outcome',
      'Ledgerstone-Kept',
      'Ledgerstone-Removed',
      'Ledgerstone-Removal',
      'Ledgerstone-Key-Expires',
      'Server-Timing',
      'ETag',
      'Link',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
      'Ledgerstone-Dry-Run',
    ],
    maxAge: 7200,
    strictPreflight: false,
  });
}
