/** Stripe's own client for Node sends again what was not answered, and every request is done once. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Stripe from 'stripe';
import { cutWire } from '../support/cut-wire.ts';
import { holdStore } from '../support/hold-store.ts';
import type { Body } from '../support/service.ts';
import { clientOf, refusal } from '../support/stripe-client.ts';
import { world } from '../support/world.ts';

const UPSERT = '/v1/locations/upsert';
const stage = world();

function locationNamed(external_identifier: string): Body {
  return {
    account_unique_identifier: stage.parents.account,
    external_identifier,
    location_name: 'Main Street Chapel',
  };
}

/** How many locations have that identifier of the caller's. */
async function locationsNamed(external_identifier: string): Promise<number> {
  const { body } = await stage.service.get(
    `/v1/locations?external_identifier=${external_identifier}`,
  );
  return body.data.length;
}

/** The Idempotency-Key of each request that the client sends from here on. */
function keysSentBy(stripe: Stripe, sent: (count: number) => void = () => {}): string[] {
  const keys: string[] = [];
  stripe.on('request', ({ idempotency_key = '' }) => {
    keys.push(idempotency_key);
    sent(keys.length);
  });
  return keys;
}

describe('an idempotencyKey of the caller', () => {
  it('is done once, and replayed', async () => {
    const stripe = clientOf(stage.service);
    const send = () =>
      stripe.rawRequest('POST', UPSERT, locationNamed('explicit'), { idempotencyKey: 'explicit' });
    const first = await send();
    const second = await send();
    assert.deepEqual({ ...second }, { ...first });
    assert.equal(first.lastResponse.headers['idempotent-replayed'], undefined);
    assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true');
    assert.equal(second.lastResponse.headers['ledgerstone-outcome'], 'created');
    assert.equal(await locationsNamed('explicit'), 1);
  });
});

describe('the client sends again of itself, with a key of its own', () => {
  it('where the answer was lost after the commit: there is one record, and its first answer', async () => {
    const wire = await cutWire(Number(new URL(stage.service.url).port));
    const stripe = clientOf(stage.service, String(wire.port));
    const keys = keysSentBy(stripe);
    wire.cutAt('back', 'HTTP/1.1 200');
    const answer = await stripe.rawRequest('POST', UPSERT, locationNamed('cut'));
    assert.equal(keys.length, 2);
    assert.match(keys[0] ?? '', /^stripe-node-retry-/);
    assert.equal(keys[0], keys[1]);
    assert.equal(answer.lastResponse.headers['idempotent-replayed'], 'true');
    assert.equal(answer.lastResponse.headers['ledgerstone-outcome'], 'created');
    assert.equal(await locationsNamed('cut'), 1);
  });

  it('where the request never arrived: it is done then', async () => {
    const wire = await cutWire(Number(new URL(stage.service.url).port));
    const stripe = clientOf(stage.service, String(wire.port));
    wire.cutAt('there', `POST ${UPSERT}`);
    const answer = await stripe.rawRequest('POST', UPSERT, locationNamed('lost'));
    assert.equal(answer.lastResponse.headers['idempotent-replayed'], undefined);
    assert.equal(answer.lastResponse.headers['ledgerstone-outcome'], 'created');
  });

  it('where its key has sent too much: it waits, and is not refused', async () => {
    const { secret: key } = await stage.service.newKey({ requests_a_second: 1 });
    const stripe = clientOf({ ...stage.service, key });
    const keys = keysSentBy(stripe);
    let sent = 0;
    // The next comes sooner than a second after the one before, but for a busy machine.
    while (keys.length === sent && sent < 10) {
      sent += 1;
      const answer = await stripe.rawRequest('POST', UPSERT, locationNamed(`limited ${sent}`), {
        maxNetworkRetries: 5,
      });
      assert.equal(answer.lastResponse.headers['ledgerstone-outcome'], 'created');
    }
    assert.ok(keys.length > sent, `${keys.length} requests`);
    assert.equal(new Set(keys).size, sent, 'what is sent again has the same key');

    const { secret: slow } = await stage.service.newKey({ requests_a_second: 1 / 60 });
    await stage.service.get('/v1/accounts', { key: slow });
    const error = await refusal(
      clientOf({ ...stage.service, key: slow }).rawRequest(
        ...(['POST', UPSERT, locationNamed('limited no more'), { maxNetworkRetries: 0 }] as const),
      ),
    );
    assert.deepEqual([error.statusCode, error.code], [429, 'rate_limited']);
    assert.match(error.headers?.['retry-after'] ?? '', /^[1-9]\d*$/);
  });

  const held = { skip: process.env.TEST_STORE === 'postgres' && 'it holds the embedded store' };
  it('while nothing can be written, which without retries is a StripeAPIError', held, async () => {
    const stripe = clientOf(stage.service);
    const send = (name: string, maxNetworkRetries: number) =>
      stripe.rawRequest('POST', UPSERT, locationNamed(name), { maxNetworkRetries });
    const release = holdStore(stage.service);
    const error = await refusal(send('hasty', 0));
    assert.ok(error instanceof Stripe.errors.StripeAPIError);
    assert.deepEqual([error.statusCode, error.code], [503, 'service_unavailable']);
    assert.equal(error.headers?.['retry-after'], '1');

    const keys = keysSentBy(stripe, (count) => {
      if (count === 2) release();
    });
    const answer = await send('patient', 5);
    assert.ok(keys.length >= 2);
    assert.equal(new Set(keys).size, 1);
    assert.equal(answer.lastResponse.headers['ledgerstone-outcome'], 'created');
  });
});
