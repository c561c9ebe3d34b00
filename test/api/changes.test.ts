/** The log of changes over HTTP: whoever follows it has seen everything once, and only what they may see. */
// needs: both stores with --all, long

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { type CountedService, startCounted } from '../support/counted-service.ts';
import { pluck } from '../support/pluck.ts';
import { visitorBody } from '../support/sent.ts';
import { type Body, joinService, type Service, startService } from '../support/service.ts';
import { LONG_MS, until } from '../support/until.ts';
import { wipe } from '../support/wipe.ts';
import { refused } from '../support/world.ts';

const checkIn = (service: Service, event: string, more: object = {}) =>
  service.json('/v1/event_check_in_records/upsert', visitorBody(event, 'a', more));

async function position(service: Service): Promise<string> {
  return (await service.get('/v1/changes?starting_after=now')).body.position;
}

/** Two locations, from where the log goes on with a service at each, and a visitor of the first. */
async function twoPlaces(service: Service, more?: object) {
  const [one, two] = [await service.location('one'), await service.location('two')];
  const from = await position(service);
  const event = await service.event(one, 'e');
  await service.event(two, 'f');
  await checkIn(service, event);
  if (more !== undefined) await checkIn(service, event, more);
  return { two, from };
}

const LINES = { Accept: 'application/x-ndjson' };
const followers = async (service: CountedService) =>
  (await service.scrape()).value('ledgerstone_followers');

/** What happened, in short. */
const told = (changes: readonly Body[]): readonly string[] =>
  changes.map(({ resource, outcome, version }) => `${resource} ${outcome} ${version}`);

/** Follows a stream; each `until` gives all that was read so far, once it meets a condition or the stream ends. */
async function followed(service: Service, query: string, headers: object) {
  const gone = new AbortController();
  whenOver(() => gone.abort());
  const answer = await fetch(`${service.url}/v1/changes?${query}`, {
    headers: { Authorization: `Bearer ${service.key}`, ...headers },
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(LONG_MS)]),
  });
  assert.equal(answer.status, 200);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  return {
    type: answer.headers.get('content-type'),
    async until(enough: (text: string) => boolean): Promise<string> {
      while (!enough(text)) {
        const { done, value } = await reader.read();
        if (done) break;
        text += decoder.decode(value, { stream: true });
      }
      return text;
    },
  };
}

