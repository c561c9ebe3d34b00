/** Invitations: looked at, and redeemed with a password or a passkey. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { foundInvitation } from '../../services/staff/invitations.ts';
import { sendJson } from '../response/envelope.ts';
import { readFields } from './fields.ts';
import { type ConsoleParts, newcomerOf, sendAsked, sendSignedIn } from './session/caller.ts';
import { OPEN } from './session/sign-in.ts';
import { timeOrNull } from './views.ts';

/** To be added below `/console/api`. */
export function addInvitationRoutes(server: FastifyInstance, parts: ConsoleParts): void {
  const { desk, siteOf } = parts;

  server.post('/invitations/look', OPEN, async (request, reply) => {
    const { token } = await readFields(request, reply, { token: 'text' });
    const member = await foundInvitation(desk.book, token);
    const { email, name, role, invitation_expires_at } = member;
    const by = member.invited_by === null ? undefined : await desk.book.find(member.invited_by);
    const accounts = await desk.accountsAmong(new Set(member.accounts));
    return sendJson(
      reply,
      JSON.stringify({
        object: 'invitation',
        email,
        name,
        role,
        accounts: accounts.map((account) => account.name),
        invited_by: by?.name ?? by?.email ?? null,
        password_allowed: role !== 'administrator',
        expires_at: timeOrNull(invitation_expires_at),
      }),
    );
  });

  server.post('/invitations/passkey', OPEN, async (request, reply) => {
    const site = siteOf(request);
    const { token } = await readFields(request, reply, { token: 'text' });
    const member = await foundInvitation(desk.book, token);
    return sendAsked(reply, await desk.passkeys.beginRegistration(member, site));
  });

  server.post('/invitations/redeem', OPEN, async (request, reply) => {
    const site = siteOf(request);
    const sent = await readFields(request, reply, {
      token: 'text',
      password: 'text?',
      ceremony: 'text?',
      credential: 'object?',
      name: 'text?',
    });
    const { token, password, ceremony, credential, name = null } = sent;
    const newcomer = newcomerOf(request, parts);
    if (password !== undefined && credential === undefined && ceremony === undefined) {
      const opened = await desk.signIn.redeemWithPassword(token, password, name, newcomer);
      return sendSignedIn(request, reply, parts, opened);
    }
    if (password !== undefined || ceremony === undefined || credential === undefined)
      throw new ApiError('parameters_conflict', {
        message: 'Send a password, or the ceremony and the credential of a passkey.',
      });
    const answer = { ceremony, credential, site };
    const opened = await desk.signIn.redeemWithPasskey(token, answer, name, newcomer);
    return sendSignedIn(request, reply, parts, opened);
  });
}
