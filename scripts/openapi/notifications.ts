/** The notifications that are sent to webhook endpoints: the `webhooks` of the document. */

import type { StateNotifications } from '../../src/core/objects/own-object.ts';
import { erasure } from '../../src/core/objects/records/erasure.ts';
import { outcomesOf, type Resource } from '../../src/core/schema/define.ts';
import type { JsonSchema } from '../../src/core/schema/fields/kind.ts';
import { inWords } from '../../src/core/schema/present/words.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { featureNotifications } from '../../src/features/declares.ts';
import { ownObjects } from '../own-tables.ts';
import { exampleChange } from './schemas/change-schemas.ts';
import { illustrated } from './schemas/illustrated.ts';
import { articled, componentName, pascalCase, refTo } from './schemas/names.ts';
import { open } from './schemas/open.ts';
import { exampleOwn } from './schemas/own-schemas.ts';
import { jsonOf, objectOf, textOf } from './schemas/parts.ts';
import { oneName } from './schemas/schemas.ts';

const PROPOSAL = 'proposal.created';
const TEST = 'webhook_endpoint.test';
const TIMESTAMP = '2026-11-20T14:30:00Z';

/** The headers of Standard Webhooks, by the names of their components. */
export const notificationParameters = {
  'webhook-id': headerParameter(
    'webhook-id',
    'Identifies the change: the same in retries, replays and the feed. Remember the ones you have handled.',
    'chg_0350hLTg4Qw7ghih1EWE8N',
  ),
  'webhook-timestamp': headerParameter(
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970. Refuse notifications older than five minutes.',
    '1795185000',
  ),
  'webhook-signature': headerParameter(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in Base64, by the secret of the endpoint. While secrets are rotated there are several, with spaces between them: one that matches is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
} as const;

function headerParameter(name: string, description: string, example: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

/** The body of a notification of a change, for each resource, and of those that announce no change. */
export function notificationSchemas(resources: readonly Resource[]): Record<string, JsonSchema> {
  if (endpoint === undefined) return {};
  return {
    ...Object.fromEntries(
      resources.flatMap((resource) => [
        [changeName(resource), changeSchema(resource)],
        [
          schemaName(resource),
          notificationSchema(
            `Tells of a change of ${articled(resource)}.`,
            outcomesOf(resource).map((outcome) => `${resource.name}.${outcome}`),
            refTo('schemas', changeName(resource)),
            exampleNotification(resource, outcomesOf(resource)[0]),
          ),
        ],
      ]),
    ),
    ProposalNotification: notificationSchema(
      'Signals that a source sent another value for a member that staff corrected.',
      [PROPOSAL],
      refTo('schemas', 'Change'),
      exampleProposal(resources),
    ),
    ...Object.fromEntries(
      featureNotifications.map((one) => {
        const types = Object.keys(one.states).map((state) => `${one.of}.${state}`);
        const data = refTo('schemas', one.object.typeName);
        return [stateSchema(one), notificationSchema(one.says, types, data, exampleState(one))];
      }),
    ),
    TestNotification: notificationSchema(
      'A test of the endpoint, without a change.',
      [TEST],
      refTo('schemas', 'WebhookEndpoint'),
      exampleTest,
    ),
  };
}

/** One for each notification, by its `type`. */
export function notificationPaths(resources: readonly Resource[]): Record<string, object> {
  if (endpoint === undefined) return {};
  const changes = resources.flatMap((resource) =>
    outcomesOf(resource).map((outcome) =>
      path(
        `${resource.name}.${outcome}`,
        happened(resource, outcome),
        schemaName(resource),
        exampleNotification(resource, outcome),
      ),
    ),
  );
  const states = featureNotifications.flatMap((one) =>
    Object.entries(one.states).map(([state, says]) =>
      path(`${one.of}.${state}`, says, stateSchema(one), exampleState(one, state)),
    ),
  );
  return Object.fromEntries([
    ...changes,
    path(
      PROPOSAL,
      'A source sent another value for a member that staff corrected. `data` is the change of the record: `GET /v1/proposals` with its `record` returns the value.',
      'ProposalNotification',
      exampleProposal(resources),
    ),
    ...states,
    path(TEST, 'Somebody tests the endpoint.', 'TestNotification', exampleTest),
  ]);
}

function schemaName(resource: Resource): string {
  return `${componentName(resource)}Notification`;
}

function happened(resource: Resource, outcome: string): string {
  if (outcome === 'wiped') return 'All records of a test account were removed at once.';
  const words = articled(resource);
  if (outcome === 'erased')
    return `Follows \`${resource.name}.deleted\` where ${words} was erased for good, also for endpoints that ask for other changes of the resource. Purge what you have of it: history, caches, search, backups.`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} was ${outcome}.`;
}

function path(
  type: string,
  what: string,
  schema: string,
  example: JsonObject,
): readonly [string, object] {
  const post = {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: type,
    description: `${what} Answer 2xx within 15 seconds; anything else is retried.`,
    security: [],
    parameters: Object.keys(notificationParameters).map((name) => refTo('parameters', name)),
    requestBody: {
      required: true,
      content: jsonOf({ allOf: [refTo('schemas', schema), ofType(type)] }, example),
    },
    responses: {
      '2XX': { description: 'Received. It is not sent again.' },
      410: { description: 'Send nothing more: the endpoint is disabled.' },
    },
  };
  return [type, { post }];
}

function ofType(type: string): JsonSchema {
  return {
    type: 'object',
    properties: { type: { const: type, description: 'The notification', examples: [type] } },
    required: ['type'],
  };
}

function notificationSchema(
  description: string,
  types: readonly string[],
  data: JsonSchema,
  example: JsonObject,
): JsonSchema {
  const schema = objectOf(description, {
    type: textOf('Name of the notification', { enum: [...types] }),
    timestamp: textOf('When it happened, in UTC', { format: 'date-time' }),
    data,
  });
  return illustrated(schema, example);
}

function changeName(resource: Resource): string {
  return `${componentName(resource)}Change`;
}

/** A change, as the feed has it; of that resource. */
function changeSchema(resource: Resource): JsonSchema {
  const { name } = resource;
  return {
    description: `A change of ${articled(resource)}.`,
    allOf: [
      refTo('schemas', 'Change'),
      {
        type: 'object',
        properties: {
          resource: textOf('Resource of the record', { const: name, examples: [name] }),
          outcome: open(outcomesOf(resource), 'What was done to the record', {
            examples: outcomesOf(resource).slice(0, 1),
          }),
          record_now: {
            anyOf: [refTo('schemas', oneName(resource)), { type: 'null' }],
            description: `Only if \`payload\` of the endpoint is \`full\`: the ${inWords(name)} as of sending; null if it no longer exists, any more`,
            examples: [null],
          },
        },
      },
    ],
  };
}