describe('GET /v1/changes', () => {
  it('is counted by who follows it, and how far it goes back', async () => {
    const service = await startCounted();
    assert.equal(await followers(service), 0);
    const stream = await followed(service, 'starting_after=now', LINES);
    await stream.until((text) => text.includes('"position"'));
    const waiting = service.get('/v1/changes?starting_after=now&wait=5');
    await until(async () => (await followers(service)) === 2);
    const location = await service.location();
    await stream.until((text) => text.includes(location));
    await waiting;
    await until(async () => (await followers(service)) === 1);
    const scraped = await service.scrape();
    assert.equal(scraped.value('ledgerstone_follower_lag_seconds'), 0);
    assert.ok((scraped.value('ledgerstone_changes_commits') ?? 0) >= 1);
    assert.ok((scraped.value('ledgerstone_changes_oldest_seconds') ?? 60) < 60);
  });

  it('tells what changed, in order, page by page', async () => {
    const service = await joinService();
    const location = await service.location();
    const event = await service.event(location);
    const from = await position(service);
    const id: string = (await checkIn(service, event)).body.unique_identifier;
    const changed = { visitor_full_name: 'Ann', visitor_phone_number: '+14155550124' };
    await checkIn(service, event, changed);
    await service.send('DELETE', `/v1/event_check_in_records/${id}`);

    const first = await service.get(`/v1/changes?starting_after=${from}&limit=2`);
    assert.equal(first.status, 200, first.text);
    assert.partialDeepStrictEqual(first.body, {
      object: 'list',
      url: '/v1/changes',
      has_more: true,
    });
    const [created, updated] = first.body.data;
    assert.match(created.unique_identifier, /^chg_[0-9A-Za-z]{22}$/);
    assert.match(created.occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { unique_identifier: _, occurred_at: __, key, source, ...rest } = created;
    assert.match(key, /^key_/);
    assert.match(source, /^src_/);
    const account = service.account.unique_identifier;
    const of = {
      object: 'change',
      account,
      resource: 'event_check_in_record',
      record: id,
      location,
    };
    assert.deepEqual(rest, { ...of, outcome: 'created', version: 1, changed: [] });
    assert.deepEqual(updated.changed, Object.keys(changed));
    assert.equal(first.body.position, updated.unique_identifier);

    const next = await service.get(`/v1/changes?starting_after=${first.body.position}`);
    assert.deepEqual(told(next.body.data), ['event_check_in_record deleted 3']);
    assert.equal(next.body.has_more, false);
    const after = await service.get(`/v1/changes?starting_after=${next.body.position}`);
    assert.deepEqual([after.body.data, after.body.position], [[], next.body.position]);
    const all = await service.get('/v1/changes?limit=1000');
    assert.equal(all.body.data[0].resource, 'account');
    assert.equal(all.body.data.length, 6);
  });

  it('tells only of what is asked for, and moves on past the rest', async () => {
    const service = await joinService();
    const { two, from } = await twoPlaces(service, { visitor_full_name: 'B' });
    const both = ['event created 1', 'event created 1'];
    const ask = async (query: string) =>
      (await service.get(`/v1/changes?starting_after=${from}&${query}`)).body;
    assert.deepEqual(told((await ask(`location=${two}`)).data), ['event created 1']);
    assert.deepEqual(told((await ask('resource[]=event')).data), both);
    const updated = await ask('outcome[]=updated');
    assert.deepEqual(told(updated.data), ['event_check_in_record updated 2']);
    const none = await ask('outcome[]=wiped');
    assert.deepEqual(none.data, []);
    assert.equal(none.position, (await ask('')).position);
    const expanded = await ask('resource[]=event_check_in_record&expand[]=record&limit=1');
    assert.equal(expanded.data[0].record_now.visitor_full_name, 'B');
  });

  it('ends a page where records come to too many bytes, and goes on after it', async () => {
    const service = await joinService();
    const location = await service.location();
    const from = await position(service);
    const made: string[] = [];
    for (let count = 0; count < 60; count++) {
      const { status, body } = await service.json('/v1/online_arrangements/upsert', {
        ...{ location_unique_identifier: location, external_identifier: `large ${count}` },
        ...{ person_full_name: 'A person', person_phone_number: '+14155550123' },
        ...{ cart_summary: 'Large', additional_data: { text: 'x'.repeat(60_000) } },
      });
      assert.equal(status, 200);
      made.push(body.unique_identifier);
    }
    const told: string[] = [];
    let [after, pages] = [from, 0];
    for (let more = true; more; pages++) {
      const page = await service.get(`/v1/changes?starting_after=${after}&expand[]=record`);
      assert.ok(page.text.length < 3_000_000, `${page.text.length} characters`);
      told.push(...page.body.data.map(({ record_now }: Body) => record_now.unique_identifier));
      [after, more] = [page.body.position, page.body.has_more];
    }
    assert.deepEqual(told, made);
    assert.ok(pages > 1);
  });

  it('shows a key what it may see, and the writer to no other key', async () => {
    const service = await joinService();
    const { two, from } = await twoPlaces(service);
    const ask = async (limits: object) => {
      const { secret } = await service.newKey(limits);
      return service.get(`/v1/changes?starting_after=${from}`, { key: secret });
    };
    const located = await ask({ anchors: [two] });
    assert.deepEqual(told(located.body.data), ['event created 1']);
    assert.partialDeepStrictEqual(located.body.data[0], { location: two, key: null });
    const events = await ask({ resources: ['events'] });
    assert.deepEqual(told(events.body.data), ['event created 1', 'event created 1']);
    const trusted = await ask({ allow: ['requests'] });
    assert.match(trusted.body.data[0].key, /^key_/);
    const { secret } = await service.newKey({ resources: ['events'] });
    const other = await service.get('/v1/changes?resource[]=location', { key: secret });
    refused(other, 403, 'permission_denied');
  });

  it('tells every follower of a wipe, whatever else it may see or asks for', async () => {
    const service = await joinService();
    const location = await service.location();
    const event = await service.event(location);
    const from = await position(service);
    const { secret } = await service.newKey({ resources: ['events'], anchors: [location] });
    await wipe(service.app.store, service.account.unique_identifier);
    for (const query of ['', '&resource[]=event', `&location=${location}`]) {
      const path = `/v1/changes?starting_after=${from}${query}`;
      const { body } = await service.get(path, { key: secret });
      const wiped = ['wiped', service.account.unique_identifier];
      assert.deepEqual(pluck<Body>(body.data, 'outcome', 'record'), [wiped], query);
    }
    const gone = await service.get(`/v1/events/${event}`, { key: secret });
    assert.equal(gone.status, 404);
    const created = await service.get(`/v1/changes?starting_after=${from}&outcome[]=created`);
    assert.deepEqual(created.body.data, []);
  });

  it('wants to know of which account, where a key has several', async () => {
    const service = await joinService();
    const mine = service.account.unique_identifier;
    const other = (await service.another()).account.unique_identifier;
    const { secret: key } = await service.newKey({ accounts: [mine, other] });
    refused(await service.get('/v1/changes', { key }), 400, 'parameter_missing', 'account');
    const theirs = await service.get(`/v1/changes?account=${other}`, { key });
    assert.deepEqual(told(theirs.body.data), ['account created 1']);
    const from = `account=${mine}&starting_after=${theirs.body.position}`;
    refused(await service.get(`/v1/changes?${from}`, { key }), 400, 'position_unknown');
  });

  it('refuses positions that are none, and begins no stream for them', async () => {
    const service = await joinService();
    for (const text of ['chg_', 'x', `chg_${'z'.repeat(22)}`, 'chg_0000000000000000000000']) {
      const path = `/v1/changes?starting_after=${text}`;
      refused(await service.get(path), 400, 'position_unknown');
      const headers = { Accept: 'text/event-stream' };
      refused(await service.get(path, { headers }), 400, 'position_unknown');
    }
  });

  it('waits for a change, and no longer than it is to', async () => {
    const service = await joinService();
    const location = await service.location();
    const from = await position(service);
    const waiting = service.get(`/v1/changes?starting_after=${from}&wait=20`);
    const event = await service.event(location);
    const answer = await waiting;
    assert.deepEqual(pluck<Body>(answer.body.data, 'record'), [event]);
    const nothing = await service.get(`/v1/changes?starting_after=${answer.body.position}&wait=1`);
    assert.deepEqual([nothing.body.data, nothing.body.position], [[], answer.body.position]);
  });

  it('reads nothing for those who went away while they waited', async (test) => {
    const service = await startCounted();
    const location = await service.location();
    const connections = async () =>
      (await service.scrape()).value('ledgerstone_connections', { state: 'keyed' }) as number;
    const reads = test.mock.method(service.app.store.log, 'read');
    // Search reads the log, too.
    const readsForThem = () =>
      reads.mock.calls.filter((read) => read.arguments[0].limit === 77).length;
    const away = new AbortController();
    const waiting = Array.from({ length: 20 }, () =>
      fetch(`${service.url}/v1/changes?starting_after=now&wait=30&limit=77`, {
        headers: { Authorization: `Bearer ${service.key}` },
        signal: away.signal,
      }),
    );
    // Each has read once, and waits.
    await until(async () => (await followers(service)) === 20 && readsForThem() >= 20);
    const open = await connections();
    away.abort();
    await Promise.allSettled(waiting);
    // The service has noticed it of each.
    await until(async () => (await connections()) <= open - 20);
    await service.event(location);
    await until(async () => (await followers(service)) === 0);
    assert.equal(readsForThem(), 20);
  });

  it('ends a wait when the key is revoked', async () => {
    const service = await joinService();
    const { secret, key } = await service.newKey();
    const waiting = service.get('/v1/changes?starting_after=now&wait=30', { key: secret });
    await service.app.store.keys.revoke(key.unique_identifier);
    assert.equal((await waiting).status, 401);
  });

  for (const type of ['application/x-ndjson', 'text/event-stream']) {
    it(`goes on as ${type} until the key is revoked`, async () => {
      const service = await joinService();
      const location = await service.location();
      const { secret, key } = await service.newKey();
      const headers = { Authorization: `Bearer ${secret}`, Accept: type };
      const stream = await followed(service, 'starting_after=now', headers);
      assert.equal(stream.type, `${type}; charset=utf-8`);
      const event = await service.event(location);
      const text = await stream.until((read) => read.includes(event));
      assert.match(text, new RegExp(`"record":"${event}"`));
      await service.app.store.keys.revoke(key.unique_identifier);
      const rest = await stream.until(() => false);
      assert.match(rest, /"code":"api_key_revoked"/);
    });
  }

  it('speaks to EventSource, which goes on where it was', async () => {
    const service = await joinService();
    const location = await service.location();
    const from = await position(service);
    const events = [await service.event(location, 'a'), await service.event(location, 'b')];
    const headers = { Accept: 'text/event-stream' };
    const first = await followed(service, `starting_after=${from}`, headers);
    const text = await first.until((read) => read.includes(events[1] as string));
    const messages = text.split('\n\n').filter((one) => one.includes('event: change'));
    assert.equal(messages.length, 2);
    const id = /^id: (chg_\w{22})$/m.exec(messages[0] as string)?.[1];
    assert.ok(id !== undefined, text);
    const last = { ...headers, 'Last-Event-ID': id };
    const again = await followed(service, 'starting_after=now', last);
    const rest = await again.until((read) => read.includes(events[1] as string));
    assert.ok(!rest.includes(events[0] as string), rest);
  });

  it('tells its place at once, with data that every client notes, and takes it back however it comes', async () => {
    const service = await joinService();
    const location = await service.location();
    const headers = { Accept: 'text/event-stream' };
    const cut = await followed(service, 'starting_after=now', headers);
    const text = await cut.until((read) => read.endsWith('\n\n'));
    const [, id = '', data = ''] =
      /^id: (chg_\w{22})\nevent: position\ndata: (.+)\n\n$/.exec(text) ?? [];
    assert.deepEqual(JSON.parse(data), { object: 'position', position: id });
    // Cut before its first change.
    const event = await service.event(location);
    for (const [query, header] of [
      ['', { 'Last-Event-ID': id }],
      [`&lastEventId=${id}`, {}],
      [`&last_event_id=${id}`, {}],
    ] as const) {
      const again = await followed(service, `starting_after=now${query}`, {
        ...headers,
        ...header,
      });
      assert.match(await again.until((read) => read.includes(event)), /event: change/);
    }
    const page = await service.get(`/v1/changes?starting_after=now&lastEventId=${id}`);
    assert.deepEqual(pluck<Body>(page.body.data, 'record'), [event]);
  });

  it('ends a stream when the account is closed, though the key has others', async () => {
    const service = await joinService();
    const { accounts } = service.app.store;
    const other = (await service.another()).account.unique_identifier;
    const both = [service.account.unique_identifier, other];
    const { secret } = await service.newKey({ accounts: both });
    const headers = { ...LINES, Authorization: `Bearer ${secret}` };
    const stream = await followed(service, `account=${other}&starting_after=now`, headers);
    await accounts.close(other);
    assert.match(await stream.until(() => false), /"code":"resource_missing"/);
  });

  it('answers HEAD at once, whatever form is wanted', async () => {
    const service = await joinService();
    const answer = await fetch(`${service.url}/v1/changes?starting_after=now`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${service.key}`, Accept: 'text/event-stream' },
      signal: AbortSignal.timeout(LONG_MS),
    });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), '');
  });

  it('lets the service stop while a client follows', async () => {
    const service = await startService();
    const stream = await followed(service, 'starting_after=now', LINES);
    await service.stop();
    const text = await stream.until(() => false);
    assert.match(text, /^{"object":"position","position":"chg_\w{22}"}\n$/);
  });
});
