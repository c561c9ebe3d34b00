/** People who sign in, as commands print them. */
import { present } from '../../core/objects/own-object.ts';
import { type StaffMember, staffMember } from '../../core/objects/staff-member.ts';
import type { JsonObject } from '../../core/schema/values.ts';

export { statusOfStaff } from '../../core/objects/staff-member.ts';

export function staffJson(member: StaffMember, now: number): JsonObject {
  return present(staffMember, member, 'cli', now);
}
