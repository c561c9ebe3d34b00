/** Answers operations that read records and their history. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import { parseHistory } from '../../core/schema/parse/parse-queries.ts';
import { columnsOf } from '../../core/schema/row.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { Query } from '../../records/query/query.ts';
import { stillMay } from '../fair/still.ts';
import { formFor } from '../listing/forms.ts';
import { streamRows } from '../listing/stream.ts';
import { listText } from '../operations/operation.ts';
import { recordOperations } from '../operations/records.ts';
import { unknownFieldsOf } from '../request/body.ts';
import { callerOf, queryOf, watchForCut } from '../request/request.ts';
import { prepare, sendJson, sendPieces, vary } from '../response/envelope.ts';
import { etagOf, isNamed } from '../response/etag.ts';
import { pageLinks } from '../response/page-links.ts';
import type { RecordHandler } from './records.ts';

/** `publicUrl` gives the address that links lead to. */
export function readHandlers(resource: Resource, query: Query, publicUrl: () => string) {
  const path = `/v1/${resource.path}`;
  const isOfPeople = recordOperations(resource).some(({ audits }) => audits === 'list');

  const list: RecordHandler = async (request, reply) => {
    const params = { ...askedOf(request), isGone: () => reply.raw.destroyed };
    const form = formFor(request.headers.accept);
    if (form !== undefined) {
      if (isOfPeople && callerOf(request).person !== undefined)
        await request.server.audit(request, { action: 'export', resource: resource.name });
      const walk = query.rows(callerOf(request), resource, params, request.timing);
      watchForCut(request, reply);
      return streamRows(request, reply, {
        columns: columnsOf(resource),
        walk,
        form,
        authenticate: stillMay(request, (now) => authorize(now, resource.path, 'read')),
      });
    }
    vary(reply, 'Accept');
    const listed = await query.list(callerOf(request), resource, params, request.timing);
    // Who lists the visitors of a service has looked at that family.
    if (resource.parent?.anchor === false) request.done = { above: listed.parent };
    const links = pageLinks(publicUrl() + path, params.query, listed);
    if (links !== undefined) reply.header('Link', links);
    return sendPieces(reply, listed.body[Symbol.iterator](), listed.bytes);
  };

  const get: RecordHandler = async (request, reply) => {
    const found = await query.find(
      callerOf(request),
      resource,
      request.params.unique_identifier,
      askedOf(request),
      request.timing,
    );
    const { unique_identifier, account } = found;
    request.done = { unique_identifier, account };
    // After signing out, nothing that a person has read stays on disk.
    if (callerOf(request).person === undefined) keepable(reply);
    reply.header('ETag', etagOf(found.tag));
    return isNamed(found.tag, request.headers['if-none-match'])
      ? prepare(reply).code(304).send()
      : sendJson(reply, found.body);
  };

  const history: RecordHandler = async (request, reply) => {
    const { unique_identifier } = request.params;
    const params = parseHistory(queryOf(request), unknownFieldsOf(request));
    const found = await query.history.page(callerOf(request), resource, unique_identifier, params);
    request.done = { unique_identifier, account: found.account };
    const url = `${path}/${unique_identifier}/history`;
    const held = found.held_by === undefined ? {} : { held_by: found.held_by };
    return sendJson(reply, listText(url, found.entries, found.more, held));
  };

  return { list, get, history };
}

/** The client may cache it, and revalidates it each time; compressed or not, as it accepts. */
function keepable(reply: FastifyReply): FastifyReply {
  return vary(reply.header('Cache-Control', 'private, no-cache'), 'accept-encoding');
}

function askedOf(request: FastifyRequest): { query: string; unknown: 'refuse' | 'ignore' } {
  return { query: queryOf(request), unknown: unknownFieldsOf(request) };
}
