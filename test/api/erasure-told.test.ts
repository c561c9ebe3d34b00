/** An erasure reaches all that have copies, and knows who was told, who says that it is done, and who still sends what was erased. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuditChain } from '../../src/services/audit/chain.ts';
import { type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { refused, world } from '../support/world.ts';

describe('An erasure', () => {
  let clock = 0;
  const on = world({ settings: keyed(), now: () => Date.now() + clock });
  const { service, ok, visit, visitor, erase, erasure: find } = on;
  const consumersOf = async (id: string): Promise<Readonly<Record<string, Body>>> =>
    Object.fromEntries((await find(id)).consumers.map((one: Body) => [one.consumer, one]));
  const endpoint = async (more: object = {}): Promise<readonly [string, Receiver]> => {
    const receiver = await startReceiver();
    const sent = { url: receiver.url, ...more };
    const { unique_identifier } = await ok('/v1/webhook_endpoints', sent, on.officer);
    return [unique_identifier, receiver];
  };
  const change = (id: string, body: object) =>
    ok(`/v1/webhook_endpoints/${id}`, body, on.officer, 'PATCH');
  const acknowledge = (id: string, key: string) =>
    service.send('POST', `/v1/erasures/${id}/acknowledge`, { key });
  const follow = async (key: string, from: string) =>
    (await service.get(`/v1/changes?starting_after=${from}`, { key })).body.position;

  it('names each endpoint and each key that follows, and says which were told and when', async () => {
    const [told] = await endpoint();
    const [made] = await endpoint({ notifications: ['event_check_in_record.created'] });
    const [paused] = await endpoint();
    const [elsewhere] = await endpoint({ notifications: ['event.*'] });
    const { unique_identifier: record } = await visit('One');
    await change(paused, { status: 'paused' });
    const keys = [await service.newKey(), await service.newKey(), await service.newKey()] as const;
    const [follower, night, never] = keys;
    const began = await follow(follower.secret, 'now');
    await follow(night.secret, 'now');
    await until(async () => {
      const { erasureNotes } = service.app.store;
      return (await erasureNotes.following(on.account, 0)).length === 2;
    });

    const { unique_identifier: id } = await erase(record);
    const first = await consumersOf(id);
    const ids = [told, made, paused, follower.key.unique_identifier];
    assert.deepEqual(new Set(Object.keys(first)), new Set([...ids, night.key.unique_identifier]));
    assert.ok(!(elsewhere in first) && !(never.key.unique_identifier in first));
    await follow(follower.secret, await follow(follower.secret, began));
    const { body: acknowledged } = await acknowledge(id, night.secret);
    assert.deepEqual([acknowledged.erasure, acknowledged.key], [id, night.key.unique_identifier]);
    clock += 60_000;
    const statuses = async () => {
      const now = await consumersOf(id);
      return ids.map((one) => now[one].status);
    };
    await until(async () => (await statuses()).join() === 'told,told,not_told,told');
    const now = await consumersOf(id);
    assert.ok(Date.parse(now[told].told_at) > 0);
    assert.equal(now[paused].told_at, null);
    const own = now[night.key.unique_identifier];
    const { acknowledged_at } = acknowledged;
    assert.partialDeepStrictEqual(own, { status: 'acknowledged', acknowledged_at });

    await change(paused, { status: 'enabled' });
    await until(async () => (await consumersOf(id))[paused].status === 'told');
    const { body } = await service.get(`/v1/erasures/${id}/certificate`, { key: on.officer });
    assert.deepEqual(body.consumers, (await find(id)).consumers);
  });

  it('names nobody where only the past of a record goes, of which nobody is told', async () => {
    const [told] = await endpoint();
    const { unique_identifier: record } = await visit('Past');
    const { unique_identifier: id } = await on.begin([record]);
    const past = await on.run(id, [record], { keep: 'current' });
    assert.deepEqual([past.status, past.past_only], ['done', [record]]);
    assert.deepEqual((await find(id)).consumers, []);
    await on.run(id, [record]);
    assert.ok(told in (await consumersOf(id)), 'until the record goes, too');
  });

  it('is told after all to an endpoint that failed for good and works when it is sent again', async () => {
    const [failing, receiver] = await endpoint();
    const { unique_identifier: record } = await visit('Fails');
    await until(() => receiver.received.length > 0);
    const { webhooks, erasureNotes } = service.app.store;
    const { unique_identifier: id } = await erase(record);
    const status = async () => (await consumersOf(id))[failing].status;
    await until(async () => (await status()) === 'told');
    const deliveries = await webhooks.deliveries({ endpoint: failing, limit: 10 });
    const sent = deliveries.find(({ type }) => type.endsWith('.erased'));
    assert.ok(sent !== undefined);
    // As after three days of retries.
    await webhooks.redeliver({ ...sent, status: 'failed', next_at: null });
    const note = (await erasureNotes.of([id])).find(({ about }) => about === failing);
    assert.ok(note !== undefined);
    await erasureNotes.settle(note, { state: 'failed', last_at: 0 });
    assert.equal(await status(), 'failed');
    await ok(`/v1/webhook_endpoints/${failing}/resend`, { change: sent.change }, on.officer);
    await until(async () => (await status()) === 'told');
  });

  it('names people and keys that saw or exported its records while these were there, and no others', async () => {
    const emails = ['looks', 'exports', 'prints', 'other'].map((name) => `${name}@example.com`);
    const people = await Promise.all(emails.map((email) => signedIn(service, email)));
    const [looks, exports, prints, other] = people;
    const of = (one: ConsoleBrowser & { session: Body } = assert.fail()) =>
      one.session.staff.unique_identifier;
    await other?.post('/printed', { what: 'event_check_in_records' });
    clock += 1_000;
    const { unique_identifier: record } = await visit('Six');
    const { unique_identifier: neighbor } = await visit('Seven');
    await looks?.get(`/v1/event_check_in_records/${record}`);
    await other?.get(`/v1/event_check_in_records/${neighbor}`);
    await prints?.post('/printed', { what: 'event_check_in_records' });
    await other?.post('/printed', { what: 'events' });
    const file = await fetch(`${service.url}/console/api/exports`, {
      method: 'POST',
      headers: { ...OWN, Cookie: exports?.cookie ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify({ resources: ['event_check_in_records'], format: 'csv' }),
    });
    assert.equal(file.status, 200);
    await file.arrayBuffer();
    await exports?.get(`/v1/event_check_in_records/${record}`);
    const reader = await service.newKey({ permissions: ['read'] });
    const elsewhere = await service.newKey({ permissions: ['read'] });
    await service.get('/v1/event_check_in_records', { key: reader.secret });
    await service.get('/v1/events', { key: elsewhere.secret });
    const { store } = service.app;
    const query = { account: on.account, limit: 100 };
    await until(async () => (await store.audit.list({ ...query, record })).length === 2);
    await until(async () => {
      const hour = Math.floor((Date.now() + clock) / 3_600_000) * 3_600_000;
      const reads = await store.requests.readsOf(hour);
      return reads.filter(({ key }) => key === elsewhere.key.unique_identifier).length > 0;
    });
    const { unique_identifier: id } = await erase(record);
    const found = await consumersOf(id);
    const copiers = [of(looks), of(exports), of(prints), reader.key.unique_identifier];
    for (const [at, by] of copiers.entries()) {
      const { status, seen_at, told_at } = found[by];
      const wanted = [at === 0 ? 'opened' : 'exported', 'string', null];
      assert.deepEqual([status, typeof seen_at, told_at], wanted);
    }
    assert.ok(!(of(other) in found) && !(elsewhere.key.unique_identifier in found));
    const { text } = await service.get(`/v1/erasures/${id}/certificate`, { key: on.officer });
    assert.ok(text.includes(of(looks)) && !text.includes('looks@example.com'));
    await acknowledge(id, reader.secret);
    assert.equal((await consumersOf(id))[reader.key.unique_identifier].status, 'acknowledged');
  });

  it('names the latest 200 who have copies, and says how many there are', async () => {
    const { unique_identifier: record } = await visit('Eight');
    const { audit } = service.app.store;
    const now = () => Date.now() + clock;
    const chain = createAuditChain({ book: audit, key: undefined, now });
    const { account } = on;
    const facts = { action: 'read', account, record, resource: 'event_check_in_record' } as const;
    const readAt = (at: number) => ({ ...facts, by: `stf_${at}`, time: now() + at });
    await chain.append(Array.from({ length: 230 }, (_, at) => readAt(at)));
    const { unique_identifier: id } = await erase(record);
    const { consumers, consumers_count } = await find(id);
    const copiers = consumers.filter(({ status }: Body) => status === 'opened');
    assert.equal(copiers.length, 200);
    assert.ok(copiers.some(({ consumer }: Body) => consumer === 'stf_229'));
    assert.ok(!copiers.some(({ consumer }: Body) => consumer === 'stf_0'));
    // Keys that have read at this hour may have copies, too.
    assert.ok(consumers_count >= consumers.length + 30, consumers_count);
    const { body } = await service.get(`/v1/erasures/${id}/certificate`, { key: on.officer });
    assert.equal(body.consumers_count, consumers_count);
    await on.run(id, [record]);
    assert.equal((await find(id)).consumers_count, consumers_count, 'again it is the same');
  });

  it('is acknowledged by keys of its account alone, whatever else they may do', async () => {
    const { unique_identifier: id } = await erase((await visit('Two')).unique_identifier);
    const other = await service.another();
    refused(await acknowledge(id, other.key), 404, 'resource_missing');
    const writes = (await service.newKey({ permissions: ['write'] })).secret;
    assert.equal((await acknowledge(id, writes)).status, 403);
    const reads = await service.newKey({ permissions: ['read'] });
    assert.equal((await acknowledge(id, reads.secret)).status, 200);
    assert.equal((await acknowledge(id, reads.secret)).status, 200);
    const known = await consumersOf(id);
    assert.equal(known[reads.key.unique_identifier].status, 'acknowledged');
  });

  it('counts who sends its records again, by key, on every way in', async () => {
    const [one, other] = [await visit('Three'), await visit('Four')];
    const { unique_identifier: id } = await erase(one.unique_identifier, other.unique_identifier);
    const [nightly, single] = [await service.newKey(), await service.newKey()];
    const many = '/v1/event_check_in_records/upsert_many';
    const rows = [visitor('Three'), visitor('Four'), visitor('Five')];
    for (const path of [many, `${many}?atomic=true`]) {
      const { summary } = await ok(path, rows, nightly.secret);
      assert.equal(summary.erased, 2);
    }
    await ok(`${many}?dry_run=true`, rows, nightly.secret);
    const upsert = '/v1/event_check_in_records/upsert';
    refused(await service.json(upsert, visitor('Three'), { key: single.secret }), 410);
    await service.json(upsert, visitor('Five'), { key: single.secret });
    const counts = async (): Promise<Body> =>
      Object.fromEntries(pluck((await find(id)).sent_again, 'by', 'count') as [string, number][]);
    const [often, once] = [nightly.key.unique_identifier, single.key.unique_identifier];
    await until(async () => Object.keys(await counts()).length === 2);
    assert.deepEqual(await counts(), { [often]: 4, [once]: 1 });
    await service.json(upsert, visitor('Four'), { key: single.secret });
    await until(async () => (await counts())[once] === 2);
    assert.equal(await service.app.store.erasureNotes.sentAgain(), 6);
  });

  it('is told after the removal, with nothing of the record, and changes nothing else', async () => {
    const { unique_identifier: record } = await visit(`Told`);
    const { unique_identifier: removed } = await visit(`Removed`);
    await service.send('DELETE', `/v1/event_check_in_records/${removed}`);
    const { position } = (await service.get('/v1/changes?starting_after=now')).body;
    const { unique_identifier: erasure } = await on.erase(record, removed);
    const { data } = (await service.get(`/v1/changes?starting_after=${position}`)).body;
    assert.deepEqual(pluck(data, 'record', 'outcome', 'version', 'erasure', 'location'), [
      [record, 'deleted', 2, undefined, on.location],
      [record, 'erased', 3, erasure, on.location],
      [removed, 'erased', 3, erasure, on.location],
    ]);
    assert.deepEqual([data[1].key, data[1].source, data[1].changed], [null, null, []]);
    const only = await service.get(`/v1/changes?starting_after=${position}&outcome[]=erased`);
    assert.equal(only.body.data.length, 2);
  });

  it('reaches every endpoint that gets anything of the resource, whatever else it asks for', async () => {
    const wanted = {
      ...{ all: ['*'], made: ['event_check_in_record.created'], removals: ['*.deleted'] },
      ...{ events: ['event.*'], proposals: ['proposal.created'], sources: ['*.silent'] },
    };
    const receivers = new Map<string, Receiver>();
    for (const [name, notifications] of Object.entries(wanted))
      receivers.set(name, (await endpoint({ notifications }))[1]);
    const { unique_identifier } = await visit(`Reached`);
    await on.erase(unique_identifier);
    await service.patch(`/v1/events/${on.event}`, { event_name: 'the last of all' });
    const typesTo = (name: string): string[] =>
      (receivers.get(name)?.received ?? []).map(({ body }) => body.type);
    const of = (...outcomes: string[]) => outcomes.map((one) => `event_check_in_record.${one}`);
    await until(() => typesTo('events').length > 0 && typesTo('all').length >= 4);
    await until(() => typesTo('made').length >= 2 && typesTo('removals').length >= 2);
    const all = typesTo('all').filter((type) => type !== 'event.updated');
    assert.deepEqual(all, of('created', 'deleted', 'erased'));
    assert.deepEqual(typesTo('made'), of('created', 'erased'));
    assert.deepEqual(typesTo('removals'), of('deleted', 'erased'));
    assert.deepEqual(typesTo('events'), ['event.updated']);
    assert.deepEqual([typesTo('proposals'), typesTo('sources')], [[], []]);
  });
});
