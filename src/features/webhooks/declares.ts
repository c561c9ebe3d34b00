/** A webhook endpoint: its URL, the notifications it receives, and its position in the log of changes; and its deliveries. */
import {
  count,
  identifier,
  identifiers,
  json,
  openChoice,
  texts,
  time,
} from '../../core/objects/kinds.ts';
import {
  derived,
  field,
  local,
  nullable,
  type ObjectOf,
  ownObject,
} from '../../core/objects/own-object.ts';
import { boolean, choice, text } from '../../core/schema/fields/index.ts';
import type { Json } from '../../core/schema/values.ts';
import { featureSays } from '../says.ts';

/** The right of keys, by its name, to make webhook endpoints and to change them. */
export const RIGHT = 'webhooks';
export const roles = { [RIGHT]: { of: ['administrator'] } } as const;

export const rights = {
  [RIGHT]: 'to make webhook endpoints, which are sent the changes that the key may read',
};

export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  /** Such as `event.created`, `*.deleted` or `*`. */
  readonly notifications: readonly string[];
  /** Unique identifiers of the only locations whose changes are sent; `null`: of all. */
  readonly locations: readonly string[] | null;
  readonly payload: 'thin' | 'full';
  /** By what features say of records: only changes of those of which that is so, or is not; left out: of all. */
  readonly said?: Readonly<Record<string, boolean>>;
}

export interface SealedSecret {
  /** Encrypted by a key that is not in the store. */
  readonly sealed: string;
  /** When it ends, in milliseconds since 1970; `null`: it is the one that stays. */
  readonly until: number | null;
}

/** A member for each that features say of records. */
const saidFields: object = Object.fromEntries(
  featureSays.map(({ name }) => [
    name,
    derived(
      boolean(),
      `Whether only changes of records are sent of which \`${name}\` is so; null: of all`,
      ({ settings }: { readonly settings: WebhookSettings }) => settings.said?.[name] ?? null,
      { nullable: true, example: null },
    ),
  ]),
);

/** By any change of an endpoint: what is not said stays. */
const settable = true;

export const webhookEndpoint = ownObject({
  name: 'webhook_endpoint',
  says: 'A URL that receives notifications of changes to an account.',
  table: 'webhook_endpoint',
  indexes: { account: 'of_account, unique_identifier' },
  goesWith: 'account',
  backup: 'webhook_endpoints',
  holds: 'Webhook endpoints',
  goes: 'When the endpoint is removed',
  identifiers: 'lease',
  nothing: 'reason secrets',
  path: '/v1/webhook_endpoints',
  removable: true,
  printed: {
    columns: [
      ...['unique_identifier', 'status'],
      ['REASON', 'disabled_reason'],
      ...['url', 'notifications', 'failing_since'],
    ],
    none: 'There are no webhook endpoints: "ledgerstone webhooks create" creates one.',
  },
  fields: {
    unique_identifier: field(identifier('whk_'), 'Identifier of the endpoint'),
    account: field(identifier('acct_'), 'The account whose changes are sent', {
      column: 'of_account',
    }),
    url: derived(text(), 'URL that receives the notifications', setting('url'), {
      example: 'https://example.com/webhooks/ledgerstone',
    }),
    description: derived(text(), 'Your description of it', setting('description'), {
      nullable: true,
      example: 'Front desk',
    }),
    notifications: derived(texts(), 'Notifications that are sent', setting('notifications'), {
      example: ['event_check_in_record.created', '*.deleted'],
    }),
    locations: derived(
      identifiers('loc_'),
      'The locations whose changes are sent; null: all',
      setting('locations'),
      { nullable: true, example: null },
    ),
    payload: derived(
      choice('thin', 'full'),
      'Whether the record is included with the change',
      setting('payload'),
      { example: 'thin' },
    ),
    ...saidFields,
    status: field(
      openChoice('enabled', 'failing', 'paused', 'disabled'),
      '`failing`: nothing was taken in the last ten tries or more; `paused` and `disabled`: nothing is sent',
      { example: 'enabled', settable },
    ),
    reason: nullable(
      text(),
      'Why it is paused or disabled: `paused` by a request, `key_ended`, `gone` (it answered 410), `failing_too_long`, `changes_expired`, `changes_rewound` or `restored`',
      { as: 'disabled_reason', example: null, settable },
    ),
    failing_since: nullable(time(), 'When the first delivery after the last success failed', {
      example: null,
      settable,
    }),
    next_at: nullable(
      time(),
      'When it is tried next, where it answers nothing, or has asked for a pause with `Retry-After`',
      { as: 'next_attempt_at', example: null, settable },
    ),
    strikes: field(
      count(),
      'Failures since the last success, of which one in five minutes counts',
      { to: [], settable, initial: 0 },
    ),
    position: nullable(
      identifier('chg_'),
      'All changes up to this one are delivered, or listed as pending',
      { settable },
    ),
    key: field(
      identifier('key_'),
      'The API key whose permissions apply: records that this key may not read are not sent. The account, if an administrator created the endpoint in the console',
      { settable },
    ),
    inserted_at: field(time(), 'When it was created', { example: '2026-11-20T14:30:00Z' }),
    updated_at: field(time(), 'When it was last changed by a request', {
      example: '2026-11-20T14:30:00Z',
    }),
    secret: derived(
      text(),
      'Secret that signs the notifications; shown only when it is created or rotated',
      ({ secret = null }: { readonly secret?: string | null }) => secret,
      {
        leftOut: true,
        seldom: true,
        example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDN2M1Vwrl4r0=',
      },
    ),
    settings: field(json<WebhookSettings>(), 'Its settings', { to: [], settable, personal: true }),
    /** The newest first. */
    secrets: field(json<readonly SealedSecret[]>(), 'Secrets that sign the notifications', {
      to: [],
      settable,
    }),
    lease: local(text(), 'The process that delivers', { orNull: true }),
    lease_until: local(time(), 'Until when, by the clock of the store', { initial: 0 }),
    announced: local(count(), 'Raised by each notification of a state', { initial: 0 }),
  },
});

