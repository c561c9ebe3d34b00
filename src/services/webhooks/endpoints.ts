/** Webhook endpoints as callers make, change and look at them. */

import { ApiError } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import type { WebhookDelivery } from '../../core/objects/webhook-delivery.ts';
import {
  type WebhookEndpoint,
  type WebhookState,
  webhookEndpoint,
} from '../../core/objects/webhook-endpoint.ts';
import type { Outbound } from '../../core/outbound/outbound.ts';
import { changeId, readChangeId } from '../../core/schema/change-id.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { ParamsReader } from '../../core/schema/parse/read-params.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { isOperator, type Principal } from '../../records/auth/principal.ts';
import { accountOf } from '../../records/changes/feed.ts';
import type { Store } from '../../store/promises/store.ts';
import { authorizeWebhooks, endpointMissing, mayHave } from './access.ts';
import { type Attempt, createWebhookSecret, type Sender } from './delivery/sender.ts';
import { notificationOf } from './delivery/source.ts';
import { opens, secretsFault } from './locked.ts';
import { TEST } from './notifications.ts';
import { checkReplay, replayFrom } from './replay.ts';
import {
  checkLocations,
  checkNotifications,
  checkUrl,
  DEFAULTS,
  mergedSettings,
} from './settings.ts';

const MAX_ENDPOINTS = 20;
/** Secrets that an endpoint is signed with at the most, the newest among them. */
const MAX_SECRETS = 5;
const ROTATION_SECONDS = 86_400;

export interface DeliveriesRequest {
  readonly status?: WebhookDelivery['status'] | undefined;
  readonly limit: number;
  readonly starting_after?: string | undefined;
}

export interface EndpointsParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly outbound: Outbound;
  /** The key that encrypts secrets, and the sender that uses them; `undefined` without such a key. */
  readonly sealed: { readonly sealer: Sealer; readonly sender: Sender } | undefined;
  readonly now: () => number;
}

/** Is notified of a test before its caller; `forge` sends one signed with a secret that is not the endpoint's. */
type TestWatch = (
  caller: Principal,
  attempt: Attempt,
  forge: () => Promise<Attempt>,
) => Promise<void>;

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

/** All methods throw `webhooks_unavailable` and faults of the parameters, and those that name an endpoint `resource_missing`. */
export function createWebhookEndpoints(parts: EndpointsParts) {
  const { store, resources, outbound, sealed, now } = parts;
  const { webhooks } = store;
  const identify = createIdentifiers(now);
  const [root] = resources;
  const anchor = resources.find((resource) => resource.anchor);
  if (root === undefined || anchor === undefined) throw new TypeError('There are no accounts.');
  const check = checkNotifications(resources);
  const watches: TestWatch[] = [];

  const sealedParts = () => {
    if (sealed === undefined) throw new ApiError('webhooks_unavailable');
    return sealed;
  };

  const find = async (principal: Principal, unique_identifier: string) => {
    authorizeWebhooks(principal);
    const found = await webhooks.find(unique_identifier);
    if (found === undefined || !mayHave(principal, found)) throw endpointMissing();
    return found;
  };

  const changed = async (unique_identifier: string, state: Partial<WebhookState>) => {
    const endpoint = await webhooks.change(unique_identifier, state);
    if (endpoint === undefined) throw endpointMissing();
    return endpoint;
  };

  const seal = (unique_identifier: string) => {
    const secret = createWebhookSecret();
    return { secret, sealed: sealedParts().sealer.seal(secret, unique_identifier) };
  };

  const sendTest = (endpoint: WebhookEndpoint): Promise<Attempt> => {
    const data = JSON.stringify(present(webhookEndpoint, endpoint, 'api', 0));
    const body = notificationOf(TEST, now(), data);
    return sealedParts().sender.send(endpoint, { id: identify('msg_'), body });
  };

  return {
    find,
    async create(principal: Principal, params: ParamsReader) {
      authorizeWebhooks(principal);
      sealedParts();
      const values = params(check);
      const account = accountOf(principal, values.account as string | undefined, root.shape);
      const settings = mergedSettings({ ...DEFAULTS, url: '' }, values);
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
    async list(principal: Principal): Promise<readonly WebhookEndpoint[]> {
      authorizeWebhooks(principal);
      const all = await webhooks.list([...principal.scope.accounts]);
      return all.filter((endpoint) => mayHave(principal, endpoint));
    },
    async change(principal: Principal, unique_identifier: string, params: ParamsReader) {
      const before = await find(principal, unique_identifier);
      const { status, ...values } = params(check);
      const settings = mergedSettings(before.settings, values);
      await checkLocations(store, anchor, principal, before.account, settings.locations);
      if (values.url !== undefined) await checkUrl(outbound, settings.url, before.account);
      // No service starts with another key than such an endpoint's. Without any, another process may deliver to it.
      const sealer = sealed?.sealer;
      if (status === 'enabled' && sealer && secretsFault([before], sealer, now()) !== undefined) {
        throw new ApiError('webhooks_unavailable');
      }
      // Enabling it says that it works, so pending notifications need not wait for their next try.
      if (status === 'enabled') await webhooks.hasten(unique_identifier);
      return changed(unique_identifier, {
        ...(Object.keys(values).length > 0 && { settings }),
        ...(status === 'enabled' && {
          status,
          reason: null,
          failing_since: null,
          ...keyAfter(before, principal),
        }),
        ...(status === 'paused' && { status, reason: 'paused' }),
      });
    },
    async remove(principal: Principal, unique_identifier: string): Promise<void> {
      await find(principal, unique_identifier);
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
        .filter((one) => opens(sealedParts().sealer, one.sealed, unique_identifier))
        .slice(0, MAX_SECRETS - 1);
      const secrets = [{ sealed: text, until: null }, ...old];
      return { endpoint: await changed(unique_identifier, { secrets }), secret };
    },
    async replay(principal: Principal, unique_identifier: string, params: ParamsReader) {
      const { account } = await find(principal, unique_identifier);
      const values = params(checkReplay);
      const position = await replayFrom(store.log, account, values);
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
      const forge = () => {
        const { sealed: text } = seal(unique_identifier);
        return sendTest({ ...endpoint, secrets: [{ sealed: text, until: null }] });
      };
      for (const watch of watches) await watch(principal, attempt, forge);
      return attempt;
    },
    onTest(watch: TestWatch): void {
      watches.push(watch);
    },
    async deliveries(
      principal: Principal,
      unique_identifier: string,
      { status, limit, starting_after }: DeliveriesRequest,
    ) {
      await find(principal, unique_identifier);
      let after: WebhookDelivery | undefined;
      if (starting_after !== undefined) {
        after = await webhooks.delivery(unique_identifier, { unique_identifier: starting_after });
        if (after === undefined) {
          const message =
            'There is no delivery with this unique_identifier to this webhook endpoint, or it is no longer kept.';
          throw new ApiError('resource_missing', { param: 'starting_after', message });
        }
      }
      return webhooks.deliveries({ endpoint: unique_identifier, status, after, limit });
    },
  };
}

/** The key that enables an endpoint decides what it is sent from then on; a person does so only where its key has ended. */
function keyAfter({ account, reason }: WebhookEndpoint, principal: Principal) {
  if (principal.person !== undefined) return reason === 'key_ended' ? { key: account } : {};
  return isOperator(principal) ? {} : { key: principal.key };
}
