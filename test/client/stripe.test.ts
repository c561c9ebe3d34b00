/** Whoever writes with Stripe's own client for Node, as it is published, can write to this service: only the address and the key are set. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Stripe from 'stripe';
import { examples } from '../support/bodies.ts';
import { pluck } from '../support/pluck.ts';
import type { Body } from '../support/service.ts';
import { clientOf, refusal } from '../support/stripe-client.ts';
import { leastOf, world } from '../support/world.ts';

const stage = world();

const client = (): Stripe => clientOf(stage.service);

function under(parent: keyof typeof stage.parents, members: Body): Body {
  return { [`${parent}_unique_identifier`]: stage.parents[parent], ...members };
}

function locationNamed(external_identifier: string, location_name = 'Main Street Chapel'): Body {
  return under('account', { external_identifier, location_name });
}

/** What a form makes of free-form content: the client sends all upserts as forms, and these have only text. */
function asTexts(value: Body): Body {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return value === null ? '' : String(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asTexts(member)]));
}

function withTexts(answered: Body): Body {
  return Object.fromEntries(
    Object.entries(answered).map(([name, value]) => {
      if (name === 'public_data') return [name, withTexts(value)];
      const free = ['additional_event_metadata', 'additional_data'].includes(name);
      return [name, free ? asTexts(value) : value];
    }),
  );
}

describe('reading', () => {
  it('lists accounts, by its own method and by rawRequest, and reads one of them', async () => {
    const { account } = stage.service;
    const raw = await client().rawRequest('GET', '/v1/accounts');
    assert.deepEqual([raw.object, raw.url], ['list', '/v1/accounts']);
    assert.deepEqual([raw.has_more, raw.data.length], [false, 1]);
    assert.equal(raw.data[0].name, account.name);
    assert.match(raw.lastResponse.requestId, /^req_/);
    assert.equal(raw.lastResponse.statusCode, 200);
    const listed = await client().accounts.list({ limit: 10 });
    assert.deepEqual(listed.data, raw.data);
    const walked = [];
    for await (const one of client().accounts.list()) walked.push(one);
    assert.deepEqual(walked, raw.data);
    const read = await client().accounts.retrieve(account.unique_identifier);
    assert.deepEqual({ ...read }, raw.data[0]);
  });

  it('walks through all pages of a list with starting_after', async () => {
    for (let index = 0; index < 5; index += 1) {
      await client().rawRequest('POST', '/v1/locations/upsert', locationNamed(`walked-${index}`));
    }
    const walked: string[] = [];
    for (let query = ''; ; query = `&starting_after=${walked.at(-1)}`) {
      const page = await client().rawRequest('GET', `/v1/locations?limit=2${query}`);
      walked.push(...page.data.map((one: Body) => one.unique_identifier));
      if (!page.has_more) break;
    }
    const { body } = await stage.service.get('/v1/locations');
    assert.deepEqual(walked, pluck(body.data, 'unique_identifier'));
  });
});

describe('writing nested forms', () => {
  for (const { path, parent, full, answered } of examples) {
    it(`${path}: every parameter arrives, whatever brackets it needs`, async () => {
      const url = `/v1/${path}/upsert`;
      const made = await client().rawRequest('POST', url, under(parent, full));
      assert.partialDeepStrictEqual(made, withTexts(answered));
      assert.equal(made.lastResponse.headers['ledgerstone-outcome'], 'created');
      const again = await client().rawRequest('POST', url, under(parent, full));
      assert.equal(again.lastResponse.headers['ledgerstone-outcome'], 'unchanged');
    });
  }

  const hard: readonly [what: string, text: string][] = [
    ['plus signs, percent signs, ampersands and equals signs', '1 + 1 = 2 & 100 %2B'],
    ['brackets and quotation marks', `a[b]=c[] "d" 'e'`],
    ['any script, and what takes two UTF-16 units', 'Ærø · Łódź · 葬儀 · مراسم · 🕊️'],
    ['white space at both ends, and lines', '  first\r\n\tsecond  '],
  ];
  for (const [what, text] of hard) {
    it(`texts come back as they were, and keys that have no brackets: ${what}`, async () => {
      const metadata = { [text.replaceAll(/[[\]]/g, '')]: { inner: [text, [text]] } };
      const sent = under('location', {
        ...{ ...leastOf('events'), external_identifier: text, event_name: text },
        ...{ person: { full_name: text }, additional_event_metadata: metadata },
      });
      const made = await client().rawRequest('POST', '/v1/events/upsert', sent);
      assert.deepEqual([made.event_name, made.external_identifier], [text, text]);
      assert.equal(made.public_data.person.full_name, text);
      assert.deepEqual(made.public_data.additional_event_metadata, metadata);
    });
  }

  it('null removes what is optional, and booleans and amounts keep their types', async () => {
    const least = { external_identifier: 'emptied', ...leastOf('online_arrangements') };
    const send = (members: Body) => {
      const body = under('location', { ...least, ...members });
      return client().rawRequest('POST', '/v1/online_arrangements/upsert', body);
    };
    const cart = { cart_value_in_cents: 249_900, cart_currency: 'USD', is_abandoned_cart: false };
    const made = await send({ additional_cart_metadata: cart, additional_data: { a: { b: 'c' } } });
    assert.deepEqual(made.additional_cart_metadata, cart);
    const none = { additional_cart_metadata: { is_abandoned_cart: null }, additional_data: null };
    const emptied = await send(none);
    const { is_abandoned_cart: _, ...rest } = cart;
    assert.deepEqual(emptied.additional_cart_metadata, rest);
    assert.ok(!('additional_data' in emptied));
  });

  it('removes a record, and everything below it where the query says so', async () => {
    const url = '/v1/locations/upsert';
    const { unique_identifier } = await client().rawRequest('POST', url, locationNamed('removed'));
    await stage.service.event(unique_identifier);
    const path = `/v1/locations/${unique_identifier}`;
    const refused = await refusal(client().rawRequest('DELETE', path));
    assert.equal(refused.code, 'record_has_children');
    const removed = await client().rawRequest('DELETE', `${path}?cascade=true`);
    assert.deepEqual({ ...removed }, { object: 'location', unique_identifier, deleted: true });
  });
});

