/** People who sign in, as commands print them. */
import { present } from '../objects/own-object.ts';
import { type StaffMember, staffMember } from '../objects/staff-member.ts';

export { statusOfStaff } from '../objects/staff-member.ts';

export function staffJson(member: StaffMember, now: number): object {
  return present(staffMember, member, 'cli', now);
}
