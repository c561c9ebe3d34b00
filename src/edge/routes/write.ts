/** Upserting, changing, removing and restoring one record, made from the registry: none is written for one resource. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Query } from '../../records/query/query.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { CHANGE, refuseBody } from '../request/body.ts';
import { callerOf } from '../request/request.ts';
import { syncOf } from '../request/sync.ts';
import { conditionOfRecord, conditionOfUpsert, refusedUpsert } from '../response/conditions.ts';
import { answerWrite, sendWritten, sentOf, writeCallOf } from '../response/writing.ts';

interface OfOne {
  readonly Params: { readonly unique_identifier: string };
}

export function addWriteRoutes(
  server: FastifyInstance,
  resource: Resource,
  ingest: Ingest,
  { expandWritten, history, removals }: Query,
  syncs: SyncsOf,
): void {
  const all = `/v1/${resource.path}`;
  const path = `${all}/:unique_identifier`;

  const write = { needs: { resource, action: 'write' as const } };
  server.post(`${all}/upsert`, { config: write }, (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, async () => {
      const sync = await syncOf(request, resource, syncs);
      return ingest
        .upsert({ ...writeCallOf(request, resource), sync }, () =>
          sentOf(request, conditionOfUpsert(request)),
        )
        .catch((error: unknown) => {
          throw refusedUpsert(request, error);
        });
    }),
  );

  const change = { ...write, bodies: CHANGE };
  const changed = (request: FastifyRequest, reply: FastifyReply, unique_identifier?: string) =>
    answerWrite(request, reply, resource, expandWritten, () =>
      ingest.patch(writeCallOf(request, resource), unique_identifier, () =>
        sentOf(request, conditionOfRecord(request)),
      ),
    );
  server.patch<OfOne>(path, { config: change }, (request, reply) =>
    changed(request, reply, request.params.unique_identifier),
  );
  server.patch(all, { config: change }, (request, reply) => changed(request, reply));

  const remove = { needs: { resource, action: 'delete' as const } };
  const removed = async (
    request: FastifyRequest,
    reply: FastifyReply,
    unique_identifier?: string,
  ) => {
    const sent = () => {
      refuseBody(request);
      return sentOf(request, conditionOfRecord(request));
    };
    const answered = await ingest.remove(writeCallOf(request, resource), unique_identifier, sent);
    if (answered.how !== 'rehearsed') {
      const principal = callerOf(request);
      const removal = await removals.of(principal, resource, answered.unique_identifier);
      if (removal !== undefined) reply.header('Ledgerstone-Removal', removal);
    }
    return sendWritten(reply, answered);
  };
  server.delete<OfOne>(path, { config: remove }, (request, reply) =>
    removed(request, reply, request.params.unique_identifier),
  );
  server.delete(all, { config: remove }, (request, reply) => removed(request, reply));

  server.post<OfOne>(`${path}/restore`, { config: write }, (request, reply) =>
    answerWrite(request, reply, resource, expandWritten, () => {
      const principal = callerOf(request);
      authorize(principal, resource.path, 'read');
      const { unique_identifier } = request.params;
      return ingest.restore(
        writeCallOf(request, resource),
        unique_identifier,
        () => sentOf(request, conditionOfRecord(request)),
        (version) => history.at(principal, resource, unique_identifier, version),
      );
    }),
  );
}
