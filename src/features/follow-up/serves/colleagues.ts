/** Finds the people of an account whom follow-ups can be handed over to. */
import { ApiError } from '../../../core/errors.ts';
import { statusOfStaff } from '../../../core/objects/staff-member.ts';
import { OPERATOR } from '../../../records/auth/principal.ts';
import { createRegions, type Limit } from '../../../records/auth/region.ts';
import type { ServeParts } from '../../../services/served.ts';
import { rightsOf } from '../../../services/staff/roles.ts';
import type { StaffMember } from '../../../store/promises/staff.ts';
import { type Colleague, type FollowUp, RIGHT } from '../declares.ts';

type Place = Pick<FollowUp, 'account' | 'location'>;
type Granted = Limit & {
  readonly accounts: readonly string[];
  /** Path names of the only resources; `null`: all. */
  readonly resources: readonly string[] | null;
};

export function createColleagues({ store, resources, now }: ServeParts) {
  const regions = createRegions(store, resources, now);

  /** Returns the accounts and locations whose follow-ups a person may work on; `undefined`: none, or they are disabled. */
  const grantOf = (member: StaffMember): Granted | undefined =>
    member.disabled_at === null && rightsOf(member).includes(RIGHT)
      ? { ...member, resources: null }
      : undefined;

  const isIn = async (granted: Granted, { account, location }: Place): Promise<boolean> => {
    if (!granted.accounts.includes(account)) return false;
    const { anchors } = await regions.within({ ...granted, accounts: [account] });
    return anchors?.includes(location) !== false;
  };

  /** Whether they can sign in, and may work on follow-ups there. */
  const may = async (member: StaffMember, place: Place): Promise<boolean> => {
    const granted = statusOfStaff(member) === 'active' ? grantOf(member) : undefined;
    return granted !== undefined && isIn(granted, place);
  };

  const keyGrant = async (key: string): Promise<Granted | undefined> => {
    const found = await store.keys.find(key);
    if (found.is !== 'valid') return undefined;
    const { permissions, allow } = found.key;
    return permissions.includes('read') && allow.includes(RIGHT) ? found.key : undefined;
  };

  return {
    async at(place: Place): Promise<readonly Colleague[]> {
      const found: Colleague[] = [];
      for (const member of await store.staff.list()) {
        const { unique_identifier, name, email } = member;
        if (await may(member, place)) found.push({ unique_identifier, name: name ?? email });
      }
      return found.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
    },

    /** Throws `value_invalid` unless it is one of them. */
    async check({ record, ...place }: Place & Pick<FollowUp, 'record'>, owner: string) {
      const member = isPerson(owner) ? await store.staff.find(owner) : undefined;
      if (member !== undefined && (await may(member, place))) return;
      const message = `owner is not a person who may work on follow-ups of ${record}: choose one of those who may (/v1/follow_ups/colleagues).`;
      throw new ApiError('value_invalid', { param: 'owner', message });
    },

    /** Makes what tells whether a person, a key or an operator may go on with what they have. Somebody who was invited again may: they come back. */
    async holder(owner: string) {
      if (owner === OPERATOR) return async () => true;
      const member = isPerson(owner) ? await store.staff.find(owner) : undefined;
      const granted = isPerson(owner) ? member && grantOf(member) : await keyGrant(owner);
      return async ({ resource, ...place }: Place & Pick<FollowUp, 'resource'>) => {
        if (granted === undefined || !(await isIn(granted, place))) return false;
        const path = resources.find(({ name }) => name === resource)?.path;
        return path === undefined || granted.resources?.includes(path) !== false;
      };
    },
  };
}

const isPerson = (owner: string): boolean => owner.startsWith('stf_');
