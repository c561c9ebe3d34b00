/** What an API key looks like. */
import type { JsonSchema } from '../schema/fields/kind.ts';
import { exampleIdentifier } from './examples.ts';
import { illustrated } from './illustrated.ts';

const example = {
  object: 'api_key',
  unique_identifier: exampleIdentifier({ prefix: 'key_' }),
  name: 'Lobby tablet',
  ending: 'x7Qd',
  livemode: true,
  accounts: [exampleIdentifier({ prefix: 'acct_' })],
  locations: [exampleIdentifier({ prefix: 'loc_' })],
  permissions: ['read', 'write'],
  resources: ['event_check_in_records'],
  allow: [],
  from: ['203.0.113.0/24'],
  requests_a_second: 20,
  requests_at_once: 4,
  inserted_at: '2026-11-20T14:30:00Z',
  expires_at: '2027-11-20T14:30:00Z',
};

const text = (description: string): JsonSchema => ({ type: 'string', description });
const texts = (description: string, orNull = false): JsonSchema => ({
  type: orNull ? ['array', 'null'] : 'array',
  items: { type: 'string' },
  description,
});

const schema: JsonSchema = {
  type: 'object',
  description: 'The API key of the request; never its secret.',
  properties: {
    object: { type: 'string', const: 'api_key', description: 'Type name of the object' },
    unique_identifier: text('Identifier of the key'),
    name: { type: ['string', 'null'], description: 'What the operator calls it' },
    ending: text('The last four characters of the secret'),
    livemode: { type: 'boolean', description: 'Whether it is for live accounts, or for test ones' },
    accounts: texts('Its open accounts, by their unique identifiers'),
    locations: texts('The locations that it is limited to; null: whole accounts', true),
    permissions: texts('What it may do with records: `read`, `write`, `delete`'),
    resources: texts('The resources that it is limited to, as in paths; null: all', true),
    allow: texts('What it may do besides'),
    from: texts('The networks that it works from; null: any address', true),
    requests_a_second: {
      type: ['number', 'null'],
      description: 'Its own limit; null: the limit of the service, if there is one',
    },
    requests_at_once: { type: ['integer', 'null'], description: 'Its own limit; null: none' },
    inserted_at: { type: 'string', format: 'date-time', description: 'When it was made, in UTC' },
    expires_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it expires, in UTC; null: never',
    },
  },
  required: Object.keys(example),
};

export const meSchemas = { ApiKey: illustrated(schema, example) };
