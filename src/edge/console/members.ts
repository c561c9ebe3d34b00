/** Parameters and rights that several operations of the console share. */
import { present } from '../../core/objects/own-object.ts';
import { type StaffMember, staffMember } from '../../core/objects/staff-member.ts';
import { content, list, optional, required, text } from '../../core/schema/fields/index.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { MAX_REGION } from '../operations/location-settings.ts';

export const texts = list(text(), { min: 0, max: 1_000 });

export const scope = {
  accounts: required(texts, 'The accounts that it is about'),
  locations: optional(texts, 'Their only locations; null: all of them'),
  region: optional(text({ max: MAX_REGION }), 'The region whose locations they are'),
} as const;

export const named = { name: optional(text(), 'What it is called') } as const;
export const password = { password: required(text(), 'The password') } as const;
export const invitation = { token: required(text(), 'That of the link') } as const;

const ceremony = text();
const credential = content({ maxBytes: 65_536 });

/** The answer of a passkey to the options that it was given. */
export const passkeyAnswer = {
  ceremony: required(ceremony, 'That of the options'),
  credential: required(credential, 'What the browser has made of them'),
} as const;
export const passkeyOrNone = {
  ceremony: optional(ceremony, 'That of the options'),
  credential: optional(credential, 'What the browser has made of them'),
} as const;

export function presentStaff(member: StaffMember, now: number): object {
  return present(staffMember, member, 'console', now);
}

export function timeOrNull(time: number | null): string | null {
  return time === null ? null : presentTime(time);
}
