/** Answers operations that read records and their history. */
import type { FastifyRequest } from 'fastify';
import type { Resource } from '../../core/schema/define.ts';
import { optional, text } from '../../core/schema/fields/index.ts';
import { parseHistory } from '../../core/schema/parse/parse-queries.ts';
import { parseQuery } from '../../core/schema/parse/query-string.ts';
import { columnsOf } from '../../core/schema/row.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { FindImage, Links, Query } from '../../records/query/query.ts';
import type { Images } from '../../services/images/images.ts';
import { memoryOf } from '../fair/memory.ts';
import { stillMay } from '../fair/still.ts';
import { formFor, streamRows } from '../listing/stream.ts';
import { listText } from '../operations/pages.ts';
import { recordOperations } from '../operations/records.ts';
import { unknownFieldsOf } from '../request/body.ts';
import { callerOf, goneSignal, queryOf, watchForCut } from '../request/request.ts';
import { etagOf, isNamed } from '../response/conditions.ts';
import { prepare, sendJson, sendPieces, vary } from '../response/envelope.ts';
import type { RecordHandler } from './write.ts';

/** Image elements of the console send no header that names their person. */
const OF_PAGE = { person: optional(text(), 'Whose page shows it') } as const;

/** `publicUrl` is what links to pages begin with. */
export function readHandlers(resource: Resource, query: Query, publicUrl: string) {
  const path = `/v1/${resource.path}`;
  const isOfPeople = recordOperations(resource).some(({ audits }) => audits === 'list');

  const list: RecordHandler = async (request, reply) => {
    const params = { ...paramsOf(request), isGone: () => reply.raw.destroyed };
    const form = formFor(request.headers.accept);
    if (form !== undefined) {
      if (isOfPeople && callerOf(request).person !== undefined)
        await request.server.audit(request, { action: 'export', resource: resource.name });
      const walk = query.rows(callerOf(request), resource, params, request.timing);
      watchForCut(request, reply);
      return streamRows(reply, {
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
    const links = pageLinks(publicUrl + path, params.query, listed);
    if (links !== undefined) reply.header('Link', links);
    return sendPieces(reply, listed.body[Symbol.iterator](), listed.bytes);
  };

  const get: RecordHandler = async (request, reply) => {
    const caller = callerOf(request);
    const { unique_identifier: id } = request.params;
    const found = await query.find(caller, resource, id, paramsOf(request), request.timing);
    const { unique_identifier, account } = found;
    request.done = { unique_identifier, account };
    // After signing out, nothing that a person has read stays on disk; programs revalidate it each time.
    if (caller.person === undefined)
      vary(reply.header('Cache-Control', 'private, no-cache'), 'accept-encoding');
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
    const { entries, more, held_by } = found;
    return sendJson(reply, listText(url, entries, more, held_by === undefined ? {} : { held_by }));
  };

  return { list, get, history };
}

function paramsOf(request: FastifyRequest): { query: string; unknown: 'refuse' | 'ignore' } {
  return { query: queryOf(request), unknown: unknownFieldsOf(request) };
}

/** `undefined` where there are none. The addresses repeat `query`, but for the place in the list. */
function pageLinks(url: string, query: string, { next, prev }: Links): string | undefined {
  const links = Object.entries({ next, prev }).flatMap(([rel, cursor]) => {
    if (cursor === undefined) return [];
    const params = new URLSearchParams(query);
    params.delete('starting_after');
    params.delete('ending_before');
    // The first page has said how many there are.
    params.delete('include[]');
    for (const [name, value] of Object.entries(cursor)) params.append(name, value);
    return [`<${url}?${params}>; rel="${rel}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}

export function imageHandler(
  resource: Resource,
  findImage: FindImage,
  images: Images,
): RecordHandler {
  return async (request, reply) => {
    const principal = callerOf(request);
    const members = principal.person === undefined ? {} : OF_PAGE;
    parseQuery(members, queryOf(request), unknownFieldsOf(request));
    const { unique_identifier, index } = request.params;
    const { url, account, param } = await findImage(principal, resource, unique_identifier, index);
    request.done = { unique_identifier, account };
    const still = stillMay(request, (now) => authorize(now, resource.path, 'read'));
    const bytes = await images.fetch(account, url, param, goneSignal(reply));
    // Another server may have taken seconds.
    await still();
    memoryOf(reply).hold(bytes.length);
    return prepare(reply)
      .header('content-type', 'image/jpeg')
      .header('content-disposition', 'inline; filename="image.jpg"')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(bytes);
  };
}
