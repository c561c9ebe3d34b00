/** A browser of a person, as far as the service can tell: it keeps the cookie, and sends what browsers send. */

import { invite } from '../../src/services/staff/invitations.ts';
import type { Role } from '../../src/store/promises/staff.ts';
import { type Authenticator, authenticatorAt } from './authenticator.ts';
import type { Answer, Body, Service } from './service.ts';

export const PASSWORD = 'pebble orchard lantern seven';

export interface ConsoleBrowser {
  readonly service: Service;
  /** The value of the cookie; `undefined` where there is none. */
  cookie: string | undefined;
  /** Sends a value as JSON, and a text or bytes as a file. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
}

export const OWN = { 'Sec-Fetch-Site': 'same-origin', 'Ledgerstone-Console': '1' };

/** Nobody is signed in yet; paths are those below `/console/api`. */
export function browserAt(service: Service): ConsoleBrowser {
  const browser: ConsoleBrowser = {
    service,
    cookie: undefined,
    async send(method, path, body, headers = OWN) {
      const isFile = typeof body === 'string' || body instanceof Uint8Array;
      const type = isFile ? 'application/octet-stream' : 'application/json';
      const answer = await service.send(method, `/console/api${path}`, {
        key: null,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': type }),
          ...(browser.cookie === undefined ? {} : { Cookie: browser.cookie }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      });
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined)
        browser.cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
      return answer;
    },
    get: (path) => browser.send('GET', path),
    post: (path, body = {}) => browser.send('POST', path, body),
  };
  return browser;
}

/** The token of a new invitation. */
export async function invitation(
  service: Service,
  email: string,
  {
    role = 'editor',
    anchors = null,
    region = null,
    accounts,
    allow = [],
  }: {
    role?: Role;
    anchors?: readonly string[] | null;
    region?: string | null;
    accounts?: readonly string[];
    allow?: readonly string[];
  } = {},
  now = Date.now(),
): Promise<string> {
  const of = accounts ?? [service.account.unique_identifier];
  const grant = { role, anchors, region, allow, accounts: of };
  const { link } = await invite(service.app.store.staff, { email, ...grant }, service.url, now);
  return tokenIn(link);
}

/** The token of an invitation in its link. */
export const tokenIn = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** Somebody who is signed in with a password, and the session as it was told. */
export async function signedIn(
  service: Service,
  email = 'editor@example.com',
  grant: Parameters<typeof invitation>[2] = {},
  now = Date.now(),
): Promise<ConsoleBrowser & { session: Body }> {
  const browser = browserAt(service);
  const token = await invitation(service, email, grant, now);
  const { status, body } = await browser.post('/invitations/redeem', { token, password: PASSWORD });
  if (status !== 200) throw new Error(`The invitation was answered ${status}.`);
  return Object.assign(browser, { session: body });
}

/** Redeems an invitation with a passkey. */
export async function redeemWithPasskey(
  browser: ConsoleBrowser,
  token: string,
  authenticator: Authenticator,
): Promise<Answer> {
  const { ceremony, options } = (await browser.post('/invitations/passkey', { token })).body;
  const credential = authenticator.register(options);
  return browser.post('/invitations/redeem', { token, ceremony, credential });
}

/** Answers what the service asks of a passkey, to sign in or to confirm. */
export async function usePasskey(
  browser: ConsoleBrowser,
  authenticator: Authenticator,
  way = '/sign_in/passkey',
): Promise<Answer> {
  const { ceremony, options } = (await browser.post(`${way}/begin`)).body;
  return browser.post(way, { ceremony, credential: authenticator.answer(options) });
}

/** An administrator who is signed in. */
export async function administrator(
  service: Service,
  email = 'admin@example.com',
  accounts?: readonly string[],
  allow: readonly string[] = [],
): Promise<ConsoleBrowser & { session: Body; authenticator: Authenticator }> {
  const browser = browserAt(service);
  const authenticator = authenticatorAt(service.url);
  const of = accounts === undefined ? {} : { accounts };
  const grant = { role: 'administrator' as const, allow, ...of };
  const token = await invitation(service, email, grant);
  const { status, text, body } = await redeemWithPasskey(browser, token, authenticator);
  if (status !== 200) throw new Error(`The invitation was answered ${text}.`);
  return Object.assign(browser, { session: body, authenticator });
}
