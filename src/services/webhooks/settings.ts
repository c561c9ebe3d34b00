/** The settings of an endpoint, checked against what exists. */

import { ApiError, type Faults } from '../../core/errors.ts';
import type { WebhookSettings } from '../../core/objects/webhook-endpoint.ts';
import type { Outbound } from '../../core/outbound/outbound.ts';
import { OutboundError } from '../../core/outbound/outbound-error.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { missingAt } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import { complaintOf } from './notifications.ts';

export const DEFAULTS: Omit<WebhookSettings, 'url'> = {
  description: null,
  notifications: ['*'],
  locations: null,
  payload: 'thin',
};

/** Adds a fault for each notification that does not exist. */
export function checkNotifications(
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
export function mergedSettings(
  before: WebhookSettings,
  { url, description, notifications, locations, payload }: JsonObject,
): WebhookSettings {
  const or = <T>(value: unknown, old: T, otherwise: T) =>
    value === undefined ? old : value === null ? otherwise : (value as T);
  return {
    url: or(url, before.url, before.url),
    description: or(description, before.description, DEFAULTS.description),
    notifications: or(notifications, before.notifications, DEFAULTS.notifications),
    locations: or(locations, before.locations, DEFAULTS.locations),
    payload: or(payload, before.payload, DEFAULTS.payload),
  };
}

/** Throws `webhook_url_refused`. A name that does not exist yet may exist when it is needed. */
export async function checkUrl(outbound: Outbound, url: string, account: string): Promise<void> {
  try {
    await outbound.check(url, 'webhook', account);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isPlain = /^http:/i.test(url);
    if (!error.isRefusal && !isPlain) return;
    const why = error.isRefusal ? error.message : 'must begin with https://';
    throw new ApiError('webhook_url_refused', { param: 'url', message: `url ${why}.` });
  }
}

/** Throws `resource_missing` for a location that the key may not see in the account. */
export async function checkLocations(
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
