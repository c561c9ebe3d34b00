/** API keys, as administrators manage them. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError, Faults } from '../../core/errors.ts';
import { apiKey, statusOf } from '../../core/objects/api-key.ts';
import { present } from '../../core/objects/own-object.ts';
import { issueKey } from '../../records/auth/issue-key.ts';
import { readGrant } from '../../records/auth/key-grant.ts';
import { MAX_OVERLAP_MS, OVERLAP_MS, rotateKey } from '../../records/auth/rotate-key.ts';
import type { KeyRing, StoredKey } from '../../store/promises/keys.ts';
import type { StaffMember } from '../../store/promises/staff.ts';
import { sendJson } from '../response/envelope.ts';
import { readFields } from './fields.ts';
import { administers, administratorOf, checkGrant } from './session/administrator.ts';
import type { ConsoleParts } from './session/caller.ts';
import { timeOrNull } from './views.ts';

type OfOne = { Params: { unique_identifier: string } };

const MAX_OVERLAP_S = MAX_OVERLAP_MS / 1000;

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
  const shown = (key: StoredKey) => present(apiKey, key, 'console', now());
  const send = (reply: FastifyReply, key: StoredKey, more: object = {}): FastifyReply =>
    sendJson(reply, JSON.stringify({ ...shown(key), ...more }));

  server.get('/keys', async (request, reply) => {
    const administrator = administratorOf(request, parts, false);
    const data = (await keys.list()).filter((key) => administers(administrator, key)).map(shown);
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
      requests_a_second: 'amount?',
      requests_at_once: 'amount?',
      expires_at: 'text?',
    });
    const { accounts, locations = null } = sent;
    await checkGrant(administrator, { accounts, locations }, parts);
    const faults = new Faults();
    const grant = readGrant(sent, { paths: resources, now: now() }, (name, says) =>
      faults.add(name, 'value_invalid', `${name} ${says}`),
    );
    faults.throwIfAny();
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
    const { overlap_seconds = OVERLAP_MS / 1000 } = await readFields(request, reply, {
      overlap_seconds: 'number?',
    });
    const old = await managed(administrator, request.params.unique_identifier);
    if (overlap_seconds > MAX_OVERLAP_S)
      throw new ApiError('value_invalid', {
        param: 'overlap_seconds',
        message: `overlap_seconds must be at most ${MAX_OVERLAP_S}, which is 90 days.`,
      });
    const status = statusOf(old, now());
    if (status !== 'active')
      throw new ApiError('value_invalid', {
        message: `This key is ${status}, and only an active key can be rotated. Create a key instead.`,
      });
    const times = { now: now(), overlap: overlap_seconds * 1000 };
    const { key, secret, replaces } = await rotateKey(keys, old, times);
    observer.administered('key_rotated', administrator.unique_identifier, old.unique_identifier);
    return send(reply, key, {
      secret,
      replaces: { ...replaces, expires_at: timeOrNull(replaces.expires_at) },
    });
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
