/** The upserts, made from the registry: none is written for one resource. */
import type { FastifyInstance } from 'fastify';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Resource } from '../../schema/define.ts';
import { conditionOfUpsert } from '../conditions.ts';
import { receiveBody } from '../receive.ts';
import { sendWritten, sentOf, writeCallOf } from '../writing.ts';

export function addRecordRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  ingest: Ingest,
): void {
  for (const resource of resources) {
    if (resource.parent === undefined) continue;
    const config = { needs: { resource, action: 'write' as const } };
    server.post(`/v1/${resource.path}/upsert`, { config }, async (request, reply) => {
      await receiveBody(request, reply);
      const sent = () => sentOf(request, conditionOfUpsert(request));
      return sendWritten(reply, await ingest.upsert(writeCallOf(request, resource), sent));
    });
  }
}
