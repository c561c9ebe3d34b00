/** Invitations: looked at, and redeemed with a password or a passkey. */
import { ApiError } from '../../core/errors.ts';
import { staffInvitation } from '../../core/objects/invitation.ts';
import { present } from '../../core/objects/own-object.ts';
import { optional, text } from '../../core/schema/fields/index.ts';
import { foundInvitation } from '../../services/staff/invitations.ts';
import { invitation, named, passkeyOrNone } from './members.ts';
import { type ConsoleOperation, consoleOperation, presentCeremony } from './session/visit.ts';

export const invitationOperations: readonly ConsoleOperation[] = [
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
];
