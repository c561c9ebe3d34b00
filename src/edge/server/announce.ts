/** Announces in answers that an endpoint will be removed: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
import type { FastifyInstance } from 'fastify';
import type { Deprecation } from '../../core/schema/present/deprecations.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The deprecated features that the request used. */
    deprecated?: Deprecation;
  }
}

export function announceDeprecations(server: FastifyInstance, table: readonly Deprecation[]): void {
  if (table.length === 0) return;
  const byRoute = Map.groupBy(table, ({ operation }) => operation.replace(/\{(\w+)\}/g, ':$1'));
  server.addHook('onRequest', (request, reply, done) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const query = new URLSearchParams(request.url.split('?')[1]);
    const found = byRoute
      .get(`${method} ${request.routeOptions.url}`)
      ?.find(({ parameter }) => parameter === undefined || query.has(parameter));
    if (found !== undefined) {
      request.deprecated = found;
      reply.header('Deprecation', `@${Date.parse(found.since) / 1000}`);
      reply.header('Sunset', new Date(found.sunset).toUTCString());
    }
    done();
  });
}
