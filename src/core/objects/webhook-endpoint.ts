/** A webhook endpoint: where notifications are sent, which, and how far it has come. */
import { choice, text } from '../schema/fields/index.ts';
import type { Json } from '../schema/values.ts';
import { identifier, identifiers, json, openChoice, texts, time } from './kinds.ts';
import { derived, field, nullable, type ObjectOf, ownObject } from './own-object.ts';

export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  /** Such as `event.created`, `*.deleted` or `*`. */
  readonly notifications: readonly string[];
  /** Unique identifiers of the only locations whose changes are sent; `null`: of all. */
  readonly locations: readonly string[] | null;
  readonly deliver: 'changes' | 'signal';
  readonly payload: 'thin' | 'full';
}

export interface SealedSecret {
  /** Encrypted by a key that is not in the store. */
  readonly sealed: string;
  /** When it ends, in milliseconds since 1970; `null`: it is the one that stays. */
  readonly until: number | null;
}

/** By any change of an endpoint: what is not said stays. */
const settable = true;

export const webhookEndpoint = ownObject({
  name: 'webhook_endpoint',
  typeName: 'WebhookEndpoint',
  says: 'Where notifications of the changes of an account are sent.',
  table: 'webhook_endpoint',
  key: ['unique_identifier'],
  path: '/v1/webhook_endpoints',
  removable: true,
  fields: {
    unique_identifier: field(identifier('whk_'), 'Identifier of the endpoint'),
    account: field(identifier('acct_'), 'The account whose changes are sent', {
      column: 'of_account',
    }),
    url: derived(text(), 'Where notifications are sent', setting('url'), {
      example: 'https://example.com/webhooks/ledgerstone',
    }),
    description: derived(text(), 'What it is for', setting('description'), {
      nullable: true,
      example: 'Front desk',
    }),
    notifications: derived(texts(), 'Which notifications are sent', setting('notifications'), {
      example: ['event_check_in_record.created', '*.deleted'],
    }),
    locations: derived(
      identifiers('loc_'),
      'The only locations whose changes are sent; null: all',
      setting('locations'),
      { nullable: true, example: null },
    ),
    deliver: derived(
      choice('changes', 'signal'),
      'Whether each change is sent, or only that there are some',
      setting('deliver'),
      { example: 'changes' },
    ),
    payload: derived(
      choice('thin', 'full'),
      'Whether the record is sent with the change',
      setting('payload'),
      { example: 'thin' },
    ),
    status: field(
      openChoice('enabled', 'failing', 'paused', 'disabled'),
      '`failing`: many deliveries failed, and it is tried now and then until one succeeds; `paused` and `disabled`: nothing is sent',
      { example: 'enabled', settable },
    ),
    reason: nullable(
      text(),
      'Why it is paused or disabled: `paused` by a request, `key_ended`, `gone` (it answered 410), `failing_too_long`, `changes_expired`, `changes_rewound` or `restored`',
      { as: 'disabled_reason', example: null, settable },
    ),
    failing_since: nullable(time(), 'When the first delivery failed since the last success', {
      example: null,
      settable,
    }),
    position: nullable(
      identifier('chg_'),
      'The change up to which all are delivered, or are listed as pending',
      { settable },
    ),
    key: field(
      identifier('key_'),
      'The API key that sees for it: what that key may not read is not sent. The account itself where an administrator made it in the console',
      { settable },
    ),
    inserted_at: field(time(), 'When it was created', { example: '2026-11-20T14:30:00Z' }),
    updated_at: field(time(), 'When it was last changed by a request', {
      example: '2026-11-20T14:30:00Z',
    }),
    secret: derived(
      text(),
      'What notifications are signed with; shown only in the answer that creates or rotates it',
      ({ secret = null }: { readonly secret?: string | null }) => secret,
      {
        ...{ leftOut: true, seldom: true },
        example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDN2M1Vwrl4r0=',
      },
    ),
    settings: field(json<WebhookSettings>(), 'What its maker says of it', { to: [], settable }),
    /** The newest first. */
    secrets: field(json<readonly SealedSecret[]>(), 'What notifications are signed with', {
      to: [],
      settable,
    }),
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
