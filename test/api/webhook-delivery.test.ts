/** Each change is delivered at least once, in order for each record, whatever the receiver does. */
// needs: both stores with --all, waits, long

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { changeId } from '../../src/core/schema/id.ts';
import { whenOver } from '../support/at-end.ts';
import { startCounted } from '../support/counted-service.ts';
import { describedBy } from '../support/openapi.ts';
import { runningElapsed } from '../support/own-elapsed.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { refused, served } from '../support/world.ts';

const settings = keyed();
let key: string;
let location: string;
let clock = 0;
const elapsed = runningElapsed();

const service = served({ settings, now: () => Date.now() + clock }, async () => {
  key = (await service.newKey({ allow: ['webhooks'] })).secret;
  location = await service.location();
});

async function endpoint(url: string, more: Body = {}, by = key): Promise<Body> {
  const sent = { url, ...more };
  const { status, body, text } = await service.json('/v1/webhook_endpoints', sent, { key: by });
  assert.equal(status, 200, text);
  const at = `/v1/webhook_endpoints/${body.unique_identifier}`;
  whenOver(() => service.send('DELETE', at, { key }));
  return body;
}
const get = async (id: string): Promise<Body> =>
  (await service.get(`/v1/webhook_endpoints/${id}`, { key })).body;
const act = (id: string, what: string, body: Body = {}) =>
  service.json(`/v1/webhook_endpoints/${id}/${what}`, body, { key });
const change = (id: string, body: Body) =>
  service.patch(`/v1/webhook_endpoints/${id}`, body, { key });
const deliveries = async (id: string, query = ''): Promise<Body[]> =>
  (await service.get(`/v1/webhook_endpoints/${id}/deliveries${query}`, { key })).body.data;

let count = 0;
const event = async (as = `event ${++count}`, name = 'Celebration of life'): Promise<Body> => {
  const sent = eventBody(location, as, { event_name: name });
  return (await service.json('/v1/events/upsert', sent)).body;
};
/** Waits until an endpoint has these members. */
const becomes = (id: string, wanted: Body) =>
  until(async () => {
    const found = await get(id);
    return Object.entries(wanted).every(([name, value]) => found[name] === value);
  });
/** An endpoint, and what receives for it. */
async function listening(more?: Body, by?: string) {
  const receiver = await startReceiver();
  const { secret, unique_identifier, account } = await endpoint(receiver.url, more, by);
  return { receiver, secret, unique_identifier, account };
}

