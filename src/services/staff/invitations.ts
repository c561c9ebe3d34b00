/** Invitations: the only way to become a person who may sign in, or to start over. */
import { ApiError } from '../../core/errors.ts';
import { normalized } from '../../core/schema/search/spelling.ts';
import { rightsByName } from '../../records/auth/principal.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import {
  INVITED_MS,
  type NewInvitation,
  type StaffGrant,
  type StaffMember,
} from '../../store/promises/staff.ts';
import { createToken, hashToken } from './tokens.ts';

/** Whom to invite, and for what. */
export interface Invitation extends StaffGrant {
  readonly email: string;
  readonly name?: string | null;
  readonly apart?: string | null;
  readonly by?: StaffMember;
}

/** Invites a person; `address` is where the service is reached, which has the console at its root. Throws as `prepareInvitation` does. */
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
    link: `${new URL(address).origin}/console/#/invitation/${token}`,
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
  const email = normalized(text.trim(), 'NFC').toLowerCase();
  if (email.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email)) return email;
  throw new ApiError('email_invalid', { param: 'email' });
}

/** The token at the beginning of what somebody has copied of a link. Throws `invitation_incomplete`. */
export function invitationToken(copied: string): string {
  const [token] = /^[\w-]{43}(?![\w-])/.exec(copied) ?? [];
  if (token === undefined) throw new ApiError('invitation_incomplete', { param: 'token' });
  return token;
}

/** The person whose invitation it is. Throws `invitation_invalid`, also where who has invited them may not invite any more. */
export async function foundInvitation(book: StaffBook, token: string): Promise<StaffMember> {
  const member = await book.invited(hashToken(token));
  if (member === undefined || !(await mayInvite(book, member.invited_by)))
    throw new ApiError('invitation_invalid');
  return member;
}

/** Whether somebody is still an administrator who signs in; `null`: an operator. */
async function mayInvite(book: StaffBook, by: string | null): Promise<boolean> {
  if (by === null) return true;
  const inviter = await book.find(by);
  return inviter?.disabled_at === null && inviter.role === 'administrator';
}
