/** People, as administrators manage them. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { type Invitation, invite, readEmail, regrant } from '../../services/staff/invitations.ts';
import { type Role, roles, type StaffMember } from '../../store/promises/staff.ts';
import { sendJson } from '../response/envelope.ts';
import { readFields } from './fields.ts';
import { administers, administratorOf, checkGrant } from './session/administrator.ts';
import type { ConsoleParts } from './session/caller.ts';
import { presentStaff, timeOrNull } from './views.ts';

type OfOne = { Params: { unique_identifier: string } };

/** To be added below `/console/api`. */
export function addStaffRoutes(server: FastifyInstance, parts: ConsoleParts): void {
  const { desk, siteOf } = parts;
  const { book, now } = desk;

  /** A person whom the administrator manages. Throws `resource_missing`. */
  const managed = async (administrator: StaffMember, id: string): Promise<StaffMember> => {
    const member = await book.find(id);
    if (member !== undefined && administers(administrator, member)) return member;
    throw new ApiError('resource_missing', {
      message: 'There is no such person among those whom you administer.',
    });
  };
  const tell = (what: string, by: StaffMember, whom: StaffMember): void =>
    desk.observer.administered(what, by.unique_identifier, whom.unique_identifier);
  const send = (reply: FastifyReply, member: StaffMember): FastifyReply =>
    sendJson(reply, JSON.stringify(presentStaff(member, now())));

  server.get('/staff', async (request, reply) => {
    const administrator = administratorOf(request, parts, false);
    const data = (await book.list())
      .filter((member) => administers(administrator, member))
      .map((member) => presentStaff(member, now()));
    const page = { object: 'list', url: '/console/api/staff', has_more: false, data };
    return sendJson(reply, JSON.stringify(page));
  });

  const sendInvited = async (
    reply: FastifyReply,
    administrator: StaffMember,
    invitation: Invitation,
    origin: string,
  ): Promise<FastifyReply> => {
    const invited = { ...invitation, by: administrator };
    const { member, link, expires_at } = await invite(book, invited, origin, now());
    tell('staff_invited', administrator, member);
    const staff = presentStaff(member, now());
    return sendJson(
      reply,
      JSON.stringify({ object: 'invitation', staff, link, expires_at: timeOrNull(expires_at) }),
    );
  };

  server.post('/staff/invite', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    const sent = await readFields(request, reply, {
      email: 'text',
      role: 'text',
      accounts: 'texts',
      locations: 'texts?',
      name: 'text?',
    });
    const { accounts, locations: anchors = null, name = null } = sent;
    const role = readRole(sent.role);
    const email = readEmail(sent.email);
    await checkGrant(administrator, { accounts, locations: anchors }, parts);
    const known = await book.withEmail(email);
    if (known !== undefined && !administers(administrator, known))
      throw new ApiError('permission_denied', {
        message: 'Only the operator of the service can invite this email. Ask them to do it.',
      });
    const { origin } = siteOf(request);
    const invitation = { email, name, role, accounts, anchors };
    return sendInvited(reply, administrator, invitation, origin);
  });

  server.post<OfOne>('/staff/:unique_identifier/invite', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    await readFields(request, reply, {});
    const member = await managed(administrator, request.params.unique_identifier);
    return sendInvited(reply, administrator, member, siteOf(request).origin);
  });

  server.post<OfOne>('/staff/:unique_identifier/grant', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    const sent = await readFields(request, reply, {
      role: 'text',
      accounts: 'texts',
      locations: 'texts?',
    });
    const { accounts, locations: anchors = null } = sent;
    const role = readRole(sent.role);
    const member = await managed(administrator, request.params.unique_identifier);
    if (member.unique_identifier === administrator.unique_identifier)
      throw new ApiError('permission_denied', {
        message: 'You cannot change what you may do yourself. Ask another administrator.',
      });
    await checkGrant(administrator, { accounts, locations: anchors }, parts);
    const changed = await regrant(book, member, { role, accounts, anchors });
    tell('staff_changed', administrator, member);
    return send(reply, changed);
  });

  server.post<OfOne>('/staff/:unique_identifier/disable', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    await readFields(request, reply, {});
    const member = await managed(administrator, request.params.unique_identifier);
    const disabled = await book.disable(member.unique_identifier);
    tell('staff_disabled', administrator, member);
    return send(reply, disabled ?? member);
  });

  server.post<OfOne>('/staff/:unique_identifier/remove', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    await readFields(request, reply, {});
    const member = await managed(administrator, request.params.unique_identifier);
    await book.remove(member.unique_identifier);
    tell('staff_removed', administrator, member);
    return sendJson(reply, JSON.stringify({ object: 'staff_removed' }));
  });

  server.post<OfOne>('/staff/:unique_identifier/enable', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    await readFields(request, reply, {});
    const member = await managed(administrator, request.params.unique_identifier);
    const enabled = await book.enable(member.unique_identifier);
    tell('staff_enabled', administrator, member);
    return send(reply, enabled ?? member);
  });

  server.post<OfOne>('/staff/:unique_identifier/end_sessions', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    await readFields(request, reply, {});
    const member = await managed(administrator, request.params.unique_identifier);
    await book.endSessions(member.unique_identifier);
    tell('sessions_ended', administrator, member);
    return sendJson(reply, JSON.stringify({ object: 'sessions_ended' }));
  });
}

function readRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (role !== undefined) return role;
  throw new ApiError('value_invalid', {
    param: 'role',
    message: `role must be ${roles.join(' or ')}.`,
  });
}
