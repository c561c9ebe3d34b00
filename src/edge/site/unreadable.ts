/** Addresses of pages that cannot be decoded: a browser is led to the page that says that nothing is there. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../core/errors.ts';
import { prefersPage } from '../request/accepts.ts';
import { pathOf } from '../request/request.ts';

/** Paths that need no key, and are a page wherever nothing else is. */
const PAGES = /^\/(?:console\/(?!api\/)|docs\/)/;

/**
 * Gives the address at which a page says that nothing is at the one that was asked for: the same with each `%` as a
 * letter of it. `undefined` where the caller wants no page, or was refused for more than having no key.
 */
export function pageInstead(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  refused: unknown,
): string | undefined {
  const isRefused = refused !== undefined && !isKeyless(refused);
  if (isRefused || method !== 'GET' || !PAGES.test(url) || !prefersPage(headers.accept))
    return undefined;
  return encodeURI(pathOf(url));
}

function isKeyless(refused: unknown): boolean {
  return refused instanceof ApiError && refused.code === 'api_key_missing';
}
