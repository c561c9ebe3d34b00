/** The operations on webhook endpoints. */
import type { ErrorCode } from '../errors.ts';
import type { Members } from '../schema/fields/members.ts';
import {
  webhookChangeParams,
  webhookCreateParams,
  webhookDeliveriesParams,
  webhookReplayParams,
  webhookResendParams,
  webhookRotateParams,
} from '../schema/parse-webhooks.ts';
import type { JsonObject } from '../schema/values.ts';
import { webhookCodes } from './codes.ts';
import { errorResponses } from './errors.ts';
import { exampleIdentifier } from './examples.ts';
import { timed } from './headers.ts';
import { refTo } from './names.ts';
import { examplePage } from './pages.ts';
import { parameterOf, queryParams } from './query-params.ts';
import {
  bodySchema,
  ENDPOINTS,
  exampleDelivery,
  exampleEndpoint,
  exampleNewEndpoint,
  exampleTest,
} from './webhook-schemas.ts';

export const WEBHOOK_TAG = {
  name: 'Webhooks',
  description: 'Notifications of changes, sent to your system.',
};

const NEEDS =
  'Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own.';

interface Says {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** What the answer is, by the name of its schema. */
  readonly gives: string;
  readonly example: JsonObject;
  readonly body?: Members;
  readonly sends?: JsonObject;
  readonly query?: Members;
  /** Of no single endpoint. */
  readonly ofAll?: true;
  readonly errors?: readonly ErrorCode[];
}

const inPath = {
  name: 'unique_identifier',
  in: 'path',
  required: true,
  description: 'Identifier of the endpoint',
  schema: { type: 'string' },
  example: exampleIdentifier({ prefix: 'whk_' }),
};

function operation(says: Says): object {
  const { id, summary, description, gives, example, body, sends = {}, query = {}, ofAll } = says;
  const schema = body && bodySchema(body);
  return {
    operationId: id,
    tags: [WEBHOOK_TAG.name],
    summary,
    description: `${description} ${NEEDS}`,
    parameters: [
      ...(ofAll === true ? [] : [inPath]),
      ...queryParams(query).map(([name, field]) => parameterOf(name, field)),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    ...(body && {
      requestBody: {
        required: Object.values(body).some(({ required }) => required),
        description: 'The same as JSON or as a form.',
        content: {
          'application/json': { schema, example: sends },
          'application/x-www-form-urlencoded': { schema, example: sends },
        },
      },
    }),
    responses: {
      200: {
        description: 'Done.',
        headers: timed,
        content: { 'application/json': { schema: refTo('schemas', gives), example } },
      },
      ...errorResponses(webhookCodes({ ...body, ...query }, body !== undefined, says.errors ?? [])),
    },
  };
}

const one = `${ENDPOINTS}/{unique_identifier}`;
const change = { change: exampleIdentifier({ prefix: 'chg_' }) };

export const webhookPaths: Record<string, object> = {
  [ENDPOINTS]: {
    get: operation({
      id: 'list_webhook_endpoints',
      summary: 'List webhook endpoints',
      description: 'Lists all endpoints that the key may see, newest first.',
      gives: 'WebhookEndpointList',
      example: examplePage(ENDPOINTS, exampleEndpoint),
      ofAll: true,
    }),
    post: operation({
      id: 'create_webhook_endpoint',
      summary: 'Create a webhook endpoint',
      description:
        'From now on the changes of the account are sent to the URL, signed by Standard Webhooks. The answer shows the secret, once. An account has at most 20 endpoints.',
      gives: 'WebhookEndpoint',
      example: exampleNewEndpoint,
      body: webhookCreateParams,
      sends: {
        url: 'https://example.com/webhooks/ledgerstone',
        notifications: ['event_check_in_record.created', '*.deleted'],
      },
      ofAll: true,
      errors: ['webhook_url_refused', 'webhooks_unavailable', 'webhook_endpoints_too_many'],
    }),
  },
  [one]: {
    get: operation({
      id: 'get_webhook_endpoint',
      summary: 'Read a webhook endpoint',
      description: 'Answers the endpoint, without its secret.',
      gives: 'WebhookEndpoint',
      example: exampleEndpoint,
    }),
    patch: operation({
      id: 'update_webhook_endpoint',
      summary: 'Change a webhook endpoint',
      description:
        'What is left out stays. `"status": "enabled"` sends what happened while it was paused or disabled; the key that enables an endpoint is the one that sees for it from then on.',
      gives: 'WebhookEndpoint',
      example: exampleEndpoint,
      body: webhookChangeParams,
      sends: { status: 'enabled' },
      errors: ['webhook_url_refused'],
    }),
    delete: operation({
      id: 'delete_webhook_endpoint',
      summary: 'Delete a webhook endpoint',
      description: 'Nothing more is sent to it.',
      gives: 'RemovedWebhookEndpoint',
      example: {
        object: 'webhook_endpoint',
        unique_identifier: exampleIdentifier({ prefix: 'whk_' }),
        deleted: true,
      },
    }),
  },
  [`${one}/rotate_secret`]: {
    post: operation({
      id: 'rotate_webhook_secret',
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'Answers the endpoint with a new secret, shown once. Until the old one ends notifications are signed with both.',
      gives: 'WebhookEndpoint',
      example: exampleNewEndpoint,
      body: webhookRotateParams,
      sends: { expires_in: 3600 },
      errors: ['webhooks_unavailable'],
    }),
  },
  [`${one}/replay`]: {
    post: operation({
      id: 'replay_webhook_endpoint',
      summary: 'Send changes again',
      description:
        'Sends all changes again that came after a change or a time, as far as the log of changes goes back, with the same `webhook-id`s.',
      gives: 'WebhookEndpoint',
      example: exampleEndpoint,
      body: webhookReplayParams,
      sends: { since: '2026-11-20T00:00:00Z' },
      errors: ['parameters_conflict', 'position_unknown', 'changes_expired', 'changes_rewound'],
    }),
  },
  [`${one}/resend`]: {
    post: operation({
      id: 'resend_webhook_delivery',
      summary: 'Send one change again',
      description: 'Sends again a change whose delivery was attempted in the last 30 days.',
      gives: 'WebhookDelivery',
      example: { ...exampleDelivery, attempts: 0 },
      body: webhookResendParams,
      sends: change,
    }),
  },
  [`${one}/test`]: {
    post: operation({
      id: 'test_webhook_endpoint',
      summary: 'Test a webhook endpoint',
      description:
        'Sends a notification `webhook_endpoint.test` at once, and answers what came of it.',
      gives: 'WebhookTest',
      example: exampleTest,
      body: {},
      errors: ['webhooks_unavailable'],
    }),
  },
  [`${one}/deliveries`]: {
    get: operation({
      id: 'list_webhook_deliveries',
      summary: 'List deliveries',
      description:
        'Lists what became of changes at the endpoint, the newest change first, for 30 days.',
      gives: 'WebhookDeliveryList',
      example: examplePage(
        `${ENDPOINTS}/${exampleIdentifier({ prefix: 'whk_' })}/deliveries`,
        exampleDelivery,
      ),
      query: webhookDeliveriesParams,
    }),
  },
};