describe('A webhook', () => {
  it('tells of each change, signed as Standard Webhooks says, with the identifier of the feed', async () => {
    const { receiver, secret, unique_identifier } = await listening();
    const first = await event();
    await event('event 1', 'Renamed');
    await service.send('DELETE', `/v1/events/${first.unique_identifier}`);
    const received = await receiver.count(3);
    const { body: feed } = await service.get('/v1/changes?limit=1000', { key });
    assert.deepEqual(pluck(pluck(received, 'body'), 'data'), feed.data.slice(-3));
    for (const { id, text, headers, body } of received) {
      assert.deepEqual(new Webhook(secret).verify(text, headers as Record<string, string>), body);
      assert.equal(id, body.data.unique_identifier);
      assert.equal(body.type, `event.${body.data.outcome}`);
      assert.equal(body.timestamp, body.data.occurred_at);
    }
    await until(async () => (await deliveries(unique_identifier)).length === 3);
    const [last] = await deliveries(unique_identifier);
    const told = pluck([last], 'change', 'status', 'status_code', 'attempts', 'error');
    assert.deepEqual(told, [[received[2]?.id, 'delivered', 200, 1, null]]);
    await becomes(unique_identifier, { position: received[2]?.id });
  });

  it('tells of what a source proposes for what staff corrected', async () => {
    const { body: document } = await service.get('/openapi.json', { key: null });
    const accept = describedBy(document);
    const [all, updates, proposals] = await Promise.all([
      startReceiver(),
      startReceiver(),
      startReceiver(),
    ]);
    await endpoint(all.url);
    await endpoint(updates.url, { notifications: ['event.updated'] });
    await endpoint(proposals.url, { notifications: ['proposal.created'] });
    const { unique_identifier: id } = await event('corrected');
    const { secret: staff } = await service.newKey({ allow: ['pin'] });
    await service.patch(`/v1/events/${id}`, { event_name: 'Right' }, { key: staff });
    await event('corrected', 'Wrong');
    const types = async (receiver: Receiver, many: number) =>
      (await receiver.count(many)).map(({ body }) => body.type);
    assert.deepEqual(await types(all, 3), ['event.created', 'event.updated', 'proposal.created']);
    assert.deepEqual(await types(updates, 2), ['event.updated', 'event.updated']);
    const [told] = await proposals.count(1);
    assert.deepEqual([told?.body.type, told?.body.data.record], ['proposal.created', id]);
    const { post } = document.webhooks['proposal.created'];
    accept(post.requestBody.content['application/json'].schema, told?.body);
  });

  it('sends what the OpenAPI document describes: a change alone or with its record as it is now, and a test', async () => {
    const { body: document } = await service.get('/openapi.json', { key: null });
    const accept = describedBy(document);
    const { receiver, unique_identifier } = await listening({ payload: 'full' });
    await endpoint(receiver.url);
    const made = await event();
    const whole = () => receiver.received.flatMap(({ body }) => body.data.record_now ?? []);
    await until(() => whole().length === 1);
    assert.equal(whole()[0].unique_identifier, made.unique_identifier);
    await service.send('DELETE', `/v1/events/${made.unique_identifier}`);
    await act(unique_identifier, 'test');
    const kinds = ['event.created', 'event.deleted', 'webhook_endpoint.test'];
    const types = () => new Set(receiver.received.map(({ body }) => body.type));
    await until(() => kinds.every((type) => types().has(type)));
    const removed = () => receiver.received.filter(({ body }) => body.type === 'event.deleted');
    await until(() => removed().some(({ body }) => body.data.record_now === null));
    for (const { body, headers } of receiver.received) {
      const { post } = document.webhooks[body.type];
      accept(post.requestBody.content['application/json'].schema, body);
      for (const { $ref } of post.parameters)
        assert.ok(headers[String($ref).split('/').at(-1) ?? ''], $ref);
    }
  });

  it('tells of what it was asked for, and of nothing before it was made', async () => {
    await event();
    const receiver = await startReceiver();
    await endpoint(receiver.url, { notifications: ['*.deleted', 'event_check_in_record.*'] });
    const { unique_identifier } = await event();
    await service.json('/v1/event_check_in_records/upsert', visitorBody(unique_identifier, 'a'));
    await service.send('DELETE', `/v1/events/${unique_identifier}?cascade=true`);
    const types = (await receiver.count(3)).map(({ body }) => body.type);
    const visits = ['event_check_in_record.created', 'event_check_in_record.deleted'];
    assert.deepEqual(types.sort(), ['event.deleted', ...visits]);
  });

  it('holds back only what is of the same record when one fails, and keeps its order', async () => {
    const receiver = await startReceiver();
    const held = await event();
    let fails = true;
    receiver.answer = ({ body }) =>
      fails && body.data.record === held.unique_identifier ? 500 : 200;
    const { unique_identifier } = await endpoint(receiver.url);
    await event(held.external_identifier, 'One');
    await event(held.external_identifier, 'Two');
    for (let at = 0; at < 5; at++) await event();
    await receiver.count(6);
    await until(async () => (await deliveries(unique_identifier, '?status=pending')).length === 2);
    const pending = await deliveries(unique_identifier, '?status=pending');
    const [waits, tried] = pending;
    const unsent = { attempts: 0, status_code: null, next_attempt_at: null };
    assert.partialDeepStrictEqual(waits, unsent);
    assert.partialDeepStrictEqual(tried, { attempts: 1, status_code: 500 });
    assert.notEqual(tried.next_attempt_at, null);
    assert.notEqual((await get(unique_identifier)).failing_since, undefined);
    fails = false;
    await receiver.count(8);
    const versions = receiver.received
      .filter(({ body }) => body.data.record === held.unique_identifier)
      .map(({ body }) => body.data.version);
    assert.deepEqual(versions, [2, 2, 3]);
    await becomes(unique_identifier, { failing_since: null });
  });

  it('stops and probes while all fails, and goes on in order when it works again', async () => {
    const receiver = await startReceiver();
    let works = false;
    receiver.answer = () => (works ? 200 : 503);
    const { unique_identifier } = await endpoint(receiver.url);
    for (let at = 0; at < 30; at++) await event(`down ${at % 15}`, `Name ${at}`);
    await becomes(unique_identifier, { status: 'failing' });
    const tried = receiver.received.length;
    assert.ok(tried >= 10 && tried <= 30, `${tried} tries`);
    works = true;
    const before = receiver.received.length;
    await until(() => new Set(pluck(receiver.received.slice(before), 'id')).size >= 30);
    await becomes(unique_identifier, { status: 'enabled' });
    const versions = new Map<string, number>();
    for (const { body } of receiver.received.slice(before)) {
      const { record, version } = body.data;
      assert.ok(version >= (versions.get(record) ?? 0), 'a record went back');
      versions.set(record, version);
    }
  });

  it('is disabled by 410, and after 1,440 failures, however long ago it worked; enabled, it goes on where it stopped', async () => {
    const receiver = await startReceiver();
    receiver.answer = () => 410;
    const { unique_identifier } = await endpoint(receiver.url);
    await event();
    await becomes(unique_identifier, { status: 'disabled', disabled_reason: 'gone' });
    const missed = await event();
    receiver.answer = () => 200;
    receiver.received.length = 0;
    await change(unique_identifier, { status: 'enabled' });
    await receiver.count(2);
    const records = receiver.received.map(({ body }) => body.data.record);
    assert.ok(records.includes(missed.unique_identifier));

    receiver.answer = () => 500;
    await event();
    await until(async () => (await get(unique_identifier)).failing_since !== null);
    clock += 30 * 86_400_000;
    receiver.received.length = 0;
    await event();
    await receiver.count(2);
    assert.equal((await get(unique_identifier)).disabled_reason, null);
    // One counts in five minutes: all but the last.
    await service.app.store.webhooks.change(unique_identifier, { strikes: 1_439 });
    await event();
    await becomes(unique_identifier, { status: 'disabled', disabled_reason: 'failing_too_long' });
  });

  it('shows no more than its key may see at the moment of sending, and pauses when that ends', async () => {
    const receiver = await startReceiver();
    const limits = { allow: ['webhooks'], anchors: [location] } as const;
    const { secret: limited, key: stored } = await service.newKey(limits);
    const { unique_identifier } = await endpoint(receiver.url, {}, limited);
    const other = await service.location('elsewhere');
    await service.event(other, 'unseen');
    const seen = await event();
    const [only] = await receiver.count(1);
    assert.equal(only?.body.data.record, seen.unique_identifier);
    await service.app.store.keys.revoke(stored.unique_identifier);
    // By then it has ended for what is sent, too.
    elapsed.move(1_000);
    await event();
    await becomes(unique_identifier, { status: 'paused', disabled_reason: 'key_ended' });
    assert.equal(receiver.received.length, 1);
    // Whoever enables it sees for it from then on.
    receiver.received.length = 0;
    await change(unique_identifier, { status: 'enabled' });
    await receiver.count(1);
  });

  it('stops and says so where the log of changes no longer goes, and goes on from where it is replayed', async () => {
    const { receiver, unique_identifier, account } = await listening();
    const { webhooks } = service.app.store;
    // As after the store was set back: that commit is not there.
    const ahead = changeId(account, { position: 1_000_000, place: 0, token: 1 });
    await webhooks.change(unique_identifier, { position: ahead });
    await becomes(unique_identifier, { status: 'disabled', disabled_reason: 'changes_rewound' });
    const lost = await act(unique_identifier, 'replay', { starting_after: ahead });
    refused(lost, 410, 'changes_rewound');
    // As after it was down for longer than the log goes back.
    const swept = changeId(account, { position: 0, place: 0, token: 1 });
    await webhooks.change(unique_identifier, { position: swept, status: 'enabled', reason: null });
    await becomes(unique_identifier, { status: 'disabled', disabled_reason: 'changes_expired' });
    const { body } = await service.get('/v1/changes?starting_after=now');
    const { unique_identifier: record } = await event();
    await act(unique_identifier, 'replay', { starting_after: body.position });
    await change(unique_identifier, { status: 'enabled' });
    const [only] = await receiver.count(1);
    assert.equal(only?.body.data.record, record);
  });

  it('is sent again what is replayed, from a change or a time, and a single change', async () => {
    const { receiver, unique_identifier } = await listening();
    const one = await event();
    clock += 1_100;
    await event();
    await event();
    // Those of several records may arrive in any order; their identifiers rise as they were made.
    const [first, second, third] = (await receiver.count(3)).map(({ id }) => id).sort();
    await becomes(unique_identifier, { position: third });
    receiver.received.length = 0;
    await act(unique_identifier, 'replay', { starting_after: first });
    // Each at least once, and nothing from before.
    const got = (id?: string): boolean => receiver.received.some((one) => one.id === id);
    await until(() => got(second) && got(third));
    assert.ok(!got(first));
    receiver.received.length = 0;
    await becomes(unique_identifier, { position: third });
    await act(unique_identifier, 'replay', { since: one.inserted_at });
    await until(() => got(first) && got(second) && got(third));
    await becomes(unique_identifier, { position: third });
    receiver.received.length = 0;
    const { status, body } = await act(unique_identifier, 'resend', { change: second });
    assert.deepEqual([status, body.status, body.attempts], [200, 'pending', 0]);
    await receiver.count(1);
    assert.equal(receiver.received[0]?.id, second);
    assert.equal((await act(unique_identifier, 'resend', { change: 'chg_0' })).status, 404);
  });

  it('waits as long as Retry-After says', async () => {
    const receiver = await startReceiver();
    receiver.answer = () => ({ status: 429, headers: { 'Retry-After': '7200' } });
    const { unique_identifier } = await endpoint(receiver.url);
    await event();
    await until(async () => (await deliveries(unique_identifier)).length === 1);
    const [{ next_attempt_at }] = (await deliveries(unique_identifier)) as [Body];
    const ahead = Date.parse(next_attempt_at) - Date.now() - clock;
    assert.ok(ahead > 7_100_000 && ahead < 7_300_000, String(ahead));
  });
});

describe('The metrics of webhooks', () => {
  it('tell how many endpoints there are by status, how far behind each is, and how its tries went', async () => {
    const counted = await startCounted(settings);
    const receiver = await startReceiver();
    receiver.answer = () => 500;
    const { secret } = await counted.newKey({ allow: ['webhooks'] });
    const { url } = receiver;
    const { body } = await counted.json('/v1/webhook_endpoints', { url }, { key: secret });
    const endpoint = body.unique_identifier;
    const value = async (name: string, labels: Record<string, string>) =>
      (await counted.scrape()).value(`ledgerstone_webhook_${name}`, labels);
    await counted.location();
    await receiver.count(1);
    await until(async () => (await value('tries_total', { endpoint, outcome: 'failed' })) === 1);
    assert.equal(await value('endpoints', { status: 'enabled' }), 1);
    await until(async () => ((await value('lag_seconds', { endpoint })) ?? 0) > 0.5);
    receiver.answer = () => 200;
    await until(async () => (await value('tries_total', { endpoint, outcome: 'delivered' })) === 1);
    await until(async () => (await value('lag_seconds', { endpoint })) === 0);
  });
});
