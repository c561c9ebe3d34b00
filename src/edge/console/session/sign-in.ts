/** Signing in and out, and proving once more that it is the same person. */
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../request/request.ts';
import { sendJson } from '../../response/envelope.ts';
import { readFields } from '../fields.ts';
import {
  type ConsoleParts,
  newcomerOf,
  personOf,
  sendAsked,
  sendSession,
  sendSignedIn,
} from './caller.ts';
import { clearToken } from './cookie.ts';

/** Answered without a session. */
export const OPEN = { config: { open: true } };

/** To be added below `/console/api`. */
export function addSignInRoutes(server: FastifyInstance, parts: ConsoleParts): void {
  const { desk, siteOf } = parts;

  server.get('/sign_in', OPEN, (_request, reply) =>
    sendJson(
      reply,
      JSON.stringify({
        object: 'sign_in_methods',
        passkey: true,
        password: true,
        single_sign_on: desk.singleSignOn === undefined ? null : { name: desk.singleSignOn.name },
      }),
    ),
  );

  server.get('/session', (request, reply) => {
    personOf(request);
    return sendSession(reply, parts, callerOf(request));
  });

  server.post('/sign_in', OPEN, async (request, reply) => {
    siteOf(request);
    const { email, password } = await readFields(request, reply, {
      email: 'text',
      password: 'text',
    });
    const token = await desk.signIn.withPassword(email, password, newcomerOf(request, parts));
    return sendSignedIn(request, reply, parts, token);
  });

  server.post('/sign_in/passkey/begin', OPEN, async (request, reply) => {
    const site = siteOf(request);
    await readFields(request, reply, {});
    desk.paceOfCeremonies.count(newcomerOf(request, parts));
    return sendAsked(reply, await desk.passkeys.beginSignIn(site));
  });

  server.post('/sign_in/passkey', OPEN, async (request, reply) => {
    const site = siteOf(request);
    const answer = await readFields(request, reply, { ceremony: 'text', credential: 'object' });
    const token = await desk.signIn.withPasskey({ ...answer, site }, newcomerOf(request, parts));
    return sendSignedIn(request, reply, parts, token);
  });

  server.post('/reauthenticate', async (request, reply) => {
    const { member } = personOf(request);
    const { password } = await readFields(request, reply, { password: 'text' });
    const newcomer = newcomerOf(request, parts);
    const token = await desk.signIn.withPassword(member.email, password, newcomer);
    return sendSignedIn(request, reply, parts, token);
  });

  server.post('/reauthenticate/passkey/begin', async (request, reply) => {
    personOf(request);
    await readFields(request, reply, {});
    return sendAsked(reply, await desk.passkeys.beginSignIn(siteOf(request)));
  });

  server.post('/reauthenticate/passkey', async (request, reply) => {
    const { member } = personOf(request);
    const site = siteOf(request);
    const answer = await readFields(request, reply, { ceremony: 'text', credential: 'object' });
    const newcomer = newcomerOf(request, parts);
    const token = await desk.signIn.withPasskey({ ...answer, site }, newcomer, member);
    return sendSignedIn(request, reply, parts, token);
  });

  server.post('/sign_out', async (request, reply) => {
    const { member, session } = personOf(request);
    await readFields(request, reply, {});
    await desk.book.endSession(member.unique_identifier, session.unique_identifier);
    clearToken(reply, siteOf(request));
    return sendJson(reply, JSON.stringify({ object: 'signed_out' }));
  });
}
