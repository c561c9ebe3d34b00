/** Webhook endpoints as callers make, change and look at them. */
import { setTimeout as pause } from 'node:timers/promises';

import { ApiError, type Faults } from '../../../core/errors.ts';
import { createPageReads } from '../../../core/fair/page-reads.ts';
import { present } from '../../../core/objects/own-object.ts';
import type { Outbound } from '../../../core/outbound/outbound.ts';
import { OutboundError } from '../../../core/outbound/outbound-error.ts';
import type { Resource } from '../../../core/schema/define.ts';
import {
  changeId,
  createIdentifiers,
  OF_NO_CHANGE,
  readChangeId,
} from '../../../core/schema/id.ts';
import type { ParamsReader } from '../../../core/schema/parse/parse.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { sifted } from '../../../core/sifted.ts';
import {
  authorizeAction,
  authorizeNamedRight,
  isOperator,
  type Principal,
} from '../../../records/auth/principal.ts';
import { accountOf } from '../../../records/changes/feed.ts';
import type { ServeParts } from '../../../services/served.ts';
import { missingAt, noSuch } from '../../../store/promises/refusals.ts';
import type { Store } from '../../../store/promises/store.ts';
import { featureSays } from '../../says.ts';
import {
  RIGHT,
  type WebhookEndpoint,
  type WebhookSettings,
  type WebhookState,
  webhookEndpoint,
} from '../declares.ts';
import { type DeliveriesQuery, LEASE_MS } from '../store.ts';
import { checkReplay, replayFrom, type Slot } from './replay.ts';
import { type Attempt, createWebhookSecret, opens, type Sender, secretsFault } from './sender.ts';
import { complaintOf, notificationOf, TEST } from './source.ts';

const MAX_ENDPOINTS = 20;
/** Secrets that sign a notification at the most: receivers take no headers beyond some kilobytes. */
const MAX_SECRETS = 50;
const ROTATION_SECONDS = 86_400;

