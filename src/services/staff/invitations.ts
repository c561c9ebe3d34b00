/** Invitations: the only way to become a person who may sign in, or to start over. */
import { ApiError } from '../../core/errors.ts';
import { rightsByName } from '../../records/auth/principal.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import type { NewInvitation, StaffGrant, StaffMember } from '../../store/promises/staff.ts';
import { createToken, hashToken } from './tokens.ts';

export const INVITED_MS = 48 * 60 * 60_000;

/** Whom to invite, and for what. */
export interface Invitation extends StaffGrant {
  readonly email: string;
  readonly name?: string | null;
  readonly apart?: string | null;
  readonly by?: StaffMember;
}

/** Invites a person; `address` is where the service is reached. Throws as `prepareInvitation` does. */
export async function invite(
  book: StaffBook,
  invitation: Invitation,
  address: string,
  now: number,
) {
  const { prepared, link } = prepareInvitation(invitation, address, now);
  return { member: await book.invite(prepared), link, expires_at: prepared.expires_at };
}

/** An invitation that is yet to be stored. Throws `value_invalid` for an invalid email, or an administrator of single locations. */
export function prepareInvitation(
  { email, name = null, apart = null, role, accounts, anchors, region, allow, by }: Invitation,
  address: string,
  now: number,
): { readonly prepared: NewInvitation; readonly link: string } {
  const rights = { role, accounts, anchors, region, allow };
  checkGrant(rights);
  const token = createToken();
  const grant = { email: readEmail(email), name, apart, ...rights };
  return {
    prepared: {
      ...grant,
      ...(by === undefined ? {} : { invited_by: by.unique_identifier }),
      hash: hashToken(token),
      expires_at: now + INVITED_MS,
    },
    link: `${address}/console/#/invitation/${token}`,
  };
}

/** Throws `administrator_limited` for one of single locations, and `value_invalid` for rights that people cannot have there. */
function checkGrant({ role, anchors, allow }: StaffGrant): void {
  const unknown = allow.find((right) => !rightsByName.includes(right));
  if (unknown !== undefined)
    throw new ApiError('value_invalid', {
      param: 'allow',
      message: `${JSON.stringify(unknown)} is not a right that people are given by name: these are ${rightsByName.join(', ')}.`,
    });
  if (allow.length > 0 && anchors !== null)
    throw new ApiError('value_invalid', {
      param: 'allow',
      message: `The right ${allow[0]} covers whole accounts: leave the locations or the region out, or the right.`,
    });
  if (role === 'administrator' && anchors !== null)
    throw new ApiError('administrator_limited', { param: 'role' });
}

/** Changes the role and scope of a person. Throws `value_invalid` for values that are impossible, or not possible for them yet. */
export async function regrant(book: StaffBook, member: StaffMember, grant: StaffGrant) {
  checkGrant(grant);
  const rises = grant.role === 'administrator' && member.role !== 'administrator';
  if (rises && member.password !== null && member.passkeys + member.identities === 0)
    throw new ApiError('administrator_without_passkey', { param: 'role' });
  // A session that was opened with a password is not an administrator's.
  await book.grant(member.unique_identifier, grant, rises);
  return { ...member, ...grant };
}

/** In lower case, as emails are compared. Throws `email_invalid`. */
export function readEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (email.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email)) return email;
  throw new ApiError('email_invalid', { param: 'email' });
}

/** The person whose invitation it is. Throws `invitation_invalid`. */
export async function foundInvitation(book: StaffBook, token: string): Promise<StaffMember> {
  const member = await book.invited(hashToken(token));
  if (member === undefined) throw new ApiError('invitation_invalid');
  return member;
}
