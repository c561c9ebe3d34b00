/** Endpoints and deliveries as rows of tables, of whichever store. */
import { webhookDelivery } from '../../../core/objects/webhook-delivery.ts';
import { webhookEndpoint } from '../../../core/objects/webhook-endpoint.ts';
import type { WebhookState } from '../../promises/webhooks.ts';
import { columnTypes, rowReader, selected } from './own-rows.ts';

export const ENDPOINT_COLUMNS = selected(webhookEndpoint);

export type EndpointRow = readonly unknown[];

export const toEndpoint = rowReader(webhookEndpoint);

/** The columns that change, each with its type: what is not said of them stays. */
export const STATE_COLUMNS = Object.entries(columnTypes(webhookEndpoint)).filter(
  ([name]) => webhookEndpoint.fields[name as keyof WebhookState]?.settable,
);

/** A state as a JSON object of columns. */
export function stateJson({ settings, secrets, ...rest }: Partial<WebhookState>): string {
  return JSON.stringify({
    ...rest,
    ...(settings && { settings: JSON.stringify(settings) }),
    ...(secrets && { secrets: JSON.stringify(secrets) }),
  });
}

/** The columns in the order of a `DeliveryRow`; each is a member of a delivery by the same name. */
export const DELIVERY_COLUMNS = Object.entries(columnTypes(webhookDelivery));

export type DeliveryRow = readonly (string | number | null)[];

export const toDelivery = rowReader(webhookDelivery);

/** The columns to update when a delivery is written again: all but its identity and its first time. */
export const DELIVERY_RENEWED = DELIVERY_COLUMNS.map(([name]) => name).filter(
  (name) => !['endpoint', 'change', 'unique_identifier', 'inserted_at'].includes(name),
);