describe('errors arrive as the types that the client has for them', () => {
  it('StripeInvalidRequestError for a body, with the first fault, and all of them in raw', async () => {
    const error = await refusal(
      client().rawRequest('POST', '/v1/events/upsert', {
        ...under('location', leastOf('events')),
        external_identifier: 'wrong',
        person: { full_name: '', date_of_birth: '1948-02-30' },
        event_nam: 'Graveside',
      }),
    );
    assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError);
    assert.deepEqual([error.statusCode, error.rawType], [400, 'invalid_request_error']);
    assert.deepEqual([error.code, error.param], ['parameter_missing', 'person.full_name']);
    // It sends forms.
    assert.match(error.message, /^person\[full_name\] .*2 more faults/);
    assert.match(error.doc_url ?? '', /\/docs\/errors#parameter_missing$/);
    const { errors } = error.raw as { errors: { param: string; code: string }[] };
    assert.deepEqual(pluck(errors, 'param', 'code'), [
      ['person.full_name', 'parameter_missing'],
      ['person.date_of_birth', 'date_not_real'],
      ['event_nam', 'parameter_unknown'],
    ]);
  });

  it('StripeInvalidRequestError for a record or a parent that is not there', async () => {
    const record = await refusal(client().rawRequest('GET', '/v1/events/evt_nothing'));
    assert.ok(record instanceof Stripe.errors.StripeInvalidRequestError);
    assert.deepEqual([record.statusCode, record.code], [404, 'resource_missing']);
    const orphan = { ...locationNamed('orphan'), account_unique_identifier: 'acct_nothing' };
    const parent = await refusal(client().rawRequest('POST', '/v1/locations/upsert', orphan));
    assert.ok(parent instanceof Stripe.errors.StripeInvalidRequestError);
    assert.deepEqual([parent.statusCode, parent.code], [404, 'resource_missing']);
    assert.equal(parent.param, 'account_unique_identifier');
  });

  it('StripeAuthenticationError for a key that is not valid', async () => {
    const apiKey = 'sk_test_nothing';
    const error = await refusal(client().rawRequest('GET', '/v1/accounts', undefined, { apiKey }));
    assert.ok(error instanceof Stripe.errors.StripeAuthenticationError);
    assert.deepEqual([error.statusCode, error.code], [401, 'api_key_missing']);
  });

  it('StripePermissionError for a key that may only read', async () => {
    const { secret: apiKey } = await stage.service.newKey({ permissions: ['read'] });
    const body = locationNamed('forbidden');
    const error = await refusal(
      client().rawRequest('POST', '/v1/locations/upsert', body, { apiKey }),
    );
    assert.ok(error instanceof Stripe.errors.StripePermissionError);
    assert.deepEqual([error.statusCode, error.code], [403, 'permission_denied']);
  });

  it('StripeAPIError for the rest of the statuses, whose rawType and code say what it is', async () => {
    const options = { idempotencyKey: 'twice-with-different-bodies' };
    const url = '/v1/locations/upsert';
    await client().rawRequest('POST', url, locationNamed('reused'), options);
    const other = locationNamed('reused', 'Riverside');
    const error = await refusal(client().rawRequest('POST', url, other, options));
    assert.ok(error instanceof Stripe.errors.StripeAPIError);
    assert.deepEqual([error.statusCode, error.rawType], [422, 'idempotency_error']);
    assert.equal(error.code, 'idempotency_key_reused');
  });
});
