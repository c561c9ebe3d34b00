/** Invitations: the only way to become a person who may sign in, or to start over. */
import { ApiError } from '../errors.ts';
import type { NewInvitation, StaffBook, StaffGrant, StaffMember } from '../store/staff.ts';
import { createToken, hashToken } from './tokens.ts';

export const INVITED_MS = 48 * 60 * 60_000;

export interface Invited {
  readonly member: StaffMember;
  /** The address of the page that redeems it: the token is in the fragment, which browsers do not send. */
  readonly link: string;
  readonly expires_at: number;
}

/** Whom to invite, and for what. */
export interface Invitation extends StaffGrant {
  readonly email: string;
  readonly name?: string | null;
}

/** Invites somebody; `address` is where the service is reached. Throws as `prepareInvitation` does. */
export async function invite(
  book: StaffBook,
  invitation: Invitation,
  address: string,
  now: number,
): Promise<Invited> {
  const { prepared, link } = prepareInvitation(invitation, address, now);
  return { member: await book.invite(prepared), link, expires_at: prepared.expires_at };
}

/** An invitation that is yet to be stored. Throws `value_invalid` for an invalid email, or an administrator of single locations. */
export function prepareInvitation(
  { email, name = null, role, accounts, anchors }: Invitation,
  address: string,
  now: number,
): { readonly prepared: NewInvitation; readonly link: string } {
  if (role === 'administrator' && anchors !== null)
    throw new ApiError('value_invalid', {
      param: 'role',
      message:
        'An administrator works for whole accounts: leave the locations out, or choose the role editor.',
    });
  const token = createToken();
  const grant = { email: readEmail(email), name, role, accounts, anchors };
  return {
    prepared: { ...grant, hash: hashToken(token), expires_at: now + INVITED_MS },
    link: `${address}/console/#/invitation/${token}`,
  };
}

/** In lower case, as emails are compared. Throws `value_invalid` for what is no email. */
export function readEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (email.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email)) return email;
  throw new ApiError('value_invalid', {
    param: 'email',
    message: 'The email must be an address such as director@example.com.',
  });
}

/** Whose invitation that is. Throws `invitation_invalid`. */
export async function foundInvitation(book: StaffBook, token: string): Promise<StaffMember> {
  const member = await book.invited(hashToken(token));
  if (member === undefined) throw new ApiError('invitation_invalid');
  return member;
}