/** All methods throw `webhooks_unavailable` and faults of the parameters, and those that name an endpoint `resource_missing`. */
export function createWebhookEndpoints(
  parts: ServeParts,
  sender: Sender | undefined,
  hurry: () => void,
) {
  const { store, resources, outbound, sealer, now, tests = [] } = parts;
  const { webhooks } = store;
  const identify = createIdentifiers(now);
  const [root] = resources;
  const anchor = resources.find((resource) => resource.anchor);
  if (root === undefined || anchor === undefined) throw new TypeError('There are no accounts.');
  const check = checkNotifications(resources);
  const reads = createPageReads();

  const sealed = () => {
    if (sealer === undefined || sender === undefined) throw new ApiError('webhooks_unavailable');
    return { sealer, sender };
  };

  const find = async (principal: Principal, unique_identifier: string) => {
    authorize(principal);
    const found = await webhooks.find(unique_identifier);
    if (found === undefined || !mayHave(principal, found)) throw endpointMissing();
    return found;
  };

  /** Nothing is sent any more by what the endpoint was before. */
  const applied = async (unique_identifier: string): Promise<void> => {
    const end = performance.now() + LEASE_MS;
    for (let wait = 5; await webhooks.isEnding(unique_identifier); wait *= 1.5) {
      // A lease of a process that is gone ends by itself.
      if (performance.now() > end) return;
      hurry();
      await pause(Math.min(wait, 250));
    }
  };

  const changed = async (
    unique_identifier: string,
    state: Partial<WebhookState>,
    how?: Parameters<typeof webhooks.change>[2],
  ) => {
    const endpoint = await webhooks.change(unique_identifier, state, how);
    if (endpoint === undefined) throw endpointMissing();
    await applied(unique_identifier);
    return endpoint;
  };

  const seal = (unique_identifier: string) => {
    const secret = createWebhookSecret();
    return { secret, sealed: sealed().sealer.seal(secret, unique_identifier) };
  };

  const sendTest = (endpoint: WebhookEndpoint): Promise<Attempt> => {
    const data = JSON.stringify(present(webhookEndpoint, endpoint, 'api', 0));
    const body = notificationOf(TEST, now(), data);
    return sealed().sender.send(endpoint, { id: identify(OF_NO_CHANGE), body });
  };

  return {
    find,
    async create(principal: Principal, params: ParamsReader) {
      authorize(principal);
      sealed();
      const values = params(check);
      const account = accountOf(principal, values.account as string | undefined, root.shape);
      const settings = mergedSettings(DEFAULTS, values);
      await checkLocations(store, anchor, principal, account, settings.locations);
      await checkUrl(outbound, settings.url, account);
      if ((await webhooks.list([account])).length >= MAX_ENDPOINTS)
        throw new ApiError('webhook_endpoints_too_many');
      const last = await store.log.last(account);
      const unique_identifier = identify('whk_');
      const { secret, sealed: text } = seal(unique_identifier);
      const endpoint = await webhooks.create({
        unique_identifier,
        account,
        // An administrator's endpoint is sent all of the account, and stays when they leave.
        key: principal.person === undefined ? principal.key : account,
        settings,
        secrets: [{ sealed: text, until: null }],
        status: 'enabled',
        reason: null,
        failing_since: null,
        position: last === undefined ? null : changeId(account, last),
      });
      return { endpoint, secret };
    },
    /** Lists those that the caller may have, newest first, from after one of them. */
    async list(
      principal: Principal,
      after: string | undefined,
      limit: number,
    ): Promise<readonly WebhookEndpoint[]> {
      authorize(principal);
      const accounts = [...principal.scope.accounts];
      return sifted(
        { after, limit },
        (after, limit) => webhooks.page(accounts, after, limit),
        (endpoint) => mayHave(principal, endpoint),
      );
    },
    async change(principal: Principal, unique_identifier: string, params: ParamsReader) {
      const before = await find(principal, unique_identifier);
      const { status, ...values } = params(check);
      const settings = mergedSettings(before.settings, values);
      await checkLocations(store, anchor, principal, before.account, settings.locations);
      if (values.url !== undefined) await checkUrl(outbound, settings.url, before.account);
      const isElsewhere = settings.url !== before.settings.url;
      // No service starts with another key than such an endpoint's. Without any, another process may deliver to it.
      if (status === 'enabled' && sealer && secretsFault([before], sealer, now()) !== undefined)
        throw new ApiError('webhooks_unavailable');
      const fresh = { failing_since: null, next_at: null, strikes: 0 };
      const isFailing = before.status === 'failing';
      const state = {
        ...(Object.keys(values).length > 0 && { settings }),
        ...(isElsewhere && { ...fresh, ...(isFailing && { status: 'enabled' as const }) }),
        ...(status === 'enabled' && {
          ...{ status: 'enabled' as const, reason: null, ...fresh },
          ...keyAfter(before, principal),
        }),
        ...(status === 'paused' && { status: 'paused' as const, reason: 'paused' }),
      };
      // Either says that it works, so what is pending need not wait for its next try.
      return changed(unique_identifier, state, { hastens: status === 'enabled' || isElsewhere });
    },
    async remove(principal: Principal, unique_identifier: string): Promise<void> {
      await find(principal, unique_identifier);
      await webhooks.stop(unique_identifier);
      await applied(unique_identifier);
      await webhooks.remove(unique_identifier);
    },
    async rotate(principal: Principal, unique_identifier: string, params: ParamsReader) {
      const before = await find(principal, unique_identifier);
      const { expires_in } = params();
      const seconds = typeof expires_in === 'number' ? expires_in : ROTATION_SECONDS;
      const until = now() + seconds * 1000;
      const { secret, sealed: text } = seal(unique_identifier);
      const old = before.secrets
        .map((one) => ({ ...one, until: Math.min(one.until ?? until, until) }))
        .filter((one) => one.until > now())
        // One whose key is lost could not sign anything, and nothing would be sent.
        .filter((one) => opens(sealed().sealer, one.sealed, unique_identifier));
      if (old.length >= MAX_SECRETS)
        throw new ApiError('value_invalid', {
          param: 'expires_in',
          message: `${old.length} secrets of this endpoint have not expired: send 0 as expires_in, which ends them, or wait.`,
        });
      const secrets = [{ sealed: text, until: null }, ...old];
      return { endpoint: await changed(unique_identifier, { secrets }), secret };
    },
    async replay(principal: Principal, unique_identifier: string, params: ParamsReader) {
      const { account } = await find(principal, unique_identifier);
      const values = params(checkReplay);
      const slot: Slot = (read) => reads.run(principal.key, read);
      const position = await replayFrom(store.log, account, values, slot);
      return changed(unique_identifier, { position });
    },
    /** Sends one change again, in its place in the queue. */
    async resend(principal: Principal, unique_identifier: string, params: ParamsReader) {
      const { account } = await find(principal, unique_identifier);
      const { change } = params();
      const sent = String(change);
      // Of notifications that tell of no change, the identifier is their own.
      const isNamed = readChangeId(account, sent) !== undefined || /^msg_\w+$/.test(sent);
      const before = isNamed
        ? await webhooks.delivery(unique_identifier, { change: sent })
        : undefined;
      if (before === undefined) {
        const message =
          'This change was not sent to this webhook endpoint in the last 30 days. The deliveries of the endpoint list those that were; to send others, use replay.';
        throw new ApiError('resource_missing', { param: 'change', message });
      }
      const pending = {
        status: 'pending',
        attempts: 0,
        next_at: now(),
        updated_at: now(),
      } as const;
      const delivery = { ...before, ...pending };
      await webhooks.redeliver(delivery);
      return delivery;
    },
    async test(principal: Principal, unique_identifier: string, params: ParamsReader) {
      const endpoint = await find(principal, unique_identifier);
      params();
      const attempt = await sendTest(endpoint);
      const forge = async () => {
        const { sealed: text } = seal(unique_identifier);
        return (await sendTest({ ...endpoint, secrets: [{ sealed: text, until: null }] }))
          .status_code;
      };
      for (const watch of tests) await watch(principal, attempt.status_code, forge);
      return attempt;
    },
    async deliveries(
      principal: Principal,
      endpoint: string,
      {
        after: id,
        ...query
      }: Pick<DeliveriesQuery, 'status' | 'limit'> & { after?: string | undefined },
    ) {
      await find(principal, endpoint);
      if (id === undefined) return webhooks.deliveries({ ...query, endpoint });
      const after = await webhooks.delivery(endpoint, { unique_identifier: id });
      if (after !== undefined) return webhooks.deliveries({ ...query, endpoint, after });
      const message =
        'There is no delivery with this unique_identifier to this webhook endpoint, or it is no longer kept.';
      throw new ApiError('resource_missing', { param: 'starting_after', message });
    },
  };
}

