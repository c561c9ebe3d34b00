/** The upserts, made from the registry: none is written for one resource. */
import type { FastifyInstance } from 'fastify';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Query } from '../../query/query.ts';
import type { Resource } from '../../schema/define.ts';
import { conditionOfUpsert, refusedUpsert } from '../conditions.ts';
import { answerWrite, sentOf, writeCallOf } from '../writing.ts';

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