function stateSchema({ of }: StateNotifications): string {
  return `${pascalCase(of)}Notification`;
}

function exampleState(
  { of, object, states, asNow }: StateNotifications,
  state = Object.keys(states)[0] ?? '',
): JsonObject {
  const entered = { state, since: TIMESTAMP };
  const data = { ...exampleOwn(object), ...(asNow ? {} : entered) };
  return { type: `${of}.${state}`, timestamp: TIMESTAMP, data };
}

/** Webhooks are a feature: without it there is nothing to say of them. */
const endpoint = ownObjects.find(({ name }) => name === 'webhook_endpoint');
const exampleTest = {
  type: TEST,
  timestamp: TIMESTAMP,
  data: endpoint === undefined ? {} : exampleOwn(endpoint),
};

function exampleNotification(resource: Resource, outcome: string): JsonObject {
  const { occurred_at = TIMESTAMP, ...change } = exampleChange(resource);
  const isUpdate = outcome === 'updated';
  const data = {
    ...change,
    outcome,
    version: outcome === 'created' ? 1 : (change.version ?? 2),
    changed: isUpdate ? (change.changed ?? []) : [],
    occurred_at,
    ...(outcome === 'erased' && {
      key: null,
      erasure: exampleOwn(erasure).unique_identifier ?? null,
    }),
  };
  return { type: `${resource.name}.${outcome}`, timestamp: occurred_at, data };
}

function exampleProposal(resources: readonly Resource[]): JsonObject {
  const resource = resources.findLast(({ parent }) => parent !== undefined);
  if (resource === undefined) throw new TypeError('The registry is too small.');
  const { timestamp = TIMESTAMP, data = {} } = exampleNotification(resource, 'updated');
  return { type: PROPOSAL, timestamp, data: { ...(data as JsonObject), changed: [] } };
}
