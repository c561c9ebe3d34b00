/** A webhook test: what became of a notification that was sent to see whether it arrives. */
import { boolean, text } from '../schema/fields/index.ts';
import { count } from './kinds.ts';
import { field, nullable, ownObject } from './own-object.ts';

export const webhookTest = ownObject({
  name: 'webhook_test',
  typeName: 'WebhookTest',
  says: 'What became of a test.',
  fields: {
    delivered: field(boolean(), 'Whether the endpoint answered 2xx', { example: true }),
    status_code: nullable(count(), 'The status that it answered', { example: 200 }),
    error: nullable(text(), 'Why the test failed', { example: null }),
    duration_ms: field(count(), 'Milliseconds that it took', { example: 84 }),
  },
});
