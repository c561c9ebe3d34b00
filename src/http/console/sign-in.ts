/** Signing in and out, and redeeming an invitation. */
import type { FastifyInstance } from 'fastify';
import { presentTime } from '../../schema/present.ts';
import { foundInvitation } from '../../staff/invitations.ts';
import { sendJson } from '../envelope.ts';
import { callerOf } from '../request.ts';
import { type ConsoleParts, newcomerOf, personOf, sendSession, sendSignedIn } from './caller.ts';
import { clearToken } from './cookie.ts';
import { readFields } from './fields.ts';

const OPEN = { config: { open: true } };

/** To be added below `/console/api`. */
export function addSignInRoutes(server: FastifyInstance, parts: ConsoleParts): void {
  const { desk, siteOf } = parts;

  server.get('/sign_in', OPEN, (_request, reply) =>
    sendJson(
      reply,
      JSON.stringify({
        object: 'sign_in_methods',
        password: true,
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

  server.post('/sign_out', async (request, reply) => {
    const { member, session } = personOf(request);
    await readFields(request, reply, {});
    await desk.book.endSession(member.unique_identifier, session.unique_identifier);
    clearToken(reply, siteOf(request));
    return sendJson(reply, JSON.stringify({ object: 'signed_out' }));
  });

  server.post('/invitations/look', OPEN, async (request, reply) => {
    const { token } = await readFields(request, reply, { token: 'text' });
    const member = await foundInvitation(desk.book, token);
    const { email, name, role, invitation_expires_at } = member;
    return sendJson(
      reply,
      JSON.stringify({
        object: 'invitation',
        email,
        name,
        role,
        password_allowed: role !== 'administrator',
        expires_at: presentTime(invitation_expires_at ?? 0),
      }),
    );
  });

  server.post('/invitations/redeem', OPEN, async (request, reply) => {
    siteOf(request);
    const {
      token,
      password,
      name = null,
    } = await readFields(request, reply, {
      token: 'text',
      password: 'text',
      name: 'text?',
    });
    const newcomer = newcomerOf(request, parts);
    const opened = await desk.signIn.redeemWithPassword(token, password, name, newcomer);
    return sendSignedIn(request, reply, parts, opened);
  });
}
