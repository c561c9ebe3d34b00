/** The two health endpoints: without a key, without data. */
import type { ErrorCode } from '../../../src/core/errors.ts';
import { errorResponses } from '../errors.ts';
import { everyAnswer, retryAfter } from '../headers.ts';
import { jsonOf, textOf } from '../schemas/parts.ts';

const answer = (
  status: string,
  description: string,
  headers: object = everyAnswer,
  others: readonly string[] = [],
): object => ({
  description,
  headers,
  content: jsonOf(
    {
      type: 'object',
      properties: {
        status: {
          ...textOf(
            description,
            others.length === 0 ? { const: status } : { enum: [status, ...others] },
          ),
          examples: [status],
        },
      },
      required: ['status'],
    },
    { status },
  ),
});

/** Refusals before the path is read. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(['request_malformed', 'headers_too_large']);

export const healthPaths: Record<string, object> = {
  '/healthz': {
    get: {
      operationId: 'get_health',
      tags: ['Health'],
      summary: 'Check that the process runs',
      description: 'For process supervisors: while this is answered, the process is running.',
      security: [],
      responses: { 200: answer('ok', 'The process runs.'), ...errorResponses(UNREADABLE) },
    },
  },
  '/readyz': {
    get: {
      operationId: 'get_readiness',
      tags: ['Health'],
      summary: 'Check that records are accepted',
      description: 'For load balancers: send requests here while the answer is 200.',
      security: [],
      responses: {
        200: answer('ready', 'Records are taken.'),
        503: answer(
          'unavailable',
          'Nothing can be written now, or the process is stopping; `set_back`: the store is of an earlier time, and what was erased since is erased again first.',
          { ...everyAnswer, ...retryAfter },
          ['set_back'],
        ),
        ...errorResponses(UNREADABLE),
      },
    },
  },
};
