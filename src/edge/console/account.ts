/** People's own account: their name, password, passkeys and sessions. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { checkPassword, hashPassword } from '../../services/staff/passwords.ts';
import { wantRecent } from '../../services/staff/sessions.ts';
import { sendJson } from '../response/envelope.ts';
import { readFields } from './fields.ts';
import {
  type ConsoleParts,
  newcomerOf,
  personOf,
  sendAsked,
  sendSignedIn,
} from './session/caller.ts';
import { presentPasskey, presentSessionEntry, presentStaff } from './views.ts';

type OfOne = { Params: { unique_identifier: string } };

/** To be added below `/console/api`. */
export function addAccountRoutes(server: FastifyInstance, parts: ConsoleParts): void {
  const { desk, siteOf } = parts;
  const { book, now } = desk;

  server.get('/account', async (request, reply) => {
    const { member, session } = personOf(request);
    const [passkeys, sessions] = await Promise.all([
      book.passkeys(member.unique_identifier),
      book.sessions(member.unique_identifier),
    ]);
    return sendJson(
      reply,
      JSON.stringify({
        object: 'staff_account',
        staff: presentStaff(member, now()),
        passkeys: passkeys.map(presentPasskey),
        sessions: sessions
          .filter((one) => desk.isOpen(one))
          .map((one) => presentSessionEntry(one, session)),
      }),
    );
  });

  server.post('/account', async (request, reply) => {
    const { member } = personOf(request);
    const { name } = await readFields(request, reply, { name: 'text' });
    const renamed = await book.rename(member.unique_identifier, name);
    return sendJson(reply, JSON.stringify(presentStaff(renamed ?? member, now())));
  });

  server.post('/account/password', async (request, reply) => {
    const { member, session } = personOf(request);
    wantRecent(session, now());
    const { password } = await readFields(request, reply, { password: 'text' });
    if (member.role === 'administrator') throw new ApiError('passkey_needed');
    checkPassword(password, member.email);
    const newcomer = newcomerOf(request, parts);
    const hash = await hashPassword(password, { ...newcomer, isKnown: true });
    await book.setPassword(member.unique_identifier, hash);
    await book.endSessions(member.unique_identifier);
    const token = await desk.signIn.open(member, session.method, newcomer);
    return sendSignedIn(request, reply, parts, token);
  });

  server.post('/account/passkeys/begin', async (request, reply) => {
    const { member, session } = personOf(request);
    wantRecent(session, now());
    await readFields(request, reply, {});
    return sendAsked(reply, await desk.passkeys.beginRegistration(member, siteOf(request)));
  });

  server.post('/account/passkeys', async (request, reply) => {
    const { member, session } = personOf(request);
    wantRecent(session, now());
    const { ceremony, credential, name } = await readFields(request, reply, {
      ceremony: 'text',
      credential: 'object',
      name: 'text?',
    });
    const staff = member.unique_identifier;
    const site = siteOf(request);
    const made = await desk.passkeys.registered(staff, ceremony, credential, name ?? null, site);
    const passkey = await book.addPasskey(staff, made);
    return sendJson(reply, JSON.stringify(presentPasskey(passkey)));
  });

  server.delete<OfOne>('/account/passkeys/:unique_identifier', async (request, reply) => {
    const { member, session } = personOf(request);
    wantRecent(session, now());
    const { unique_identifier } = request.params;
    const own = await book.passkeys(member.unique_identifier);
    if (!own.some((one) => one.unique_identifier === unique_identifier))
      throw new ApiError('resource_missing', { message: 'You have no such passkey.' });
    if (own.length + member.identities + (member.password === null ? 0 : 1) === 1)
      throw new ApiError('last_way_in');
    await book.removePasskey(unique_identifier);
    return sendJson(reply, removed('passkey', unique_identifier));
  });

  server.delete<OfOne>('/account/sessions/:unique_identifier', async (request, reply) => {
    const { member } = personOf(request);
    const { unique_identifier } = request.params;
    await book.endSession(member.unique_identifier, unique_identifier);
    return sendJson(reply, removed('session', unique_identifier));
  });

  server.post('/account/sessions/end_others', async (request, reply) => {
    const { member, session } = personOf(request);
    await readFields(request, reply, {});
    await book.endSessions(member.unique_identifier, session.unique_identifier);
    return sendJson(reply, JSON.stringify({ object: 'sessions_ended' }));
  });
}

function removed(object: string, unique_identifier: string): string {
  return JSON.stringify({ object, unique_identifier, deleted: true });
}