export type WebhookEndpoint = ObjectOf<typeof webhookEndpoint.fields>;
export type WebhookStatus = WebhookEndpoint['status'];

/** The members of an endpoint that change, each by itself. */
export type WebhookState = Omit<
  WebhookEndpoint,
  'unique_identifier' | 'account' | 'inserted_at' | 'updated_at'
>;

function setting(name: keyof WebhookSettings) {
  return ({ settings }: { readonly settings: WebhookSettings }): Json => settings[name] as Json;
}

export const webhookTest = ownObject({
  name: 'webhook_test',
  says: 'The outcome of a test notification.',
  fields: {
    delivered: field(boolean(), 'Whether the endpoint answered 2xx', { example: true }),
    status_code: nullable(count(), 'HTTP status of the response', { example: 200 }),
    error: nullable(text(), 'Why the test failed', { example: null }),
    duration_ms: field(count(), 'Duration in milliseconds', { example: 84 }),
  },
});

export const webhookDelivery = ownObject({
  name: 'webhook_delivery',
  says: 'The delivery of one change to one endpoint. Kept for 30 days.',
  table: 'webhook_delivery',
  key: ['endpoint', 'change'],
  indexes: {
    order: 'endpoint, position, place, change',
    pending: "endpoint, position, place WHERE status = 'pending'",
    updated: 'updated_at',
  },
  goesWith: 'account',
  below: ['endpoint', 'webhook_endpoint'],
  backup: 'webhook_deliveries',
  ends: true,
  holds: 'What became of each notification',
  goes: 'After 30 days',
  nothing: 'type error',
  path: '/v1/webhook_endpoints/{whk_}/deliveries',
  printed: {
    columns: [
      ...['change', 'type', 'status', 'attempts'],
      ['ANSWER', 'status_code'],
      ['TIME', 'updated_at'],
      'error',
    ],
    none: 'There are no deliveries.',
  },
  since: (moment) => `updated_at > ${moment}`,
  fields: {
    unique_identifier: field(identifier('dlv_'), 'Identifier of the delivery'),
    endpoint: field(identifier('whk_'), 'The endpoint', { as: 'webhook_endpoint' }),
    change: field(
      identifier('chg_'),
      'The change; its identifier is sent as `webhook-id`. `msg_…` of a notification of no change',
    ),
    /** The position of the change in the log of the account. */
    position: field(count(), 'The commit of the change', { to: [] }),
    place: field(count(), 'The place of the change in its commit', { to: [] }),
    type: field(text(), 'The notification', { example: 'event_check_in_record.created' }),
    record: field(
      identifier('eci_'),
      'The record that was changed; of `source.silent` and `source.back` the expectation',
    ),
    status: field(
      choice('pending', 'delivered', 'failed'),
      '`pending`: due for an attempt, or waiting for an earlier change of the record',
      { example: 'pending' },
    ),
    attempts: field(
      count(),
      'Number of attempts so far, but for those while the endpoint answered nothing at all',
      { example: 1 },
    ),
    status_code: nullable(count(), 'HTTP status of the last response', { example: 503 }),
    error: nullable(text(), 'Why the last attempt failed', {
      example: 'The endpoint answered 503.',
    }),
    duration_ms: nullable(count(), 'Duration of the last attempt, in milliseconds', {
      example: 112,
    }),
    /** `null` where it waits for another one, or is finished. */
    next_at: nullable(time(), 'Time of the next attempt', {
      as: 'next_attempt_at',
      example: '2026-11-20T14:30:06Z',
    }),
    inserted_at: field(time(), 'When it was created', { example: '2026-11-20T14:30:00Z' }),
    updated_at: field(time(), 'When it was last attempted or changed', {
      example: '2026-11-20T14:30:01Z',
    }),
  },
});

export type WebhookDelivery = ObjectOf<typeof webhookDelivery.fields>;

export const objects = [webhookEndpoint, webhookTest, webhookDelivery];
export const tables = [webhookDelivery, webhookEndpoint];

/** Any resource, or any outcome, in the pattern of a notification. */
export const ANY = '*';

export function isWanted(notifications: readonly string[], resource: string, outcome: string) {
  return notifications.some((pattern) => {
    if (pattern === ANY) return true;
    const [name, what] = partsOf(pattern);
    return (name === ANY || name === resource) && (what === ANY || what === outcome);
  });
}

export function partsOf(pattern: string): readonly [resource: string, outcome: string | undefined] {
  const dot = pattern.indexOf('.');
  return dot < 0 ? [pattern, undefined] : [pattern.slice(0, dot), pattern.slice(dot + 1)];
}
