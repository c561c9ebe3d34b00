/** A webhook test: the outcome of a test notification. */
import { boolean, text } from '../schema/fields/index.ts';
import { count } from './kinds.ts';
import { field, nullable, ownObject } from './own-object.ts';

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
