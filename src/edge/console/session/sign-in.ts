/** Signing in and out, and proving once more that it is the same person. */
import { required, text } from '../../../core/schema/fields/index.ts';
import { passkeyAnswer, password } from '../members.ts';
import { type ConsoleOperation, consoleOperation, presentCeremony } from './visit.ts';

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
  consoleOperation({
    route: 'GET /session',
    run: (visit, { caller }) => visit.session(caller),
  }),
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
  consoleOperation({
    route: 'POST /sign_in/passkey/begin',
    open: true,
    run: async ({ service, newcomer, site }) => {
      service.paceOfCeremonies.count(newcomer);
      return presentCeremony(await service.passkeys.beginSignIn(site));
    },
  }),
  consoleOperation({
    route: 'POST /sign_in/passkey',
    open: true,
    body: passkeyAnswer,
    run: async (visit, { params }) => {
      const { service, newcomer, site } = visit;
      return visit.signedIn(await service.signIn.withPasskey({ ...params(), site }, newcomer));
    },
  }),
  consoleOperation({
    route: 'POST /reauthenticate',
    body: password,
    run: async (visit, { params }) => {
      const { service, member, newcomer } = visit;
      const { password } = params();
      return visit.signedIn(
        await service.signIn.withPassword(member.email, password, newcomer, member),
      );
    },
  }),
  consoleOperation({
    route: 'POST /reauthenticate/passkey/begin',
    run: async ({ service, site }) => presentCeremony(await service.passkeys.beginSignIn(site)),
  }),
  consoleOperation({
    route: 'POST /reauthenticate/passkey',
    body: passkeyAnswer,
    run: async (visit, { params }) => {
      const { service, member, newcomer, site } = visit;
      return visit.signedIn(
        await service.signIn.withPasskey({ ...params(), site }, newcomer, member),
      );
    },
  }),
  consoleOperation({
    route: 'POST /sign_out',
    run: async (visit) => {
      const { member, session } = visit.person;
      await visit.service.book.endSession(member.unique_identifier, session.unique_identifier);
      visit.setCookie('session', '', 0);
      return { object: 'signed_out' };
    },
  }),
];
