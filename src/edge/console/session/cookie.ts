/** The cookies of the console: of a session, of a sign-in at a provider, and of a known browser. */
import type { FastifyReply } from 'fastify';
import type { Site } from '../site.ts';

const NAMES = {
  session: 'ledgerstone_session',
  binder: 'ledgerstone_sign_in',
  browser: 'ledgerstone_browser',
};
type CookieName = keyof typeof NAMES;
type Secured = Pick<Site, 'secure'>;

/** Browsers take such a name only over HTTPS, from this host, for all of its paths: no other site and no intermediary can set it. */
const SECURE = '__Host-';
const YEAR_S = 365 * 24 * 60 * 60;

/** The value from the `Cookie` header; over HTTPS only one that was set over HTTPS. */
export function cookieIn(
  cookie: string | undefined,
  which: CookieName,
  site: Secured,
): string | undefined {
  const name = nameOf(which, site);
  for (const pair of cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Without an age the browser forgets it when it is closed; the session itself ends by the clock here. */
export function setToken(reply: FastifyReply, site: Site, token: string): void {
  set(reply, site, 'session', token, '; SameSite=Strict');
}

export function clearToken(reply: FastifyReply, site: Site): void {
  set(reply, site, 'session', '', '; SameSite=Strict; Max-Age=0');
}

/** Binds a sign-in at a provider to the browser that began it: the browser comes back from another site. */
export function setBinder(reply: FastifyReply, site: Site, binder: string, ms: number): void {
  set(reply, site, 'binder', binder, `; SameSite=Lax; Max-Age=${ms / 1000}`);
}

/** Sets the cookie with which a browser remembers sign-ins. */
export function setKept(reply: FastifyReply, site: Site, kept: string): void {
  set(reply, site, 'browser', kept, `; SameSite=Strict; Max-Age=${YEAR_S}`);
}

function set(
  reply: FastifyReply,
  site: Site,
  which: CookieName,
  value: string,
  attributes: string,
): void {
  const where = site.secure ? 'Path=/; Secure' : 'Path=/console';
  reply.header('Set-Cookie', `${nameOf(which, site)}=${value}; ${where}; HttpOnly${attributes}`);
}

function nameOf(which: CookieName, { secure }: Secured): string {
  return `${secure ? SECURE : ''}${NAMES[which]}`;
}
