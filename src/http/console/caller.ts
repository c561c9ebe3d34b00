/** What the endpoints of the console take from a request, and how they answer with a session. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors.ts';
import type { ClientAddressOf } from '../../network/client-address.ts';
import type { Desk } from '../../staff/desk.ts';
import type { PasskeyRequest } from '../../staff/passkeys.ts';
import type { Newcomer } from '../../staff/sign-in.ts';
import type { BackupBook } from '../../store/backup-book.ts';
import { sendJson } from '../envelope.ts';
import { networkOf } from '../limits/address.ts';
import { setToken, tokenIn } from './cookie.ts';
import type { SiteOf } from './site.ts';
import { presentSession } from './views.ts';

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

export function newcomerOf({ raw }: FastifyRequest, { clientAddressOf }: ConsoleParts): Newcomer {
  const address = clientAddressOf(raw);
  const { 'user-agent': browser, cookie } = raw.headers;
  return { network: networkOf(address), address, browser, token: tokenIn(cookie) };
}

/** Answers with what is to be asked of the browser. */
export function sendAsked(
  reply: FastifyReply,
  { ceremony, options }: PasskeyRequest,
): FastifyReply {
  return sendJson(reply, JSON.stringify({ object: 'ceremony', ceremony, options }));
}

/** Answers with the session that a token opens, and has the browser keep it. */
export async function sendSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ConsoleParts,
  token: string,
): Promise<FastifyReply> {
  setToken(reply, parts.siteOf(request), token);
  return sendSession(reply, parts, await parts.desk.sessions.authenticate(token, false));
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
