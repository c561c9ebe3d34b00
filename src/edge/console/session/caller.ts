/** How the endpoints of the console read a request's session, and answer with a new one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import type { ClientAddressOf } from '../../../core/network/client-address.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import type { Desk } from '../../../services/staff/desk.ts';
import { rememberBrowser } from '../../../services/staff/known-browsers.ts';
import type { PasskeyRequest } from '../../../services/staff/passkeys.ts';
import type { Newcomer } from '../../../services/staff/sign-in.ts';
import type { BackupBook } from '../../../store/promises/backup-book.ts';
import { networksOf } from '../../limits/address.ts';
import { sendJson } from '../../response/envelope.ts';
import type { SiteOf } from '../site.ts';
import { presentSession } from '../views.ts';
import { cookieIn, setKept, setToken } from './cookie.ts';

export interface ConsoleParts {
  readonly desk: Desk;
  readonly siteOf: SiteOf;
  readonly clientAddressOf: ClientAddressOf;
  /** The address that links lead to. */
  readonly publicUrl: () => string;
  readonly backups: Pick<BackupBook, 'last'>;
}

/** Throws `sign_in_needed`. */
export function personOf({ principal }: FastifyRequest): NonNullable<Principal['person']> {
  if (principal?.person === undefined) throw new ApiError('sign_in_needed');
  return principal.person;
}

export function newcomerOf(
  request: FastifyRequest,
  { clientAddressOf, siteOf }: ConsoleParts,
): Newcomer {
  const site = siteOf(request);
  const { raw } = request;
  const address = clientAddressOf(raw);
  const { 'user-agent': browser, cookie } = raw.headers;
  return {
    ...networksOf(address),
    address,
    browser,
    token: cookieIn(cookie, 'session', site),
    kept: cookieIn(cookie, 'browser', site),
  };
}

/** Answers with the options for the browser. */
export function sendAsked(
  reply: FastifyReply,
  { ceremony, options }: PasskeyRequest,
): FastifyReply {
  return sendJson(reply, JSON.stringify({ object: 'ceremony', ceremony, options }));
}

/** Answers with the session that a token opens, and has the browser store it. */
export async function sendSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ConsoleParts,
  token: string,
): Promise<FastifyReply> {
  const site = parts.siteOf(request);
  const principal = await parts.desk.sessions.authenticate(token, false);
  const kept = cookieIn(request.headers.cookie, 'browser', site);
  const keeps = principal.person && rememberBrowser(kept, principal.person.member);
  setToken(reply, site, token);
  if (keeps !== undefined) setKept(reply, site, keeps);
  return sendSession(reply, parts, principal);
}

export async function sendSession(
  reply: FastifyReply,
  { desk }: ConsoleParts,
  principal: Principal,
): Promise<FastifyReply> {
  const { person, scope } = principal;
  if (person === undefined) throw new ApiError('sign_in_needed');
  const accounts = await desk.accountsAmong(scope.accounts);
  return sendJson(reply, JSON.stringify(presentSession(principal, person, accounts, desk.now())));
}
