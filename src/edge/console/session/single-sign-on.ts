/** The redirects to the provider of single sign-on, and back. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { foundInvitation } from '../../../services/staff/invitations.ts';
import { AWAY_MS } from '../../../services/staff/single-sign-on.ts';
import { queryOf } from '../../request/request.ts';
import { prepare, sendJson } from '../../response/envelope.ts';
import { readFields } from '../fields.ts';
import { type ConsoleParts, newcomerOf } from './caller.ts';
import { cookieIn, setBinder, setToken } from './cookie.ts';
import { OPEN } from './sign-in.ts';

/** Where providers send people back to. */
const CALLBACK = '/console/single_sign_on/callback';

/** A page of the console, and no other address. */
const PAGE = /^\/console\/(?!api\/|\/)[\w\-./?=&%:,~+]*$/;

/** To be added below `/console/api`. */
export function addSingleSignOnRoutes(server: FastifyInstance, parts: ConsoleParts): void {
  const { desk, siteOf } = parts;
  server.post('/single_sign_on/begin', OPEN, async (request, reply) => {
    const site = siteOf(request);
    const sent = await readFields(request, reply, { token: 'text?', again: 'flag?', to: 'text?' });
    const { token: invitation, again, to } = sent;
    if (to !== undefined && !PAGE.test(to))
      throw new ApiError('value_invalid', {
        param: 'to',
        message: 'to must be the path of a page of the console, such as /console/events.',
      });
    if (desk.singleSignOn === undefined)
      throw new ApiError('path_unknown', { message: 'This service has no single sign-on.' });
    const newcomer = newcomerOf(request, parts);
    desk.paceOfCeremonies.count(newcomer);
    if (invitation !== undefined) await foundInvitation(desk.book, invitation);
    const { url, binder } = await desk.singleSignOn.begin(site.origin + CALLBACK, {
      invitation,
      again,
      staff: again === true ? await signedInAs(newcomer.token, desk) : undefined,
      to,
    });
    setBinder(reply, site, binder, AWAY_MS);
    return sendJson(reply, JSON.stringify({ object: 'single_sign_on', url }));
  });
}

/** The person who is signed in, if the session is still open. */
async function signedInAs(
  token: string | undefined,
  { sessions }: ConsoleParts['desk'],
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
  const { desk, siteOf } = parts;
  server.get(CALLBACK, OPEN, async (request, reply) => {
    const { singleSignOn } = desk;
    if (singleSignOn === undefined) throw new ApiError('path_unknown');
    const site = siteOf(request);
    let where = '/console/';
    try {
      const address = new URL(`${CALLBACK}?${queryOf(request)}`, site.origin);
      const binder = cookieIn(request.headers.cookie, 'binder', site);
      const returned = await singleSignOn.finish(address, binder);
      const token = await desk.signIn.withIdentity(returned, newcomerOf(request, parts));
      setToken(reply, site, token);
      where = returned.to ?? where;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      where = `/console/#/sign_in?error=${cause.code}`;
      request.done = { code: cause.code };
    }
    return prepare(reply).header('Referrer-Policy', 'no-referrer').redirect(where, 303);
  });
}
