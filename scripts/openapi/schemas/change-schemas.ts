/** Examples of the changes of a resource, and the body of a restore. */
import { change } from '../../../src/core/objects/records/change.ts';
import { ancestorsOf, type Resource } from '../../../src/core/schema/define.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import { changeId } from '../../../src/core/schema/id.ts';
import type { JsonObject } from '../../../src/core/schema/values.ts';
import { exampleAnswer, exampleIdentifier } from './examples.ts';
import { exampleOwn } from './own-schemas.ts';

const version = {
  type: 'integer',
  minimum: 1,
  description: 'The version to restore',
  examples: [1],
};

export const restoreRequest: JsonSchema = {
  type: 'object',
  description: 'Which version to restore.',
  properties: { version },
  required: ['version'],
  additionalProperties: false,
};

export function exampleHistory(resource: Resource): JsonObject {
  const [member = ''] = Object.keys(resource.fields);
  const after = exampleAnswer(resource)[member] ?? null;
  const changes = [{ member, before: 'As it was', after }];
  const entry: JsonObject = { ...exampleChange(resource), changes };
  const url = `/v1/${resource.path}/${entry.record}/history`;
  return { object: 'list', url, has_more: false, data: [entry] };
}

export function exampleChange(resource: Resource): JsonObject {
  const above = [resource, ...ancestorsOf(resource)];
  const account = exampleIdentifier(above.at(-1) as Resource);
  const location = above.find(({ anchor }) => anchor);
  const [member = ''] = Object.keys(resource.fields);
  const { unique_identifier = '', updated_at = '' } = exampleAnswer(resource);
  return {
    ...exampleOwn(change),
    unique_identifier: changeId(account, { position: 1041, place: 0, token: 0x1d7e_3a5c_9f42 }),
    account,
    resource: resource.name,
    record: unique_identifier,
    location: location === undefined ? null : exampleIdentifier(location),
    changed: [member],
    occurred_at: updated_at,
  };
}