/** The key that enables an endpoint decides what it is sent from then on; a person does so only where its key has ended. */
function keyAfter({ account, reason }: WebhookEndpoint, principal: Principal) {
  if (principal.person !== undefined) return reason === 'key_ended' ? { key: account } : {};
  return isOperator(principal) ? {} : { key: principal.key };
}

const DEFAULTS: WebhookSettings = {
  url: '',
  description: null,
  notifications: ['*'],
  locations: null,
  payload: 'thin',
};

/** Adds a fault for each notification that does not exist. */
function checkNotifications(
  resources: readonly Resource[],
): (values: JsonObject, faults: Faults) => void {
  const names = resources.map(({ name }) => name);
  return ({ notifications }, faults) => {
    for (const [index, one] of Array.isArray(notifications) ? notifications.entries() : []) {
      const complaint = complaintOf(String(one), names);
      const at = `notifications.${index}`;
      if (complaint !== undefined) {
        const end = complaint.endsWith('?') ? '' : '.';
        faults.add(at, 'value_invalid', `${at} ${complaint}${end}`);
      }
    }
  };
}

/** The settings with what was sent: `null` resets a member, and one that was not sent stays as it is. */
function mergedSettings(before: WebhookSettings, values: JsonObject): WebhookSettings {
  const said = Object.entries(values).filter(([name]) => name in before);
  const merged = said.map(([name, value]) => [name, value ?? DEFAULTS[name as 'payload']]);
  const ofRecords = featureSays.flatMap(({ name }) => {
    const is = Object.hasOwn(values, name) ? values[name] : before.said?.[name];
    return typeof is === 'boolean' ? [[name, is] as const] : [];
  });
  return {
    ...{ ...before, ...Object.fromEntries(merged), url: String(values.url ?? before.url) },
    ...{ said: Object.fromEntries(ofRecords) },
  };
}

/** Throws `webhook_url_refused`. A name that does not exist yet may exist when it is needed. */
async function checkUrl(
  outbound: Outbound | undefined,
  url: string,
  account: string,
): Promise<void> {
  try {
    await outbound?.check(url, 'webhook', account);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isPlain = /^http:/i.test(url);
    if (!error.isRefusal && !isPlain) return;
    const why = error.isRefusal ? error.message : 'must begin with https://';
    throw new ApiError('webhook_url_refused', { param: 'url', message: `url ${why}.` });
  }
}

/** Throws `resource_missing` for a location that the key may not see in the account. */
async function checkLocations(
  store: Store,
  anchor: Resource,
  { scope }: Principal,
  account: string,
  locations: readonly string[] | null,
): Promise<void> {
  if (locations === null) return;
  const found = await store.findAll(anchor.shape, locations, {
    ...scope,
    accounts: new Set([account]),
  });
  const known = new Set(found.map(({ unique_identifier }) => unique_identifier));
  const unknown = locations.findIndex((one) => !known.has(one));
  if (unknown >= 0) throw missingAt(`locations.${unknown}`, anchor.shape, locations[unknown] ?? '');
}

/** Throws `permission_denied` unless the key may have webhooks. */
function authorize(principal: Principal): void {
  authorizeNamedRight(principal, RIGHT);
  authorizeAction(principal, 'read');
}

/** A key that is limited to locations or resources has its own endpoints alone: others may show more than it sees. */
function mayHave(
  { key, scope, resources }: Principal,
  endpoint: Pick<WebhookEndpoint, 'account' | 'key'>,
): boolean {
  const isWhole = scope.anchors === undefined && resources === undefined;
  return scope.accounts.has(endpoint.account) && (isWhole || endpoint.key === key);
}

function endpointMissing(): ApiError {
  return new ApiError('resource_missing', { message: noSuch('webhook_endpoint') });
}
