/** The schemas of self-tests. */
import type { JsonSchema } from '../../../core/schema/fields/kind.ts';
import { exampleIdentifier } from '../schemas/examples.ts';
import { illustrated } from '../schemas/illustrated.ts';
import { refTo } from '../schemas/names.ts';
import { open } from '../schemas/open.ts';

const example = {
  object: 'self_test',
  unique_identifier: exampleIdentifier({ prefix: 'slf_' }),
  account: exampleIdentifier({ prefix: 'acct_' }),
  key: exampleIdentifier({ prefix: 'key_' }),
  status: 'open',
  passed: 1,
  checks: [
    {
      name: 'rate_limit_retried',
      does: 'Your first write is answered 429: send it again when Retry-After has passed.',
      status: 'passed',
      seen: 'The write came again after 2.3 s, with Retry-After: 2.',
    },
  ],
  inserted_at: '2026-11-20T14:30:00Z',
  expires_at: '2026-11-20T15:30:00Z',
};

const text = (description: string): JsonSchema => ({ type: 'string', description });
const time = (description: string): JsonSchema => ({ ...text(description), format: 'date-time' });

const check: JsonSchema = {
  type: 'object',
  description: 'One of the checks.',
  properties: {
    name: text('Name of the check'),
    does: text('What the program is to do'),
    status: open(['passed', 'failed', 'missing'], 'What came of it; `missing`: not seen yet'),
    seen: text('What was seen, or what is missing'),
  },
  required: ['name', 'does', 'status', 'seen'],
};

const schema: JsonSchema = {
  type: 'object',
  description: 'A self-test: what the requests of one key were checked for.',
  properties: {
    object: { type: 'string', const: 'self_test', description: 'Type name of the object' },
    unique_identifier: text('Identifier of the self-test'),
    account: text('The test account'),
    key: text('The API key whose requests it looks at'),
    status: open(
      ['open', 'passed', 'ended'],
      '`ended`: an hour has passed, or the key opened another',
    ),
    passed: { type: 'integer', minimum: 0, description: 'How many checks passed' },
    checks: { type: 'array', items: check, description: 'All twelve, in order' },
    inserted_at: time('When it was opened, in UTC'),
    expires_at: time('When it ends, in UTC'),
  },
  required: Object.keys(example),
};

const listExample = { object: 'list', url: '/v1/self_tests', has_more: false, data: [example] };

const list: JsonSchema = {
  type: 'object',
  description: 'The self-tests of the last 30 days.',
  properties: {
    object: { type: 'string', const: 'list', description: 'Type name of the object' },
    url: text('The path of the list'),
    has_more: { type: 'boolean', description: 'Always false' },
    data: { type: 'array', items: refTo('schemas', 'SelfTest'), description: 'Newest first' },
  },
  required: ['object', 'url', 'has_more', 'data'],
};

export const selfTestSchemas = {
  SelfTest: illustrated(schema, example),
  SelfTestList: illustrated(list, listExample),
};
