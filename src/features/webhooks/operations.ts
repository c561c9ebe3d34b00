/** The operations on webhook endpoints and their deliveries. */
import { present } from '../../core/objects/own-object.ts';
import {
  boolean,
  choice,
  datetime,
  list,
  optional,
  required,
  text,
  wholeNumber,
} from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { type Operation, operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import { featureSays } from '../says.ts';
import { RIGHT, webhookDelivery, webhookEndpoint, webhookTest } from './declares.ts';

export const tag = {
  name: 'Webhooks',
  description: 'Notifications of changes, sent to your system.',
};

export const takes = ['outbound'] as const;

const MAX_LISTED = 1_000;
const MAX_NOTIFICATIONS = 100;
const MAX_LOCATIONS = 1_000;
const MAX_ROTATION_SECONDS = 604_800;

const settings = {
  description: optional(text({ max: 500 }), 'What it is for, in your words', 'Front desk'),
  notifications: optional(
    list(text({ max: 200 }), { min: 1, max: MAX_NOTIFICATIONS }),
    'Which notifications are sent: `event.created`, `event.*`, `*.deleted`, `source.silent` or `*`; all by default',
    ['event_check_in_record.created', '*.deleted'],
  ),
  locations: optional(
    list(text({ max: 200 }), { min: 1, max: MAX_LOCATIONS }),
    'Only changes of these locations and their records, by their unique_identifiers; all by default',
    ['loc_0350hLTg4Qw7ghih1EWE8N'],
  ),
  payload: optional(
    choice('thin', 'full'),
    '`thin` sends the change; `full` also the record as of sending. `thin` by default',
  ),
  ...(Object.fromEntries(
    featureSays.map(({ name, says }) => [
      name,
      optional(
        boolean(),
        `\`false\`: of existing records, only changes of those of which \`${name}\` is false as of sending; \`true\`: only of the others. ${says}`,
      ),
    ]),
  ) as Record<never, never>),
} as const satisfies Members;

const creation = {
  account: optional(
    text({}),
    'unique_identifier of the account; optional if the API key has only one',
    'acct_0350hLTg4Qw7ghih1EWE8L',
  ),
  url: required(
    text({ max: 2048 }),
    'URL that receives the notifications, with https',
    'https://example.com/webhooks/ledgerstone',
  ),
  ...settings,
} as const satisfies Members;

const change = {
  url: optional(creation.url.kind, creation.url.says),
  ...settings,
  status: optional(
    choice('enabled', 'paused'),
    '`paused` sends nothing until it is enabled again; missed changes are sent then',
  ),
} as const satisfies Members;

const PATH = '/v1/webhook_endpoints';
const ONE = `${PATH}/:unique_identifier` as const;
const SECRET = ['secret'];

const NEEDS =
  'Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own.';

const all = {
  tag: tag.name,
  needs: { permission: 'read', right: RIGHT },
  // A stored answer would show a secret for a day that is shown once.
  refusesIdempotencyKey:
    'Webhook endpoints take no Idempotency-Key: send the request without it. PATCH, DELETE, replay and resend may be repeated; where a creation was not answered, list the endpoints before you create another one.',
} as const;

const one = {
  ...all,
  id: { says: 'Identifies the webhook endpoint', prefix: 'whk_' },
  errors: ['resource_missing'],
} as const;

const on = operationsOn(webhookEndpoint, all);
const withSecret = { schema: 'WebhookEndpoint', says: 'The endpoint.', shows: SECRET } as const;

export const operations = (): readonly Operation[] => [
  on.list({
    limit: MAX_LISTED,
    description: `Lists all endpoints that the key may see, newest first. ${NEEDS}`,
    answers: { schema: 'WebhookEndpointList', says: 'One page.', whole: true },
    find: ({ webhooks }, { caller }, { after, limit }) => webhooks.list(caller, after, limit),
  }),
  on.create({
    confirms: true,
    description: `Sends the changes of the account to the URL from now on, signed according to Standard Webhooks. The secret is shown once, in this answer. An account has at most 20 endpoints. ${NEEDS}`,
    body: creation,
    sends: {
      url: 'https://example.com/webhooks/ledgerstone',
      notifications: ['event_check_in_record.created', '*.deleted'],
    },
    answers: withSecret,
    errors: [
      ...one.errors,
      ...(['webhook_url_refused', 'webhooks_unavailable', 'webhook_endpoints_too_many'] as const),
    ],
    once: true,
    run: async ({ webhooks }, { caller, params }) => {
      const { endpoint, secret } = await webhooks.create(caller, params);
      return { ...endpoint, secret };
    },
  }),
  on.get({
    description: `Returns the endpoint, without its secret. ${NEEDS}`,
    run: ({ webhooks }, { caller, id }) => webhooks.find(caller, id),
  }),
  on.change({
    confirms: true,
    name: 'update_webhook_endpoint',
    description: `Omitted members stay. \`"status": "enabled"\` also sends the changes that it missed while it was paused or disabled; from then on the permissions of the key that enables it apply. ${NEEDS}`,
    body: change,
    sends: { status: 'enabled' },
    errors: [...one.errors, 'webhook_url_refused'],
    run: ({ webhooks }, { caller, id, params }) => webhooks.change(caller, id, params),
  }),
  operation({
    ...one,
    confirms: true,
    name: 'delete_webhook_endpoint',
    route: `DELETE ${ONE}`,
    summary: 'Delete a webhook endpoint',
    description: `Nothing more is sent to it. ${NEEDS}`,
    answers: { schema: 'RemovedWebhookEndpoint', says: 'Done.' },
    run: async ({ webhooks }, { caller, id, done }) => {
      await webhooks.remove(caller, id);
      done({ outcome: 'deleted' });
      return { object: 'webhook_endpoint', unique_identifier: id, deleted: true };
    },
  }),
  on.act('rotate_secret', {
    confirms: true,
    name: 'rotate_webhook_secret',
    command: 'rotate <id>',
    summary: 'Rotate the secret of a webhook endpoint',
    description: `Returns the endpoint with a new secret, which is shown once. Until the old secret expires, notifications are signed with both. ${NEEDS}`,
    body: {
      expires_in: optional(
        wholeNumber({ min: 0, max: MAX_ROTATION_SECONDS }),
        'Seconds for which notifications are also signed with the old secret; 86400 by default',
        3600,
      ),
    },
    sends: { expires_in: 3600 },
    answers: withSecret,
    errors: [...one.errors, 'webhooks_unavailable'],
    once: true,
    run: async ({ webhooks }, { caller, id, params }) => {
      const { endpoint, secret } = await webhooks.rotate(caller, id, params);
      return { ...endpoint, secret };
    },
  }),
  on.act('replay', {
    audits: 'administer',
    summary: 'Send changes again',
    description: `Resends all changes after a change or a time, as far as the log of changes goes back, with the same \`webhook-id\`s. ${NEEDS}`,
    body: {
      starting_after: optional(
        text({}),
        'unique_identifier of the change after which all are sent again',
        'chg_0350hLTg4Qw7ghih1EWE8N',
      ),
      since: optional(datetime(), 'The time from which on all changes are sent again'),
    },
    sends: { since: '2026-11-20T00:00:00Z' },
    errors: [
      ...one.errors,
      ...(['parameters_conflict', 'parameter_missing'] as const),
      ...(['position_unknown', 'changes_expired', 'changes_rewound'] as const),
    ],
    run: ({ webhooks }, { caller, id, params }) => webhooks.replay(caller, id, params),
  }),
  operation({
    ...one,
    name: 'resend_webhook_delivery',
    audits: 'administer',
    route: `POST ${ONE}/resend`,
    summary: 'Send one change again',
    description: `Sends again a change whose delivery was attempted in the last 30 days. ${NEEDS}`,
    body: {
      change: required(
        text({}),
        'unique_identifier of the change that is sent again, or the `msg_…` of a notification of none',
        'chg_0350hLTg4Qw7ghih1EWE8N',
      ),
    },
    answers: { schema: 'WebhookDelivery', says: 'Done.', example: { attempts: 0 } },
    run: async ({ webhooks }, { caller, id, params }) =>
      present(webhookDelivery, await webhooks.resend(caller, id, params), 'api', 0),
  }),
  operation({
    ...one,
    name: 'test_webhook_endpoint',
    audits: 'administer',
    route: `POST ${ONE}/test`,
    summary: 'Test a webhook endpoint',
    description: `Sends a notification \`webhook_endpoint.test\` at once, and returns the outcome. ${NEEDS}`,
    body: {},
    sends: {},
    answers: { schema: 'WebhookTest', says: 'Done.' },
    errors: [...one.errors, 'webhooks_unavailable'],
    run: async ({ webhooks }, { caller, id, params }) => {
      const attempt = await webhooks.test(caller, id, params);
      return present(webhookTest, { ...attempt, delivered: attempt.is === 'delivered' }, 'api', 0);
    },
  }),
  operationsOn(webhookDelivery, all).list({
    name: 'list_webhook_deliveries',
    id: one.id,
    description: `Lists the deliveries of the last 30 days, newest change first. ${NEEDS}`,
    query: {
      status: optional(
        choice('pending', 'delivered', 'failed'),
        'Only deliveries that are `pending`, `delivered` or `failed`',
      ),
    },
    limit: 100,
    max: 1000,
    errors: one.errors,
    find: ({ webhooks }, { caller, id }, query) => webhooks.deliveries(caller, id, query),
  }),
];
