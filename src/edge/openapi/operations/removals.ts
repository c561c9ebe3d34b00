/** The schemas of removals and their restores. */

import { catalogue } from '../../../core/errors.ts';
import { ancestorsOf } from '../../../core/schema/ancestors.ts';
import { removalId } from '../../../core/schema/change-id.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { JsonSchema } from '../../../core/schema/fields/kind.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { exampleChange } from '../schemas/change-schemas.ts';
import { exampleAnswer } from '../schemas/examples.ts';
import { illustrated } from '../schemas/illustrated.ts';
import { refTo } from '../schemas/names.ts';
import { open } from '../schemas/open.ts';

/** The components, by name; their examples are of one resource. */
export function removalSchemas(
  resources: readonly Resource[],
  example: Resource,
): Record<string, JsonSchema> {
  const names = resources.filter(({ parent }) => parent !== undefined).map(({ name }) => name);
  const resource = open(names, 'The resource of the record');
  const record = { type: 'string', description: 'The unique_identifier of the record' };
  const external_identifier = { type: 'string', description: 'Your own identifier of it' };
  const removal: Record<string, JsonSchema> = {
    object: { type: 'string', const: 'removal', description: 'Type name of the object' },
    unique_identifier: { type: 'string', description: 'Identifies the removal' },
    account: { type: 'string', description: 'The account of the record' },
    resource,
    record,
    external_identifier,
    name: orNull('What the record is called: of a service, the name of the person', 'string'),
    location: orNull('Where the record was; null for a location itself', 'string'),
    count: {
      type: 'integer',
      minimum: 1,
      description: 'How many records were removed, this one and all that went with it',
    },
    version: {
      type: 'integer',
      minimum: 1,
      description: 'The last version of the record: read it with `?version=`',
    },
    key: orNull('Who removed it; null unless the key may see the requests of others', 'string'),
    removed_at: { type: 'string', format: 'date-time', description: 'When it was removed' },
  };
  const left: Record<string, JsonSchema> = {
    resource,
    record,
    external_identifier,
    code: { type: 'string', description: 'Why it stays removed, as the code of an error' },
    message: { type: 'string', description: 'Why it stays removed, in words' },
  };
  const list = {
    object: { type: 'string', const: 'list', description: 'Type name of the object' },
    url: { type: 'string', description: 'The path of the list' },
    has_more: { type: 'boolean', description: 'Whether there may be more' },
    data: { type: 'array', items: refTo('schemas', 'Removal'), description: 'Newest first' },
    position: orNull('What to send as `starting_after` next', 'string'),
  };
  const restored = {
    object: { type: 'string', const: 'restored_removal', description: 'Type name of the object' },
    unique_identifier: { type: 'string', description: 'Identifies the removal' },
    restored: { type: 'integer', minimum: 0, description: 'How many records were restored' },
    left: {
      type: 'array',
      description: 'The first 100 of the records that stay removed',
      items: shape('A record that stays removed.', left),
    },
    left_count: { type: 'integer', minimum: 0, description: 'How many records stay removed' },
  };
  const described = {
    Removal: shape('What was removed at once, by the record that it began with.', removal),
    RemovalList: shape('One page of the removals.', list),
    RestoredRemoval: shape('What became of a restore.', restored),
  };
  return {
    Removal: illustrated(described.Removal, exampleRemoval(example)),
    RemovalList: illustrated(described.RemovalList, exampleRemovals(example)),
    RestoredRemoval: illustrated(described.RestoredRemoval, exampleRestored(example)),
  };
}

function shape(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

function orNull(description: string, type: string): JsonSchema {
  return { type: [type, 'null'], description };
}

function exampleRemoval(resource: Resource): JsonObject {
  const change = exampleChange(resource);
  const account = String(change.account);
  return {
    object: 'removal',
    unique_identifier: exampleRemovalId(account),
    account,
    resource: resource.name,
    record: change.record ?? null,
    external_identifier: exampleAnswer(resource).external_identifier ?? null,
    name: 'Jane Doe',
    location: ancestorsOf(resource).some(({ anchor }) => anchor) ? (change.location ?? null) : null,
    count: 11,
    version: 3,
    key: change.key ?? null,
    removed_at: change.occurred_at ?? null,
  };
}

function exampleRemovals(resource: Resource): JsonObject {
  const found = exampleRemoval(resource);
  return {
    ...{ object: 'list', url: '/v1/removals', has_more: false, data: [found] },
    position: found.unique_identifier ?? null,
  };
}

function exampleRestored(resource: Resource): JsonObject {
  const {
    unique_identifier = null,
    external_identifier = null,
    record = null,
  } = exampleRemoval(resource);
  const { message } = catalogue.record_exists;
  const left = { resource: resource.name, record, external_identifier, code: 'record_exists' };
  return {
    ...{ object: 'restored_removal', unique_identifier, restored: 10 },
    ...{ left: [{ ...left, message }], left_count: 1 },
  };
}

function exampleRemovalId(account: string): string {
  return removalId(account, { position: 1042, place: 0, token: 0x3a5c_9f42_1d7e });
}
