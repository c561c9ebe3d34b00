/** Entries of the log of requests. */
import { ask, type PageOf } from '../../api.ts';

export interface Refused {
  readonly request_id: string;
  readonly time: string;
  readonly key?: string;
  readonly authentication?: string;
  readonly address?: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors: readonly {
    readonly code: string;
    readonly param?: string;
    readonly message: string;
    readonly nearest?: string;
    readonly count: number;
    readonly lines?: readonly number[];
    readonly elements?: readonly number[];
  }[];
  readonly rows?: Readonly<Record<string, number>>;
}

export function refusedRequests(query: object, signal: AbortSignal): Promise<PageOf<Refused>> {
  return ask<PageOf<Refused>>('GET', '/v1/requests', undefined, { signal, query });
}
