/** What was removed: the list, one of them, and its restore with everything that went with it. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authorizeAction, type Principal } from '../../auth/principal.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Query } from '../../query/query.ts';
import { tellParam } from '../../requests/names.ts';
import type { Resource } from '../../schema/define.ts';
import {
  parseRemovals,
  parseRestoreRemoval,
  removalsParams,
  restoreRemovalParams,
} from '../../schema/parse-removals.ts';
import { refuseBody, unknownFieldsOf } from '../body.ts';
import { sendJson } from '../envelope.ts';
import { callerOf, queryOf } from '../request.ts';

const PATH = '/v1/removals';

interface OfOne {
  readonly Params: { readonly unique_identifier: string };
}

export interface RemovalRoutes {
  readonly ingest: Pick<Ingest, 'restoreRemoval'>;
  readonly query: Pick<Query, 'removals'>;
  /** Who calls, as it is now: a key may have ended since. Throws `authentication_failed`. */
  readonly authenticate: (request: FastifyRequest) => Promise<Principal>;
}

export function addRemovalRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  { ingest, query, authenticate }: RemovalRoutes,
): void {
  const { removals } = query;
  const params = removalsParams(resources);

  server.get(PATH, { config: { tell: tellParam([params]) } }, async (request, reply) => {
    const principal = callerOf(request);
    authorizeAction(principal, 'read');
    const asked = parseRemovals(params, queryOf(request), unknownFieldsOf(request));
    const page = await removals.page(principal, asked);
    const data = page.removals.join();
    const position = JSON.stringify(page.position);
    return sendJson(
      reply,
      `{"object":"list","url":"${PATH}","has_more":${page.more},"data":[${data}],"position":${position}}`,
    );
  });

  server.get<OfOne>(`${PATH}/:unique_identifier`, async (request, reply) => {
    const principal = callerOf(request);
    authorizeAction(principal, 'read');
    return sendJson(reply, await removals.one(principal, request.params.unique_identifier));
  });

  const restore = { tell: tellParam([restoreRemovalParams]) };
  server.post<OfOne>(
    `${PATH}/:unique_identifier/restore`,
    { config: restore },
    async (request, reply) => {
      const principal = callerOf(request);
      authorizeAction(principal, 'write');
      refuseBody(request);
      const dry_run = parseRestoreRemoval(queryOf(request), unknownFieldsOf(request));
      const { unique_identifier } = request.params;
      const removal = await removals.find(principal, unique_identifier);
      const caller = () => authenticate(request);
      const done = await ingest.restoreRemoval(principal, removal, { dry_run, caller });
      request.done = { unique_identifier, account: removal.account };
      if (dry_run) reply.header('Ledgerstone-Dry-Run', 'true');
      return sendJson(
        reply,
        JSON.stringify({ object: 'restored_removal', unique_identifier, ...done }),
      );
    },
  );
}
