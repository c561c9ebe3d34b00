/** People, as administrators manage them. */
import { ApiError } from '../../core/errors.ts';
import { choice, optional, required, text } from '../../core/schema/fields/index.ts';
import { limitTo } from '../../records/auth/region.ts';
import { type Invitation, invite, readEmail, regrant } from '../../services/staff/invitations.ts';
import { createToken } from '../../services/staff/tokens.ts';
import { roles, type StaffMember } from '../../store/promises/staff.ts';
import { listOf } from '../operations/operation.ts';
import { ADMINISTERED, ADMINISTERS, scope } from './members.ts';
import { administers, checkGrant, managed } from './session/administrator.ts';
import { type ConsoleOperation, consoleOperation, type Visit } from './session/visit.ts';
import { presentStaff, timeOrNull } from './views.ts';

const grant = { ...scope, role: required(choice(...roles), 'What the person may do') } as const;

const shown = async (desk: Visit['desk'], member: StaffMember): Promise<object> =>
  presentStaff(await desk.regions.within(member), desk.now());

/** A person whom the administrator manages. Throws `resource_missing`. */
async function personFor({ desk, member }: Visit, id: string): Promise<StaffMember> {
  return managed(member, await desk.book.find(id), 'person');
}

/** Who has that email among those whom the administrator manages; if only others have it, they learn nothing of that. */
async function apartFrom({ desk, member }: Visit, email: string): Promise<string | null> {
  const all = (await desk.book.list()).filter((one) => one.email === email);
  const own = all.find((one) => administers(member, one));
  if (own !== undefined) return own.apart;
  return all.some(({ apart }) => apart === null) ? createToken() : null;
}

async function invited(visit: Visit, invitation: Invitation): Promise<object> {
  const { desk, member: by, site } = visit;
  const now = desk.now();
  const made = await invite(desk.book, { ...invitation, by }, site.origin, now);
  visit.administered('staff_invited', made.member);
  const { link, expires_at } = made;
  const staff = await shown(desk, made.member);
  return { object: 'invitation', staff, link, expires_at: timeOrNull(expires_at) };
}

/** An operation on the person in the path: `run` gives the answer, or the person as changed. */
function change(
  name: string,
  what: string,
  run: (book: Visit['desk']['book'], id: string) => Promise<object | undefined>,
): ConsoleOperation {
  return consoleOperation({
    ...ADMINISTERED,
    name: `${name}_staff`,
    route: `POST /staff/:unique_identifier/${name}`,
    run: async (visit, { id }) => {
      const member = await personFor(visit, id);
      const { desk } = visit;
      const changed = (await run(desk.book, id)) ?? member;
      visit.administered(what, member);
      return 'email' in changed ? shown(desk, changed as StaffMember) : changed;
    },
  });
}

export const staffOperations: readonly ConsoleOperation[] = [
  consoleOperation({
    ...ADMINISTERS,
    route: 'GET /staff',
    run: async ({ desk, member }) => {
      const people = (await desk.book.list()).filter((one) => administers(member, one));
      return listOf('/console/api/staff', await Promise.all(people.map((one) => shown(desk, one))));
    },
  }),
  consoleOperation({
    ...ADMINISTERED,
    name: 'invite_staff',
    route: 'POST /staff/invite',
    body: {
      ...grant,
      email: required(text(), 'The address that the person signs in with'),
      name: optional(text(), 'The name of the person'),
    },
    run: async (visit, { params }) => {
      const { locations, region, ...sent } = params();
      const limit = limitTo(locations, region);
      const invitation = { ...sent, ...limit, allow: [], email: readEmail(sent.email) };
      await checkGrant(visit.member, invitation, visit.desk);
      return invited(visit, { ...invitation, apart: await apartFrom(visit, invitation.email) });
    },
  }),
  consoleOperation({
    ...ADMINISTERED,
    name: 'invite_staff_again',
    route: 'POST /staff/:unique_identifier/invite',
    run: async (visit, { id }) => {
      // The link is the person: whoever sees it would have their rights.
      return invited(visit, { ...(await personFor(visit, id)), allow: [] });
    },
  }),
  consoleOperation({
    ...ADMINISTERED,
    name: 'change_staff',
    route: 'POST /staff/:unique_identifier/grant',
    body: grant,
    run: async (visit, { id, params }) => {
      const { locations, region, ...sent } = params();
      const { desk, member: administrator } = visit;
      const member = await personFor(visit, id);
      if (member.unique_identifier === administrator.unique_identifier)
        throw new ApiError('own_rights');
      const limited = { ...sent, ...limitTo(locations, region) };
      await checkGrant(administrator, limited, desk);
      // What the operator gave is for whole accounts, and for those alone.
      const isWithin = limited.anchors === null && administers(member, sent);
      const allow = isWithin ? member.allow : [];
      const changed = await regrant(desk.book, member, { ...limited, allow });
      visit.administered('staff_changed', member);
      return shown(desk, changed);
    },
  }),
  change('disable', 'staff_disabled', (book, id) => book.disable(id)),
  change('enable', 'staff_enabled', (book, id) => book.enable(id)),
  change('remove', 'staff_removed', async (book, id) => {
    await book.remove(id);
    return { object: 'staff_removed' };
  }),
  change('end_sessions', 'sessions_ended', async (book, id) => {
    await book.endSessions(id);
    return { object: 'sessions_ended' };
  }),
];
