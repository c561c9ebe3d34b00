/** Endpoints and deliveries as rows of tables, of whichever store. */
import type { WebhookDelivery, WebhookEndpoint, WebhookState } from './webhooks.ts';

export const ENDPOINT_COLUMNS =
  'unique_identifier, of_account, key, settings, secrets, status, reason, failing_since, position, inserted_at, updated_at';

export type EndpointRow = readonly [
  unique_identifier: string,
  account: string,
  key: string,
  settings: string,
  secrets: string,
  status: string,
  reason: string | null,
  failing_since: number | null,
  position: string | null,
  inserted_at: number,
  updated_at: number,
];

export function toEndpoint(row: EndpointRow): WebhookEndpoint {
  const [unique_identifier, account, key, settings, secrets, status, ...rest] = row;
  const [reason, failing_since, position, inserted_at, updated_at] = rest;
  return {
    unique_identifier,
    account,
    key,
    settings: JSON.parse(settings) as WebhookEndpoint['settings'],
    secrets: JSON.parse(secrets) as WebhookEndpoint['secrets'],
    status: status as WebhookEndpoint['status'],
    reason,
    failing_since,
    position,
    inserted_at,
    updated_at,
  };
}

/** The columns that change, each with its type: what is not said of them stays. */
export const STATE_COLUMNS = [
  ['key', 'text'],
  ['settings', 'text'],
  ['secrets', 'text'],
  ['status', 'text'],
  ['reason', 'text'],
  ['failing_since', 'bigint'],
  ['position', 'text'],
] as const;

/** A state as a JSON object of columns. */
export function stateJson({ settings, secrets, ...rest }: Partial<WebhookState>): string {
  return JSON.stringify({
    ...rest,
    ...(settings && { settings: JSON.stringify(settings) }),
    ...(secrets && { secrets: JSON.stringify(secrets) }),
  });
}

/** In the order of a `DeliveryRow`; each is a member of a delivery by the same name. */
export const DELIVERY_COLUMNS = [
  ['endpoint', 'text'],
  ['change', 'text'],
  ['unique_identifier', 'text'],
  ['position', 'bigint'],
  ['place', 'bigint'],
  ['type', 'text'],
  ['record', 'text'],
  ['status', 'text'],
  ['attempts', 'bigint'],
  ['status_code', 'bigint'],
  ['error', 'text'],
  ['duration_ms', 'bigint'],
  ['next_at', 'bigint'],
  ['inserted_at', 'bigint'],
  ['updated_at', 'bigint'],
] as const;

export type DeliveryRow = readonly (string | number | null)[];

export function toDelivery(row: DeliveryRow): WebhookDelivery {
  return Object.fromEntries(
    DELIVERY_COLUMNS.map(([name], index) => [name, row[index] ?? null]),
  ) as unknown as WebhookDelivery;
}

/** What a delivery that is written again takes over from what is new: all but who it is and since when. */
export const DELIVERY_RENEWED = DELIVERY_COLUMNS.map(([name]) => name).filter(
  (name) => !['endpoint', 'change', 'unique_identifier', 'inserted_at'].includes(name),
);
