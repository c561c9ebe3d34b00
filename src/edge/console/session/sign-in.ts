/** Signing in and out, invitations, and proving once more that it is the same person. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import { staffInvitation } from '../../../core/objects/staff-member.ts';
import { boolean, optional, required, text } from '../../../core/schema/fields/index.ts';
import { foundInvitation } from '../../../services/staff/invitations.ts';
import type { StaffService } from '../../../services/staff/service.ts';
import { AWAY_MS } from '../../../services/staff/single-sign-on.ts';
import { queryOf } from '../../request/request.ts';
import { prepare } from '../../response/envelope.ts';
import { invitation, named, passkeyAnswer, passkeyOrNone, password } from '../members.ts';
import {
  type ConsoleOperation,
  type ConsoleParts,
  consoleOperation,
  createVisit,
  presentCeremony,
} from './visit.ts';

/** Where providers send people back to. */
const CALLBACK = '/console/single_sign_on/callback';

/** A page of the console, and no other address. */
const PAGE = /^\/console\/(?!api\/|\/)[\w\-./?=&%:,~+]*$/;

function byPasskey(what: 'sign_in' | 'reauthenticate'): readonly ConsoleOperation[] {
  const again = what === 'reauthenticate';
  const open = again ? {} : ({ open: true } as const);
  return [
    consoleOperation({
      ...open,
      route: `POST /${what}/passkey/begin`,
      run: async ({ service, newcomer, site }) => {
        if (!again) service.paceOfCeremonies.count(newcomer);
        return presentCeremony(await service.passkeys.beginSignIn(site));
      },
    }),
    consoleOperation({
      ...open,
      route: `POST /${what}/passkey`,
      body: passkeyAnswer,
      run: async (visit, { params }) => {
        const { service, newcomer, site } = visit;
        const member = again ? visit.member : undefined;
        const answer = { ...params(), site };
        return visit.signedIn(await service.signIn.withPasskey(answer, newcomer, member));
      },
    }),
  ];
}

