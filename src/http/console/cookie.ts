/** The cookie of a session. */
import type { FastifyReply } from 'fastify';
import type { Site } from './site.ts';

/** Browsers take the first only over HTTPS, so that nobody on the way can set it. */
const SECURE = '__Secure-ledgerstone_session';
const PLAIN = 'ledgerstone_session';
const SECURE_BINDER = '__Secure-ledgerstone_sign_in';
const PLAIN_BINDER = 'ledgerstone_sign_in';

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

/** What binds somebody's way to a provider and back to their browser: they come back from another site. */
export function setBinder(reply: FastifyReply, { secure }: Site, binder: string, ms: number): void {
  const name = secure ? SECURE_BINDER : PLAIN_BINDER;
  reply.header(
    'Set-Cookie',
    `${name}=${binder}; Max-Age=${ms / 1000}; ${attributes(secure, 'Lax')}`,
  );
}

export function binderIn(cookie: string | undefined): string | undefined {
  return valueIn(cookie, SECURE_BINDER) ?? valueIn(cookie, PLAIN_BINDER);
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
