/** The log of requests, for keys with the right to see it: those of their own accounts. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { PageReads } from '../../fair/page-reads.ts';
import type { IdentifierMarks } from '../../requests/marks.ts';
import { tellParam } from '../../requests/names.ts';
import {
  activityParams,
  cursorUnknown,
  readActivityQuery,
  readRefusedQuery,
  refusedParams,
} from '../../requests/params.ts';
import { presentActivity, presentRefused } from '../../requests/present.ts';
import type { RefusedRequest, RequestBook } from '../../store/requests.ts';
import { unknownFieldsOf } from '../body.ts';
import { sendJson } from '../envelope.ts';
import { callerOf, queryOf } from '../request.ts';

const RIGHT = 'requests';

export function addRequestRoutes(
  server: FastifyInstance,
  book: RequestBook,
  reads: PageReads,
  marks: IdentifierMarks | undefined,
): void {
  const refused = { right: RIGHT, tell: tellParam([refusedParams]) };
  server.get('/v1/requests', { config: refused }, async (request, reply) => {
    const { starting_after, identifier, ...asked } = readRefusedQuery(
      queryOf(request),
      unknownFieldsOf(request),
    );
    const sought = identifier === undefined ? undefined : marksFor(identifier, marks);
    const seenBy = accountsOf(request);
    const found = await reads.run(callerOf(request).key, async () => {
      const after = await cursorFor(book, starting_after, seenBy);
      const limit = asked.limit + 1;
      return book.refused({ ...asked, marks: sought, limit, seenBy, after });
    });
    return sendList(reply, '/v1/requests', found.map(presentRefused), asked.limit);
  });

  const activity = { right: RIGHT, tell: tellParam([activityParams]) };
  server.get('/v1/activity', { config: activity }, async (request, reply) => {
    const asked = readActivityQuery(queryOf(request), unknownFieldsOf(request));
    const seenBy = accountsOf(request);
    const found = await reads.run(callerOf(request).key, () =>
      book.activity({ ...asked, limit: asked.limit + 1, seenBy }),
    );
    return sendList(reply, '/v1/activity', found.map(presentActivity), asked.limit);
  });
}

/** Throws where nobody can make any. */
function marksFor(identifier: string, marks: IdentifierMarks | undefined): readonly string[] {
  if (marks !== undefined) return marks.all(identifier);
  throw new ApiError('value_invalid', {
    param: 'identifier',
    message:
      'Requests cannot be found by identifier here: the operator has set no SECRET_KEY_FILE, from which the marks of identifiers are made.',
  });
}

function accountsOf(request: FastifyRequest): ReadonlySet<string> {
  return callerOf(request).scope.accounts;
}

/** Throws where the page is to start after a request that the key may not see, or that is forgotten. */
async function cursorFor(
  book: RequestBook,
  request_id: string | undefined,
  seenBy: ReadonlySet<string>,
): Promise<RefusedRequest | undefined> {
  if (request_id === undefined) return undefined;
  const [found] = await book.refused({ request_id, seenBy, limit: 1 });
  if (found === undefined) throw cursorUnknown('request_id of an entry');
  return found;
}

/** All but the extra entry that tells whether there are more. */
function sendList(
  reply: FastifyReply,
  url: string,
  found: readonly object[],
  limit: number,
): FastifyReply {
  const page = { object: 'list', url, has_more: found.length > limit, data: found.slice(0, limit) };
  return sendJson(reply, JSON.stringify(page));
}