export const signInOperations: readonly ConsoleOperation[] = [
  consoleOperation({
    route: 'GET /sign_in',
    open: true,
    run: ({ service: { singleSignOn } }) => ({
      object: 'sign_in_methods',
      passkey: true,
      password: true,
      single_sign_on: singleSignOn === undefined ? null : { name: singleSignOn.name },
    }),
  }),
  consoleOperation({ route: 'GET /session', run: (visit, { caller }) => visit.session(caller) }),
  consoleOperation({
    route: 'POST /sign_in',
    open: true,
    body: { email: required(text(), 'The address that you sign in with'), ...password },
    run: async (visit, { params }) => {
      const { newcomer } = visit;
      const { email, password } = params();
      return visit.signedIn(await visit.service.signIn.withPassword(email, password, newcomer));
    },
  }),
  ...byPasskey('sign_in'),
  consoleOperation({
    route: 'POST /reauthenticate',
    body: password,
    run: async (visit, { params }) => {
      const { member, newcomer } = visit;
      const { signIn } = visit.service;
      const { password } = params();
      return visit.signedIn(await signIn.withPassword(member.email, password, newcomer, member));
    },
  }),
  ...byPasskey('reauthenticate'),
  consoleOperation({
    route: 'POST /sign_out',
    run: async (visit) => {
      const { member, session } = visit.person;
      await visit.service.book.endSession(member.unique_identifier, session.unique_identifier);
      visit.setCookie('session', '', 0);
      return { object: 'signed_out' };
    },
  }),
  consoleOperation({
    route: 'POST /invitations/look',
    open: true,
    body: invitation,
    run: async ({ service }, { params }) => {
      const member = await foundInvitation(service.book, params().token);
      const by =
        member.invited_by === null ? undefined : await service.book.find(member.invited_by);
      const accounts = await service.accountsAmong(new Set(member.accounts));
      const shown = {
        ...member,
        accounts: accounts.map(({ name }) => name),
        invited_by: by?.name ?? by?.email ?? null,
      };
      return present(staffInvitation, shown, 'console', 0);
    },
  }),
  consoleOperation({
    route: 'POST /invitations/passkey',
    open: true,
    body: invitation,
    run: async ({ service, site }, { params }) => {
      const member = await foundInvitation(service.book, params().token);
      return presentCeremony(await service.passkeys.beginRegistration(member, site));
    },
  }),
  consoleOperation({
    route: 'POST /invitations/redeem',
    open: true,
    body: {
      ...invitation,
      ...named,
      ...passkeyOrNone,
      password: optional(text(), 'The password from now on'),
    },
    run: async (visit, { params }) => {
      const { token, password, ceremony, credential, name = null } = params();
      const { service, newcomer, site } = visit;
      const isPassword = typeof password === 'string';
      if (isPassword && !ceremony && !credential)
        return visit.signedIn(
          await service.signIn.redeemWithPassword(token, password, name, newcomer),
        );
      if (isPassword || !ceremony || !credential)
        throw new ApiError('parameters_conflict', {
          message: 'Send a password, or the ceremony and the credential of a passkey.',
        });
      const answer = { ceremony, credential, site };
      return visit.signedIn(await service.signIn.redeemWithPasskey(token, answer, name, newcomer));
    },
  }),
  consoleOperation({
    route: 'POST /single_sign_on/begin',
    open: true,
    body: {
      token: optional(text(), 'That of the link of an invitation'),
      again: optional(boolean(), 'Whether to prove that it is the same person'),
      to: optional(text(), 'The page to come back to'),
    },
    run: async (visit, { params }) => {
      const { token, again, to } = params();
      if (to && !PAGE.test(to))
        throw new ApiError('value_invalid', {
          param: 'to',
          message: 'to must be the path of a page of the console, such as /console/events.',
        });
      const { service, site, newcomer } = visit;
      if (service.singleSignOn === undefined)
        throw new ApiError('path_unknown', { message: 'This service has no single sign-on.' });
      service.paceOfCeremonies.count(newcomer);
      const invitation = token ?? undefined;
      if (invitation !== undefined) await foundInvitation(service.book, invitation);
      const { url, binder } = await service.singleSignOn.begin(site.origin + CALLBACK, {
        invitation,
        again: again === true,
        staff: again === true ? await signedInAs(newcomer.token, service) : undefined,
        to: to ?? undefined,
      });
      visit.setCookie('binder', binder, AWAY_MS / 1000);
      return { object: 'single_sign_on', url };
    },
  }),
];

/** The person who is signed in, if the session is still open. */
async function signedInAs(token: string | undefined, { authenticate }: StaffService) {
  try {
    const { person } = await authenticate(token, true);
    return person?.member.unique_identifier;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'sign_in_needed') return undefined;
    throw error;
  }
}

/** People come back from another site: what they bring is proof enough, and bound to their browser. */
export function addCallbackRoute(server: FastifyInstance, parts: ConsoleParts): void {
  const { service } = parts;
  server.get(CALLBACK, { config: { open: true } }, async (request, reply) => {
    const { singleSignOn } = service;
    if (singleSignOn === undefined) throw new ApiError('path_unknown');
    const visit = createVisit(parts, request, reply);
    const { site } = visit;
    let where = '/console/';
    try {
      const address = new URL(`${CALLBACK}?${queryOf(request)}`, site.origin);
      const returned = await singleSignOn.finish(address, visit.cookie('binder'));
      visit.setCookie('session', await service.signIn.withIdentity(returned, visit.newcomer));
      where = returned.to ?? where;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      where = `/console/#/sign_in?error=${cause.code}`;
      request.done = { code: cause.code };
    }
    return prepare(reply).header('Referrer-Policy', 'no-referrer').redirect(where, 303);
  });
}
