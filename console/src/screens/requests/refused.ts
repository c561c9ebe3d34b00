/** Entries of the log of requests. */
import type { RefusedRequest } from '../../../../client/src/generated/objects.d.ts';
import { ask, type PageOf } from '../../service/api.ts';

export function refusedRequests(
  query: object,
  signal: AbortSignal,
): Promise<PageOf<RefusedRequest>> {
  return ask<PageOf<RefusedRequest>>('GET', '/v1/requests', undefined, { signal, query });
}
