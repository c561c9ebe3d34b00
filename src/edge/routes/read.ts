/** The endpoints that read records, made from the registry: none is written for one resource. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Query } from '../../records/query/query.ts';
import { type Authenticate, stillMay } from '../fair/still.ts';
import { formFor } from '../listing/forms.ts';
import { streamRows } from '../listing/stream.ts';
import { unknownFieldsOf } from '../request/body.ts';
import { callerOf, queryOf } from '../request/request.ts';
import { prepare, sendJson, sendPieces, vary } from '../response/envelope.ts';
import { etagOf, isNamed } from '../response/etag.ts';
import { pageLinks } from '../response/page-links.ts';

export interface ReadRoutes {
  readonly query: Query;
  /** The address that links lead to. */
  readonly publicUrl: () => string;
  readonly authenticate: Authenticate;
  /** Notes why rows ended before their end, where the fault is not the caller's. */
  readonly failed: (request: FastifyRequest, error: ApiError) => void;
  /** To be called for an answer that was begun and not ended: its client is gone. */
  readonly cut: (request: FastifyRequest, reply: FastifyReply) => void;
}

export function addReadRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  { query, publicUrl, authenticate, failed, cut }: ReadRoutes,
): void {
  for (const resource of resources) {
    const config = { needs: { resource, action: 'read' as const } };
    const path = `/v1/${resource.path}`;

    server.get(path, { config }, async (request, reply) => {
      const asked = { ...askedOf(request), isGone: () => reply.raw.destroyed };
      const form = formFor(request.headers.accept);
      if (form !== undefined) {
        const walk = query.rows(callerOf(request), resource, asked, request.timing);
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) cut(request, reply);
        });
        return streamRows(request, reply, {
          resource,
          walk,
          form,
          authenticate: stillMay(request, authenticate, (now) =>
            authorize(now, resource.path, 'read'),
          ),
          failed: (error) => failed(request, error),
        });
      }
      vary(reply, 'Accept');
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
        // After signing out, nothing that a person has read stays on disk.
        if (callerOf(request).person === undefined) keepable(reply);
        reply.header('ETag', etagOf(found.tag));
        return isNamed(found.tag, request.headers['if-none-match'])
          ? prepare(reply).code(304).send()
          : sendJson(reply, found.body);
      },
    );
  }
}

/** The client may cache it, and revalidates it each time; compressed or not, as it accepts. */
function keepable(reply: FastifyReply): FastifyReply {
  return vary(reply.header('Cache-Control', 'private, no-cache'), 'accept-encoding');
}

function askedOf(request: FastifyRequest): { query: string; unknown: 'refuse' | 'ignore' } {
  return { query: queryOf(request), unknown: unknownFieldsOf(request) };
}
