/** The cookie of a session. */
import type { FastifyReply } from 'fastify';
import type { Site } from './site.ts';

/** Browsers take the first only over HTTPS, so that nobody on the way can set it. */
const SECURE = '__Secure-ledgerstone_session';
const PLAIN = 'ledgerstone_session';

/** The token of a session, in the header `Cookie`. */
export function tokenIn(cookie: string | undefined): string | undefined {
  return valueIn(cookie, SECURE) ?? valueIn(cookie, PLAIN);
}

export function setToken(reply: FastifyReply, { secure }: Site, token: string): void {
  reply.header(
    'Set-Cookie',
    `${secure ? SECURE : PLAIN}=${token}; ${attributes(secure, 'Strict')}`,
  );
}

export function clearToken(reply: FastifyReply, { secure }: Site): void {
  reply.header(
    'Set-Cookie',
    `${secure ? SECURE : PLAIN}=; Max-Age=0; ${attributes(secure, 'Strict')}`,
  );
}

/** Without an age the browser forgets it when it is closed; the session itself ends by the clock here. */
function attributes(secure: boolean, sameSite: 'Strict' | 'Lax'): string {
  return `Path=/console; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}

function valueIn(cookie: string | undefined, name: string): string | undefined {
  for (const pair of cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
