/** API keys, as administrators manage them. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { issueKey } from '../../auth/issue-key.ts';
import { presentKey } from '../../auth/present-key.ts';
import { ApiError } from '../../errors.ts';
import { presentTime } from '../../schema/present.ts';
import type { KeyRing, StoredKey } from '../../store/keys.ts';
import type { StaffMember } from '../../store/staff.ts';
import { sendJson } from '../envelope.ts';
import { administers, administratorOf, checkGrant } from './administrator.ts';
import type { ConsoleParts } from './caller.ts';
import { readFields } from './fields.ts';
import { readKeyGrant } from './key-grant.ts';
import { timeOrNull } from './views.ts';

type OfOne = { Params: { unique_identifier: string } };

const DAY_S = 86_400;
const MAX_OVERLAP_S = 90 * DAY_S;

/** To be added below `/console/api`. `resources` are their path names. */
export function addKeyRoutes(
  server: FastifyInstance,
  parts: ConsoleParts,
  resources: readonly string[],
): void {
  const { desk } = parts;
  const { keys, now, observer } = desk;

  const managed = async (administrator: StaffMember, id: string): Promise<StoredKey> => {
    const key = (await keys.list()).find(({ unique_identifier }) => unique_identifier === id);
    if (key !== undefined && administers(administrator, key)) return key;
    throw new ApiError('resource_missing', {
      message: 'There is no such key among those that you administer.',
    });
  };
  const send = (reply: FastifyReply, key: StoredKey, more: object = {}): FastifyReply =>
    sendJson(reply, JSON.stringify({ ...present(key, now()), ...more }));

  server.get('/keys', async (request, reply) => {
    const administrator = administratorOf(request, parts, false);
    const data = (await keys.list())
      .filter((key) => administers(administrator, key))
      .map((key) => present(key, now()));
    const page = { object: 'list', url: '/console/api/keys', has_more: false, data };
    return sendJson(reply, JSON.stringify(page));
  });

  server.post('/keys', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    const sent = await readFields(request, reply, {
      accounts: 'texts',
      name: 'text?',
      locations: 'texts?',
      permissions: 'texts?',
      resources: 'texts?',
      allow: 'texts?',
      from: 'texts?',
      rate: 'text?',
      concurrent: 'number?',
      expires_at: 'text?',
    });
    const { accounts, locations = null } = sent;
    await checkGrant(administrator, { accounts, locations }, parts);
    const grant = readKeyGrant(sent, resources, now());
    const of = await desk.accountsAmong(new Set(accounts));
    const [first] = of;
    if (first === undefined || of.some(({ livemode }) => livemode !== first.livemode))
      throw new ApiError('value_invalid', {
        param: 'accounts',
        message: 'accounts must be all live or all test: a key cannot be for both.',
      });
    const { key, secret } = await issueKey(keys, first.livemode, {
      ...grant,
      accounts,
      anchors: locations,
    });
    observer.administered('key_created', administrator.unique_identifier, key.unique_identifier);
    return send(reply, key, { secret });
  });

  server.post<OfOne>('/keys/:unique_identifier/rotate', async (request, reply) => {
    const administrator = administratorOf(request, parts, true);
    const { overlap_seconds = DAY_S } = await readFields(request, reply, {
      overlap_seconds: 'number?',
    });
    const old = await managed(administrator, request.params.unique_identifier);
    if (overlap_seconds > MAX_OVERLAP_S)
      throw new ApiError('value_invalid', {
        param: 'overlap_seconds',
        message: `overlap_seconds must be at most ${MAX_OVERLAP_S}, which is 90 days.`,
      });
    if (statusOfKey(old, now()) !== 'active')
      throw new ApiError('value_invalid', {
        message: `This key is ${statusOfKey(old, now())}, and only an active key can be rotated. Create a key instead.`,
      });
    const { key, secret } = await issueKey(keys, old.livemode, old);
    const ended = await keys.expire(old.unique_identifier, now() + overlap_seconds * 1000);
    observer.administered('key_rotated', administrator.unique_identifier, old.unique_identifier);
    const replaces = {
      unique_identifier: old.unique_identifier,
      expires_at: timeOrNull(ended?.expires_at ?? null),
    };
    return send(reply, key, { secret, replaces });
  });

  const changes: { readonly [name in 'revoke' | 'suspend' | 'resume']: string } = {
    revoke: 'key_revoked',
    suspend: 'key_suspended',
    resume: 'key_resumed',
  };
  for (const [name, told] of Object.entries(changes) as [
    keyof typeof changes & keyof KeyRing,
    string,
  ][]) {
    server.post<OfOne>(`/keys/:unique_identifier/${name}`, async (request, reply) => {
      const administrator = administratorOf(request, parts, true);
      await readFields(request, reply, {});
      const key = await managed(administrator, request.params.unique_identifier);
      const changed = await keys[name](key.unique_identifier);
      observer.administered(told, administrator.unique_identifier, key.unique_identifier);
      return send(reply, changed ?? key);
    });
  }
}

function present(key: StoredKey, now: number): object {
  return {
    ...presentKey(key),
    status: statusOfKey(key, now),
    last_used_at: timeOrNull(key.last_used_at),
    revoked_at: key.revoked_at === null ? null : presentTime(key.revoked_at),
  };
}

function statusOfKey(
  { revoked_at, expires_at, suspended_at }: StoredKey,
  now: number,
): 'revoked' | 'expired' | 'suspended' | 'active' {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && expires_at <= now) return 'expired';
  return suspended_at === null ? 'active' : 'suspended';
}
