/** The history of one record, and restoring an earlier version, made from the registry for all resources. */
import type { FastifyInstance } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import { parseHistory } from '../../core/schema/parse/parse-history.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Query } from '../../records/query/query.ts';
import { listText } from '../operations/operation.ts';
import { unknownFieldsOf } from '../request/body.ts';
import { callerOf, queryOf } from '../request/request.ts';
import { conditionOfRecord } from '../response/conditions.ts';
import { sendJson } from '../response/envelope.ts';
import { answerWrite, sentOf, writeCallOf } from '../response/writing.ts';

interface OfOne {
  readonly Params: { readonly unique_identifier: string };
}

export function addHistoryRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  ingest: Ingest,
  { history, expandWritten }: Query,
): void {
  for (const resource of resources) {
    const path = `/v1/${resource.path}/:unique_identifier`;

    const read = { needs: { resource, action: 'read' as const } };
    server.get<OfOne>(`${path}/history`, { config: read }, async (request, reply) => {
      const { unique_identifier } = request.params;
      const asked = parseHistory(queryOf(request), unknownFieldsOf(request));
      const { entries, more } = await history.page(
        callerOf(request),
        resource,
        unique_identifier,
        asked,
      );
      request.done = { unique_identifier };
      const url = `/v1/${resource.path}/${unique_identifier}/history`;
      return sendJson(reply, listText(url, entries, more));
    });

    if (resource.parent === undefined) continue;
    const write = { needs: { resource, action: 'write' as const } };
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
}
