/** Signing in and out, invitations, and proving once more that it is the same person. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import { staffInvitation } from '../../../core/objects/staff-member.ts';
import { boolean, optional, required, text } from '../../../core/schema/fields/index.ts';
import { foundInvitation, invitationToken } from '../../../services/staff/invitations.ts';
import { CALLBACK } from '../../../services/staff/single-sign-on.ts';
import { queryOf } from '../../request/request.ts';
import { prepare } from '../../response/envelope.ts';
import { invitation, named, passkeyAnswer, passkeyOrNone, password } from '../members.ts';
import {
  type ConsoleOperation,
  type ConsoleParts,
  consoleOperation,
  createVisit,
  presentCeremony,
  type Visit,
} from './visit.ts';

const ENDED: ReadonlySet<string> = new Set(['sign_in_needed', 'signed_in_as_another']);

/** A page of the console, and no other address. */
const PAGE = /^\/console\/(?!api\/|\/)[\w\-./?=&%:,~+]*$/;

function byPasskey(what: 'sign_in' | 'reauthenticate'): readonly ConsoleOperation[] {
  const again = what === 'reauthenticate';
  const open = again ? {} : ({ open: true } as const);
  return [
    consoleOperation({
      ...open,
      route: `POST /${what}/passkey/begin`,
      run: async ({ service, site }) => presentCeremony(await service.passkeys.beginSignIn(site)),
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
      visit.leave(session);
      return { object: 'signed_out' };
    },
  }),
  consoleOperation({
    route: 'POST /invitations/look',
    open: true,
    body: invitation,
    run: async ({ service }, { params }) => {
      const member = await foundInvitation(service.book, invitationToken(params().token));
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
      const member = await foundInvitation(service.book, invitationToken(params().token));
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
      const { token: copied, password, ceremony, credential, name = null } = params();
      const token = invitationToken(copied);
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
      name: optional(text({ max: 200 }), 'What whoever takes it up is called'),
      again: optional(boolean(), 'Whether to prove that it is the same person'),
      to: optional(text({ max: 1_000 }), 'The page to come back to'),
    },
    run: async (visit, { params }) => {
      const { token, name, again, to } = params();
      if (to && !PAGE.test(to))
        throw new ApiError('value_invalid', {
          param: 'to',
          message: 'to must be the path of a page of the console, such as /console/events.',
        });
      const { service, site, newcomer } = visit;
      if (service.singleSignOn === undefined)
        throw new ApiError('path_unknown', { message: 'This service has no single sign-on.' });
      const invitation = token ? invitationToken(token) : undefined;
      if (invitation !== undefined) await foundInvitation(service.book, invitation);
      const {
        url,
        name: called,
        kept,
      } = await service.singleSignOn.begin(
        site.origin + CALLBACK,
        {
          invitation,
          name,
          again: again === true,
          staff: again === true ? await signedInAs(newcomer.token, visit) : undefined,
          to: to ?? undefined,
          session: newcomer.token,
          asks: visit.cookie('out') !== undefined,
        },
        newcomer.address,
      );
      visit.keepErrand(called, kept);
      return { object: 'single_sign_on', url };
    },
  }),
];

/** The person who is signed in, if the session is still open, and is that of the page's person. */
async function signedInAs(token: string | undefined, { service, page }: Visit) {
  try {
    const { person } = await service.authenticate(token, { active: true, page });
    return person?.member.unique_identifier;
  } catch (error) {
    const ended = error instanceof ApiError && ENDED.has(error.code);
    if (ended) return undefined;
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
    const { newcomer, site } = visit;
    const { ceremonies, signIn } = service;
    const address = new URL(`${CALLBACK}?${queryOf(request)}`, site.origin);
    const called = singleSignOn.nameAt(address);
    let where = '/console/';
    try {
      const asked = await singleSignOn.asked(address, visit.errand(called));
      where = asked.to ?? where;
      const browser = visit.cookie('known');
      const knownAs = (await ceremonies.isKnown(browser)) ? browser : undefined;
      const token = await signIn.bySingleSignOn(newcomer, knownAs, async () =>
        signIn.withIdentity(await singleSignOn.finish(address, asked, newcomer.address), newcomer),
      );
      await visit.enter(token);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      where = `${where}#/sign_in?error=${cause.code}`;
      request.done = { code: cause.code };
    }
    if (visit.errand(called) !== undefined) visit.keepErrand(called, '');
    return prepare(reply).header('Referrer-Policy', 'no-referrer').redirect(where, 303);
  });
}
