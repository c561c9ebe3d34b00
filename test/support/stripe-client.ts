/** Stripe's own client for Node, pointed at a service of a test. */
import assert from 'node:assert/strict';
import Stripe from 'stripe';
import type { Service } from './service.ts';

/** The client, pointed at the service or at another port that leads there. */
export function clientOf({ url, key }: Service, port = new URL(url).port): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http' });
}

/** The error with which the client ends a request, as every error of the service arrives there. */
export async function refusal(request: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await request.then(
    () => assert.fail('It was not refused.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Stripe.errors.StripeError, String(error));
  assert.match(error.requestId ?? '', /^req_\w+$/);
  assert.equal(error.headers?.['request-id'], error.requestId);
  return error;
}
