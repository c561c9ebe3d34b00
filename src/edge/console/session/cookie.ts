/** The cookies of the console: of a session, of a sign-in at a provider, and of a known browser. */
import type { FastifyReply } from 'fastify';
import type { Site } from '../site.ts';

const COOKIES = {
  session: { name: 'ledgerstone_session', sameSite: 'Strict' },
  /** Binds a sign-in at a provider to the browser that began it, which comes back from another site. */
  binder: { name: 'ledgerstone_sign_in', sameSite: 'Lax' },
  /** With it a browser remembers sign-ins. */
  browser: { name: 'ledgerstone_browser', sameSite: 'Strict' },
} as const;
export type CookieName = keyof typeof COOKIES;
type Secured = Pick<Site, 'secure'>;

/** Browsers take such a name only over HTTPS, from this host, for all of its paths: no other site and no intermediary can set it. */
const SECURE = '__Host-';
export const YEAR_S = 365 * 24 * 60 * 60;

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
export function setCookie(
  reply: FastifyReply,
  site: Site,
  which: CookieName,
  value: string,
  seconds?: number,
): void {
  const where = site.secure ? 'Path=/; Secure' : 'Path=/console';
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  const { sameSite } = COOKIES[which];
  reply.header(
    'Set-Cookie',
    `${nameOf(which, site)}=${value}; ${where}; HttpOnly; SameSite=${sameSite}${age}`,
  );
}

function nameOf(which: CookieName, { secure }: Secured): string {
  return `${secure ? SECURE : ''}${COOKIES[which].name}`;
}
