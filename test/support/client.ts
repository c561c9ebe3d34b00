/** The project's own client, pointed at a service of a test. */
import assert from 'node:assert/strict';
import { Ledgerstone, LedgerstoneError } from '../../client/src/index.ts';
import type { Settings } from '../../client/src/settings.ts';
import type { Service } from './service.ts';

/** One try of a request, as it left the client. */
export interface Tried {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** A client of the service's key, and every try that it makes. `port` leads there another way. */
export function clientOf(
  service: Pick<Service, 'url' | 'key'>,
  settings: Partial<Settings> & { port?: number; tried?(count: number): void } = {},
): { api: Ledgerstone; tries: Tried[] } {
  const { port, tried, ...rest } = settings;
  const url = new URL(service.url);
  if (port !== undefined) url.port = String(port);
  const tries: Tried[] = [];
  const watched: typeof fetch = (input, init) => {
    tries.push({
      method: init?.method ?? 'GET',
      url: new URL(String(input)),
      headers: new Headers(init?.headers),
      body: String(init?.body ?? ''),
    });
    tried?.(tries.length);
    return fetch(input, init);
  };
  return {
    api: new Ledgerstone({ key: service.key, url: url.href, fetch: watched, ...rest }),
    tries,
  };
}

/** The error with which a request of the client ends. */
export async function errorOf(work: Promise<unknown>): Promise<LedgerstoneError> {
  const error = await work.then(
    () => assert.fail('It was not refused.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LedgerstoneError, String(error));
  return error;
}

/** All that a walk gives. */
export async function all<T>(walk: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of walk) found.push(one);
  return found;
}
