/** The endpoints of the records, made from the registry: none is written for one resource. */
import type { FastifyInstance } from 'fastify';
import type { Ingest } from '../../ingest/upsert.ts';
import type { Query } from '../../query/list.ts';
import type { Resource } from '../../schema/define.ts';
import { bodyOf, unknownFieldsOf } from '../body.ts';
import { sendJson } from '../envelope.ts';
import { callerOf, queryOf } from '../request.ts';

export function addRecordRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  ingest: Ingest,
  query: Query,
): void {
  for (const resource of resources) {
    if (resource.parent !== undefined) {
      const config = { needs: { resource, action: 'write' as const } };
      server.post(`/v1/${resource.path}/upsert`, { config }, async (request, reply) => {
        const params = {
          ...bodyOf(request),
          query: queryOf(request),
          unknown: unknownFieldsOf(request),
        };
        const { outcome, unique_identifier, body } = await ingest.upsert(
          callerOf(request),
          resource,
          params,
          request.timing,
        );
        request.done = { outcome, unique_identifier };
        reply.header('Ledgerstone-Outcome', outcome);
        return sendJson(reply, body);
      });
    }
    if (resource.list !== undefined) {
      const config = { needs: { resource, action: 'read' as const } };
      server.get(`/v1/${resource.path}`, { config }, async (request, reply) => {
        const sent = { query: queryOf(request), unknown: unknownFieldsOf(request) };
        return sendJson(reply, await query.list(callerOf(request), resource, sent, request.timing));
      });
    }
  }
}
