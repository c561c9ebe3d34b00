/** People's own account: their name, password, passkeys and sessions. */
import { ApiError } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import { passkey } from '../../core/objects/passkey.ts';
import { staffSession } from '../../core/objects/staff-session.ts';
import { required, text } from '../../core/schema/fields/index.ts';
import { named, passkeyAnswer, password, presentStaff } from './members.ts';
import { type ConsoleOperation, consoleOperation, presentCeremony } from './session/visit.ts';

export const accountOperations: readonly ConsoleOperation[] = [
  consoleOperation({
    route: 'GET /account',
    run: async ({ service, person: { member, session } }) => {
      const [passkeys, sessions] = await Promise.all([
        service.book.passkeys(member.unique_identifier),
        service.book.sessions(member.unique_identifier),
      ]);
      return {
        object: 'staff_account',
        staff: presentStaff(member, service.now()),
        passkeys: passkeys.map((one) => present(passkey, one, 'console', 0)),
        sessions: sessions
          .filter((one) => service.isOpen(one))
          .map((one) => ({
            ...present(staffSession, one, 'console', 0),
            current: one.unique_identifier === session.unique_identifier,
          })),
      };
    },
  }),
  consoleOperation({
    route: 'POST /account',
    body: { name: required(text(), 'What you are called') },
    run: async ({ service, member }, { params }) => {
      const renamed = await service.book.rename(member.unique_identifier, params().name);
      return presentStaff(renamed ?? member, service.now());
    },
  }),
  consoleOperation({
    name: 'set_password',
    route: 'POST /account/password',
    confirms: true,
    body: password,
    run: async (visit, { params }) => {
      const { password } = params();
      const { service, newcomer } = visit;
      const { member, session } = visit.person;
      const hash = await service.signIn.newPassword(member, password, newcomer);
      await service.book.setPassword(member.unique_identifier, hash);
      await service.book.endSessions(member.unique_identifier);
      return visit.signedIn(await service.signIn.open(member, session.method, newcomer));
    },
  }),
  consoleOperation({
    name: 'begin_passkey',
    route: 'POST /account/passkeys/begin',
    confirms: true,
    run: async ({ service, member, site }) =>
      presentCeremony(await service.passkeys.beginRegistration(member, site)),
  }),
  consoleOperation({
    name: 'add_passkey',
    route: 'POST /account/passkeys',
    confirms: true,
    body: { ...passkeyAnswer, ...named },
    run: async ({ service, member, site }, { params }) => {
      const { ceremony, credential, name = null } = params();
      const staff = member.unique_identifier;
      const made = await service.passkeys.registered(staff, ceremony, credential, name, site);
      return present(passkey, await service.book.addPasskey(staff, made), 'console', 0);
    },
  }),
  consoleOperation({
    name: 'remove_passkey',
    route: 'DELETE /account/passkeys/:unique_identifier',
    confirms: true,
    run: async ({ service: { book }, member }, { id }) => {
      const own = await book.passkeys(member.unique_identifier);
      if (!own.some(({ unique_identifier }) => unique_identifier === id))
        throw new ApiError('resource_missing', { message: 'You have no such passkey.' });
      if (own.length + member.identities + (member.password === null ? 0 : 1) === 1)
        throw new ApiError('last_way_in');
      await book.removePasskey(id);
      return { object: 'passkey', unique_identifier: id, deleted: true };
    },
  }),
  consoleOperation({
    route: 'DELETE /account/sessions/:unique_identifier',
    run: async ({ service, member }, { id }) => {
      await service.book.endSession(member.unique_identifier, id);
      return { object: 'session', unique_identifier: id, deleted: true };
    },
  }),
  consoleOperation({
    route: 'POST /account/sessions/end_others',
    run: async ({ service, person: { member, session } }) => {
      await service.book.endSessions(member.unique_identifier, session.unique_identifier);
      return { object: 'sessions_ended' };
    },
  }),
];
