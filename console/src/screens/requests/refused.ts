/** Entries of the log of requests. */
import type { RefusedRequest } from '../../../../client/src/generated/operations.ts';
import { ask, type PageOf } from '../../api.ts';

export type Refused = RefusedRequest;

export function refusedRequests(query: object, signal: AbortSignal): Promise<PageOf<Refused>> {
  return ask<PageOf<Refused>>('GET', '/v1/requests', undefined, { signal, query });
}
