/** People, as administrators manage them in the console, and operators on the command line. */
import { ApiError } from '../../core/errors.ts';
import { choice, optional, required, text } from '../../core/schema/fields/index.ts';
import { limitTo } from '../../records/auth/region.ts';
import { type Invitation, invite, readEmail, regrant } from '../../services/staff/invitations.ts';
import { createToken } from '../../services/staff/tokens.ts';
import { roles, type StaffMember } from '../../store/promises/staff.ts';
import type { OperationCall } from '../operations/operation.ts';
import { pageAmong } from '../operations/pages.ts';
import { presentStaff, scope, texts, timeOrNull } from './members.ts';
import {
  type Administration,
  type AdministratorOperation,
  administers,
  administration,
  administrationList,
  checkGrant,
  managed,
} from './session/administrator.ts';

const grant = { ...scope, role: required(choice(...roles), 'What the person may do') } as const;
/** Only operators give rights that no role has. */
const allow = optional(texts, 'Rights that no role has, for whole accounts');
type Allowed = typeof grant & { readonly allow: typeof allow };

const shown = async ({ service }: Administration, member: StaffMember): Promise<object> =>
  presentStaff(await service.regions.within(member), service.now());

/** A person whom the caller manages. Throws `resource_missing`. */
async function personFor({ service, member }: Administration, id: string): Promise<StaffMember> {
  return managed(member, await service.book.find(id), 'person');
}

/** Who has that email among those whom the administrator manages; if only others have it, they learn nothing of that. */
async function apartFrom({ service, member }: Administration, email: string) {
  if (member === undefined) return null;
  const all = await service.book.allWithEmail(email);
  const own = all.find((one) => administers(member, one));
  if (own !== undefined) return own.apart;
  return all.some(({ apart }) => apart === null) ? createToken() : null;
}

async function invited(
  admin: Administration,
  invitation: Invitation,
  done: OperationCall<never>['done'] = () => {},
): Promise<object> {
  const { service, member: by, site } = admin;
  const sent = by === undefined ? invitation : { ...invitation, by };
  const made = await invite(service.book, sent, site.origin, service.now());
  admin.administered('staff_invited', made.member);
  done({ unique_identifier: made.member.unique_identifier });
  const { link, expires_at } = made;
  const staff = await shown(admin, made.member);
  return { object: 'invitation', staff, link, expires_at: timeOrNull(expires_at) };
}

/** An operation on the person in the path: `run` gives the answer, or the person as changed. */
function change(
  name: string,
  what: string,
  run: (book: Administration['service']['book'], id: string) => Promise<object | undefined>,
): AdministratorOperation {
  return administration(
    `${name}_staff`,
    `POST /staff/:unique_identifier/${name}`,
    async (admin, { id }) => {
      const member = await personFor(admin, id);
      const { service } = admin;
      const changed = (await run(service.book, id)) ?? member;
      admin.administered(what, member);
      return 'email' in changed ? shown(admin, changed as StaffMember) : changed;
    },
  );
}

export const staffOperations = (by?: 'operator'): readonly AdministratorOperation[] => {
  const rights = (by === 'operator' ? { ...grant, allow } : grant) as Allowed;
  return [
    administrationList('list_staff', 'GET /staff', async (admin, { params }) => {
      const people = (await admin.service.book.list()).filter((one) =>
        administers(admin.member, one),
      );
      return pageAmong('/console/api/staff', people, params(), (one) => shown(admin, one));
    }),
    administration(
      'invite_staff',
      'POST /staff/invite',
      async (admin, { params, done }) => {
        const { locations, region, allow, ...sent } = params();
        const limit = limitTo(locations, region);
        const invitation = { ...sent, ...limit, allow: allow ?? [], email: readEmail(sent.email) };
        await checkGrant(admin, invitation);
        const apart = await apartFrom(admin, invitation.email);
        return invited(admin, { ...invitation, apart }, done);
      },
      {
        ...rights,
        email: required(text(), 'The address that the person signs in with'),
        name: optional(text(), 'The name of the person'),
      },
    ),
    administration(
      'invite_staff_again',
      'POST /staff/:unique_identifier/invite',
      // The link is the person: whoever sees it would have their rights.
      async (admin, { id }) => invited(admin, { ...(await personFor(admin, id)), allow: [] }),
    ),
    administration(
      'change_staff',
      'POST /staff/:unique_identifier/grant',
      async (admin, { id, params }) => {
        const { locations, region, allow, ...sent } = params();
        const { service, member: administrator } = admin;
        const member = await personFor(admin, id);
        if (member.unique_identifier === administrator?.unique_identifier)
          throw new ApiError('own_rights');
        const limited = { ...sent, ...limitTo(locations, region) };
        await checkGrant(admin, limited);
        // What the operator gave is for whole accounts, and for those alone.
        const isWithin = limited.anchors === null && administers(member, sent);
        const changed = await regrant(service.book, member, {
          ...limited,
          allow: allow ?? (isWithin ? member.allow : []),
        });
        admin.administered('staff_changed', member);
        return shown(admin, changed);
      },
      rights,
    ),
    change('disable', 'staff_disabled', (book, id) => book.disable(id)),
    change('enable', 'staff_enabled', (book, id) => book.enable(id)),
    change('remove', 'staff_removed', async (book, id) => {
      await book.remove(id);
      return { object: 'staff_removed', unique_identifier: id };
    }),
    change('end_sessions', 'sessions_ended', async (book, id) => {
      await book.endSessions(id);
      return { object: 'sessions_ended', unique_identifier: id };
    }),
  ];
};
