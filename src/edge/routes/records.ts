/** The upserts, made from the registry: none is written for one resource. */
import type { FastifyInstance } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Query } from '../../records/query/query.ts';
import { conditionOfUpsert, refusedUpsert } from '../response/conditions.ts';
import { answerWrite, sentOf, writeCallOf } from '../response/writing.ts';

export function addRecordRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  ingest: Ingest,
  query: Query,
): void {
  for (const resource of resources) {
    if (resource.parent === undefined) continue;
    const config = { needs: { resource, action: 'write' as const } };
    server.post(`/v1/${resource.path}/upsert`, { config }, (request, reply) =>
      answerWrite(request, reply, resource, query.expandWritten, () =>
        ingest
          .upsert(writeCallOf(request, resource), () => sentOf(request, conditionOfUpsert(request)))
          .catch((error: unknown) => {
            throw refusedUpsert(request, error);
          }),
      ),
    );
  }
}
