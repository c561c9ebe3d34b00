/** The redirects to the provider of single sign-on, and back. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { boolean, optional, text } from '../../../core/schema/fields/index.ts';
import { foundInvitation } from '../../../services/staff/invitations.ts';
import type { StaffService } from '../../../services/staff/service.ts';
import { AWAY_MS } from '../../../services/staff/single-sign-on.ts';
import { queryOf } from '../../request/request.ts';
import { prepare } from '../../response/envelope.ts';
import { type ConsoleParts, consoleOperation, Visit } from './visit.ts';

/** Where providers send people back to. */
const CALLBACK = '/console/single_sign_on/callback';

/** A page of the console, and no other address. */
const PAGE = /^\/console\/(?!api\/|\/)[\w\-./?=&%:,~+]*$/;

export const beginSingleSignOn = consoleOperation({
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
});

/** The person who is signed in, if the session is still open. */
async function signedInAs(
  token: string | undefined,
  { sessions }: StaffService,
): Promise<string | undefined> {
  try {
    const { person } = await sessions.authenticate(token, true);
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
    const visit = new Visit(parts, request, reply);
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
