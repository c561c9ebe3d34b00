/** The schemas of changes. */
import { ancestorsOf } from '../../../core/schema/ancestors.ts';
import { changeId } from '../../../core/schema/change-id.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { JsonSchema } from '../../../core/schema/fields/kind.ts';
import { OUTCOMES } from '../../../core/schema/outcomes.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { exampleAnswer, exampleIdentifier } from './examples.ts';
import { illustrated } from './illustrated.ts';
import { refTo } from './names.ts';
import { open } from './open.ts';

const id = (description: string): JsonSchema => ({ type: 'string', description });
const orNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description });

/** `resources` are all, `example` one of them that has a parent. */
export function changeSchemas(
  resources: readonly Resource[],
  example: Resource,
): Record<string, JsonSchema> {
  const change = exampleChange(example);
  const entry = { ...change, changes: exampleMemberChanges(example) };
  return {
    Change: illustrated(changeSchema(resources), change),
    ChangeList: illustrated(listSchema('Change', positionMember), exampleChanges(example)),
    HistoryEntry: illustrated(historyEntry(resources), entry),
    HistoryList: illustrated(listSchema('HistoryEntry', {}), exampleHistory(example)),
    RestoreRequest: {
      type: 'object',
      description: 'Which version to restore.',
      properties: {
        version: {
          type: 'integer',
          minimum: 1,
          description: 'The version to restore',
          examples: [1],
        },
      },
      required: ['version'],
      additionalProperties: false,
    },
  };
}

function changeSchema(resources: readonly Resource[]): JsonSchema & { properties: object } {
  return {
    type: 'object',
    description: 'One change of one record.',
    properties: {
      object: { type: 'string', const: 'change', description: 'Type name of the object' },
      unique_identifier: {
        type: 'string',
        pattern: '^chg_[0-9A-Za-z]{22}$',
        description: 'Identifier of the change, and its position in the log',
      },
      account: id('unique_identifier of the account'),
      resource: open(
        resources.map(({ name }) => name),
        'What kind of record it is',
      ),
      record: id('unique_identifier of the record'),
      location: orNull('unique_identifier of the location; null for what is below none'),
      outcome: open(
        OUTCOMES,
        'What was done to the record; wiped: to all records of the account at once',
      ),
      version: { type: 'integer', minimum: 1, description: 'The version that the change made' },
      changed: {
        type: 'array',
        items: { type: 'string' },
        description: 'The dotted names of the members that an update or a restore has changed',
      },
      key: orNull(
        'unique_identifier of the API key that made the change; null unless it is the one that asks, or that one was made with --allow requests',
      ),
      occurred_at: { type: 'string', format: 'date-time', description: 'When, in UTC' },
      record_now: {
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'Only where `expand[]=record` asks for it: the record as it is now; null where it is not there any more',
        examples: [null],
      },
    },
    required: [
      ...['object', 'unique_identifier', 'account', 'resource', 'record', 'location'],
      ...['outcome', 'version', 'changed', 'key', 'occurred_at'],
    ],
  };
}

function historyEntry(resources: readonly Resource[]): JsonSchema {
  const { properties, required, ...change } = changeSchema(resources) as {
    properties: object;
    required: string[];
  };
  return {
    ...change,
    description: 'One change of the record, with each member before and after.',
    properties: {
      ...properties,
      changes: {
        type: ['array', 'null'],
        description: 'Each member that changed, before and after; null if that is not kept',
        items: {
          type: 'object',
          properties: {
            member: { type: 'string', description: 'The dotted name of the member' },
            before: { description: 'null if the record had no such member' },
            after: { description: 'null if the record no longer has it' },
          },
          required: ['member', 'before', 'after'],
        },
      },
    },
    required: [...required, 'changes'],
  };
}

const positionMember = {
  position: orNull(
    'What to send as `starting_after` next, whatever was shown; null for an empty log',
  ),
};

function listSchema(of: string, more: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    description: 'One page of a list.',
    properties: {
      object: { type: 'string', const: 'list', description: 'Type name of the object' },
      url: { type: 'string', description: 'The path of the list' },
      has_more: { type: 'boolean', description: 'Whether there is more to read already' },
      data: {
        type: 'array',
        items: refTo('schemas', of),
        description: 'Empty where there is nothing',
      },
      ...more,
    },
    required: ['object', 'url', 'has_more', 'data', ...Object.keys(more)],
  };
}

export function exampleChanges(resource: Resource): JsonObject {
  const change = exampleChange(resource);
  const position = change.unique_identifier as string;
  return { object: 'list', url: '/v1/changes', has_more: false, data: [change], position };
}

export function exampleHistory(resource: Resource): JsonObject {
  const entry: JsonObject = { ...exampleChange(resource), changes: exampleMemberChanges(resource) };
  const url = `/v1/${resource.path}/${entry.record}/history`;
  return { object: 'list', url, has_more: false, data: [entry] };
}

function exampleMemberChanges(resource: Resource): JsonObject[] {
  const [member = ''] = Object.keys(resource.fields);
  const after = exampleAnswer(resource)[member] ?? null;
  return [{ member, before: 'As it was', after }];
}

export function exampleChange(resource: Resource): JsonObject {
  const above = [resource, ...ancestorsOf(resource)];
  const account = exampleIdentifier(above.at(-1) as Resource);
  const location = above.find(({ anchor }) => anchor);
  const [member = ''] = Object.keys(resource.fields);
  const { unique_identifier = '', updated_at = '' } = exampleAnswer(resource);
  return {
    object: 'change',
    unique_identifier: changeId(account, { position: 1041, place: 0, token: 0x1d7e_3a5c_9f42 }),
    account,
    resource: resource.name,
    record: unique_identifier,
    location: location === undefined ? null : exampleIdentifier(location),
    outcome: 'updated',
    version: 2,
    changed: [member],
    key: exampleIdentifier({ prefix: 'key_' }),
    occurred_at: updated_at,
  };
}
