/** Mounts the operations on the records of a resource: none is written for one resource. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import { routeOf } from '../operations/operation.ts';
import { paramMaskOf, type RecordVerb, recordOperations } from '../operations/records.ts';

type OfRecord = { Params: { readonly unique_identifier: string; readonly index: string } };

/** Answers an operation on records. */
export type RecordHandler = (
  request: FastifyRequest<OfRecord>,
  reply: FastifyReply,
) => Promise<FastifyReply>;

export function mountRecords(
  server: FastifyInstance,
  resource: Resource,
  handlers: Readonly<Record<RecordVerb, RecordHandler>>,
): void {
  const paramMask = paramMaskOf(resource);
  for (const { verb, route, needs, audits, bodies } of recordOperations(resource))
    server.route<OfRecord>({
      ...routeOf({ route }),
      config: { needs: { resource, action: needs.permission }, audits, bodies, paramMask },
      handler: handlers[verb],
    });
}
