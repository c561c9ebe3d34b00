/** Search over all resources. */
import type { FastifyInstance } from 'fastify';
import type { SearchRecords } from '../../query/search.ts';
import { tellParam } from '../../requests/names.ts';
import type { Resource } from '../../schema/define.ts';
import { parseSearch, searchParams } from '../../schema/parse-search.ts';
import { unknownFieldsOf } from '../body.ts';
import { sendJson } from '../envelope.ts';
import { callerOf, queryOf } from '../request.ts';

export function addSearchRoute(
  server: FastifyInstance,
  resources: readonly Resource[],
  search: SearchRecords,
): void {
  const params = searchParams(resources);
  const config = { tell: tellParam([params]) };
  server.get('/v1/search', { config }, async (request, reply) => {
    const isGone = (): boolean => reply.raw.destroyed;
    const asked = request.timing.measure('parse', () =>
      parseSearch(params, queryOf(request), unknownFieldsOf(request)),
    );
    return sendJson(reply, await search(callerOf(request), asked, request.timing, isGone));
  });
}
