/** The endpoints that read records, made from the registry: none is written for one resource. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Query } from '../../query/query.ts';
import type { Resource } from '../../schema/define.ts';
import { unknownFieldsOf } from '../body.ts';
import { prepare, sendJson, sendPieces, vary } from '../envelope.ts';
import { etagOf, isNamed } from '../etag.ts';
import { pageLinks } from '../page-links.ts';
import { callerOf, queryOf } from '../request.ts';

/** `publicUrl` gives the address that links lead to. */
export function addReadRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  query: Query,
  publicUrl: () => string,
): void {
  for (const resource of resources) {
    const config = { needs: { resource, action: 'read' as const } };
    const path = `/v1/${resource.path}`;

    server.get(path, { config }, async (request, reply) => {
      const asked = askedOf(request);
      const listed = await query.list(callerOf(request), resource, asked, request.timing);
      const links = pageLinks(publicUrl() + path, asked.query, listed);
      if (links !== undefined) reply.header('Link', links);
      return sendPieces(reply, listed.body[Symbol.iterator](), listed.bytes);
    });

    server.get<{ Params: { unique_identifier: string } }>(
      `${path}/:unique_identifier`,
      { config },
      async (request, reply) => {
        const found = await query.find(
          callerOf(request),
          resource,
          request.params.unique_identifier,
          askedOf(request),
          request.timing,
        );
        request.done = { unique_identifier: found.unique_identifier };
        keepable(reply).header('ETag', etagOf(found.tag));
        return isNamed(found.tag, request.headers['if-none-match'])
          ? prepare(reply).code(304).send()
          : sendJson(reply, found.body);
      },
    );
  }
}

/** May be kept by whoever asked, who asks each time whether it still holds; compressed or not, as it was asked for. */
function keepable(reply: FastifyReply): FastifyReply {
  return vary(reply.header('Cache-Control', 'private, no-cache'), 'accept-encoding');
}

function askedOf(request: FastifyRequest): { query: string; unknown: 'refuse' | 'ignore' } {
  return { query: queryOf(request), unknown: unknownFieldsOf(request) };
}
