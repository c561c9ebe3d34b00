/** `Idempotency-Key`: a request that is sent again is not done again, and gets the very same answer. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import { eventBody, locationBody } from '../support/sent.ts';
import { type Answer, type Body, type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { until } from '../support/until.ts';
import { outcomeOf, refused, type Sending, world } from '../support/world.ts';

const HOUR = 3_600_000;
/** How far the service's clock is ahead. */
let aheadMs = 0;
const stage = world({ now: () => Date.now() + aheadMs });

let count = 0;
function newName(): string {
  count += 1;
  return `request-${count}`;
}

const keyed = (name: string, headers: Record<string, string> = {}) => ({
  headers: { 'Idempotency-Key': name, ...headers },
});

const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';

function assertReplayOf(first: Answer, again: Answer): void {
  assert.equal(again.status, first.status, again.text);
  assert.equal(again.text, first.text);
  for (const name of ['ledgerstone-outcome', 'ledgerstone-removed', 'etag', 'content-type'])
    assert.equal(again.headers.get(name), first.headers.get(name), name);
  assert.ok(!isReplayed(first));
  assert.ok(isReplayed(again));
}

function assertReused(answer: Answer): void {
  refused(answer, 422, 'idempotency_key_reused');
  assert.equal(answer.body.error.type, 'idempotency_error');
}

function assertRemovedSince(outcome: string, answer: Answer): void {
  refused(answer, 404, 'resource_missing');
  assert.match(answer.body.error.message, new RegExp(`removed.*"${outcome}"`));
  assert.equal(answer.body.error.param, undefined);
  assert.ok(isReplayed(answer));
}

const remove = (path: string, name: string) => stage.service.send('DELETE', path, keyed(name));
const patch = (path: string, body: Body, name: string) =>
  stage.service.patch(path, body, keyed(name));
const upsert = (as: string, name: string, more: Sending = {}) =>
  stage.upsert('events', { as, ...keyed(name), ...more });
const times = <Of>(count: number, make: (index: number) => Promise<Of>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** One of the same requests was done, and all have its answer. */
function assertOne(answers: readonly Answer[]): void {
  assert.equal(answers.filter((answer) => !isReplayed(answer)).length, 1);
  for (const { status, text } of answers) assert.deepEqual([status, text], [200, answers[0]?.text]);
}

for (const { path, full } of examples) {
  const { external_identifier: _, ...json } = full;

  describe(path, () => {
    it('a repeated upsert gets the first answer, whatever became of the record since', async () => {
      const name = newName();
      const sending: Sending = { as: 'repeated', ...keyed(name) };
      const first = await stage.upsert(path, sending);
      assert.equal(outcomeOf(first), 'created');
      await stage.upsert(path, { as: 'repeated', json });
      assertReplayOf(first, await stage.upsert(path, sending));
      const now = await stage.upsert(path, { as: 'repeated', json });
      assert.equal(outcomeOf(now), 'unchanged');
    });

    it('a repeated PATCH and a repeated DELETE likewise; what was removed since is gone', async () => {
      const first: Sending = { as: 'changed', ...keyed(newName()) };
      const { body } = await stage.upsert(path, first);
      const url = `/v1/${path}/${body.unique_identifier}`;
      const change = newName();
      const patched = await patch(url, json, change);
      assert.equal(outcomeOf(patched), 'updated', patched.text);
      assertReplayOf(patched, await patch(url, json, change));
      const removal = newName();
      const removed = await remove(url, removal);
      assert.equal(removed.status, 200, removed.text);
      assertReplayOf(removed, await remove(url, removal));
      assertRemovedSince('updated', await patch(url, json, change));
      assertRemovedSince('created', await stage.upsert(path, first));
      assertReplayOf(removed, await remove(url, removal));
      assert.equal((await remove(url, newName())).status, 404);
    });
  });
}

it('a repeated removal tells again how many records went', async () => {
  const event = await stage.upsert('events', { as: 'of two' });
  const json = { event_unique_identifier: event.body.unique_identifier };
  const keyedChild = { as: 'one of two', json, ...keyed(newName()) };
  await stage.upsert('event_administrators', keyedChild);
  const url = `/v1/events/${event.body.unique_identifier}?cascade=true`;
  const name = newName();
  const removed = await remove(url, name);
  assert.equal(removed.headers.get('ledgerstone-removed'), '2', removed.text);
  assertReplayOf(removed, await remove(url, name));
  assertRemovedSince('created', await stage.upsert('event_administrators', keyedChild));
  const again = await stage.upsert('event_administrators', { ...keyedChild, ...keyed(newName()) });
  assert.deepEqual([again.status, again.body.error.param], [404, 'event_unique_identifier']);
});

describe('another request with the same key is 422, and nothing is done', () => {
  const others: Readonly<Record<string, (name: string) => Sending & { readonly on?: string }>> = {
    'another value': () => ({ json: { event_name: 'B' } }),
    'another record': () => ({ as: 'two' }),
    'another resource': () => ({ on: 'event_administrators' }),
    'the same as a form': () => ({ form: '' }),
    'another query': () => ({ query: '?dry_run=0' }),
    'another mode': (name) => keyed(name, { 'Ledgerstone-Mode': 'update_only' }),
    'another treatment of unknown fields': (name) =>
      keyed(name, { 'Ledgerstone-Unknown-Fields': 'ignore' }),
    'another condition': (name) => keyed(name, { 'If-Match': '"1"' }),
  };
  for (const [what, sending] of Object.entries(others))
    it(what, async () => {
      const name = newName();
      const before = await upsert('one', name);
      assert.equal(before.status, 200, before.text);
      const { on = 'events', ...sent } = sending(name);
      assertReused(await stage.upsert(on, { as: 'one', ...keyed(name), ...sent }));
      assertReplayOf(before, await upsert('one', name));
    });

  it('a request that is wrong in itself, too: what was kept comes before the faults of a body', async () => {
    const name = newName();
    assert.equal((await upsert('one', name)).status, 200);
    assertReused(await stage.upsert('events', { json: { event_name: 7 }, ...keyed(name) }));
    assertReused(await stage.upsert('events', { json: '"x":', ...keyed(name) }));
    assertReused(await upsert('one', name, keyed(name, { 'Ledgerstone-Mode': 'x' })));
    const orphan = { location_unique_identifier: 'nothing' };
    assertReused(await stage.upsert('events', { json: orphan, ...keyed(name) }));
    const { secret: key } = await stage.service.newKey({ permissions: ['read'] });
    refused(await stage.upsert('events', { as: 'one', key, ...keyed(name) }), 403);
  });
});

describe('nothing that is refused is kept', () => {
  const long = { a: 'x'.repeat(10_300) };
  const refusals: readonly [what: string, status: number, sending: Sending][] = [
    ['the faults of a body', 400, { json: { event_name: '' } }],
    ['a parent that is not there', 404, { json: { location_unique_identifier: 'nothing' } }],
    ['a record that is not there', 404, { headers: { 'Ledgerstone-Mode': 'update_only' } }],
    ['a condition', 412, { headers: { 'If-Match': '"9"' } }],
    ['a limit of the merge', 400, { json: { additional_event_metadata: long } }],
  ];
  for (const [what, status, sending] of refusals) {
    it(what, async () => {
      const name = newName();
      const headers = { ...sending.headers, 'Idempotency-Key': name };
      for (let time = 0; time < 2; time += 1) {
        const answer = await stage.upsert('events', { as: `refused ${what}`, ...sending, headers });
        assert.equal(answer.status, status, answer.text);
        assert.ok(!isReplayed(answer));
      }
      const fixed = await upsert(`refused ${what}`, name);
      assert.equal(outcomeOf(fixed), 'created', fixed.text);
    });
  }

  it('a record that has children', async () => {
    const event = await stage.upsert('events', { as: 'parent' });
    const json = { event_unique_identifier: event.body.unique_identifier };
    const child = await stage.upsert('event_administrators', { as: 'child', json });
    const url = `/v1/events/${event.body.unique_identifier}`;
    const name = newName();
    assert.equal((await remove(url, name)).status, 409);
    await stage.service.send('DELETE', `/v1/event_administrators/${child.body.unique_identifier}`);
    const removed = await remove(url, name);
    assert.equal(removed.status, 200);
    assert.ok(!isReplayed(removed));
  });

  it('a rehearsal, which is not answered from what was kept either', async () => {
    const name = newName();
    const dry: Sending = { as: 'dry', query: '?dry_run=true', ...keyed(name) };
    const told = await stage.upsert('events', dry);
    assert.equal(outcomeOf(told), 'created');
    const done = await upsert('dry', name);
    assert.equal(outcomeOf(done), 'created');
    const after = await stage.upsert('events', dry);
    assert.equal(outcomeOf(after), 'unchanged');
    assert.ok(!isReplayed(after));
  });
});

describe('many at once', () => {
  it('fifty times the same: one is done, and all get its answer', async () => {
    const json = { additional_event_metadata: { count: 1 } };
    const name = newName();
    const answers = await times(50, () => upsert('fifty', name, { json }));
    assertOne(answers);
    for (const answer of answers) assert.equal(outcomeOf(answer), 'created');
  });

  it('fifty that differ, with one key: one is done, the others are 422', async () => {
    const name = newName();
    const answers = await times(50, (index) => upsert(`differs ${index}`, name));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(49).fill(422)]);
    const after = await times(50, (index) => stage.upsert('events', { as: `differs ${index}` }));
    const made = after.filter((answer) => outcomeOf(answer) === 'unchanged');
    assert.equal(made.length, 1);
  });

  it('twenty times the same DELETE', async () => {
    const { body } = await stage.upsert('events', { as: 'removed at once' });
    const name = newName();
    const url = `/v1/events/${body.unique_identifier}`;
    assertOne(await times(20, () => remove(url, name)));
  });
});

describe('a key', () => {
  it('is of the API key that sent it: two of them do not meet', async () => {
    const name = newName();
    const { secret } = await stage.service.newKey();
    const mine = await upsert('mine', name);
    const theirs = await stage.upsert('events', { as: 'theirs', key: secret, ...keyed(name) });
    assert.equal(outcomeOf(theirs), 'created', theirs.text);
    assertReplayOf(mine, await upsert('mine', name));
  });

  it('is of the account that the request names: in another it is another request', async () => {
    const { service } = stage;
    const mine = service.account.unique_identifier;
    const { unique_identifier: other } = (await service.another()).account;
    const { secret: key } = await service.newKey({ accounts: [mine, other] });
    const row = (account: string, name: string) =>
      locationBody(account, name, { location_name: name });
    const name = newName();
    const send = (account: string) =>
      service.json('/v1/locations/upsert', row(account, 'of two'), { key, ...keyed(name) });
    const [first, second] = [await send(mine), await send(other)];
    assert.equal(outcomeOf(second), 'created', second.text);
    assertReplayOf(first, await send(mine));
    assertReplayOf(second, await send(other));
    assertReused(await service.json('/v1/locations/upsert', {}, { key, ...keyed(name) }));

    const { body } = await service.json('/v1/locations/upsert', row(other, 'gone'), { key });
    const { unique_identifier: location } = body;
    const rows = [
      eventBody(location, 'first'),
      { ...row(mine, 'first'), location_name: undefined },
    ];
    const many = newName();
    const sendRows = () => service.json('/v1/events/upsert_many', rows, { key, ...keyed(many) });
    const array = await sendRows();
    assert.equal(array.status, 200, array.text);
    const removed = `/v1/locations/${location}?cascade=true`;
    assert.equal((await service.send('DELETE', removed, { key })).status, 200);
    assertReplayOf(array, await sendRows());
  });

  it('is kept for 24 hours', async () => {
    const name = newName();
    const sending: Sending = { as: 'kept', ...keyed(name) };
    const first = await stage.upsert('events', sending);
    aheadMs += 23 * HOUR;
    assertReplayOf(first, await stage.upsert('events', sending));
    aheadMs += 2 * HOUR;
    const later = await stage.upsert('events', sending);
    assert.ok(!isReplayed(later));
    assert.equal(outcomeOf(later), 'unchanged');
  });

  it('may stand bare or in quotation marks, and is the same', async () => {
    const name = newName();
    const first = await upsert('quoted', name);
    assertReplayOf(first, await stage.upsert('events', { as: 'quoted', ...keyed(`"${name}"`) }));
    const odd = await upsert('odd', '"a\\"b\\\\c"');
    assertReplayOf(odd, await upsert('odd', 'a"b\\c'));
  });

  it('has 1 to 255 visible ASCII characters, otherwise the answer is 400', async () => {
    const accepted = ['x', 'x'.repeat(255), `"${'y'.repeat(255)}"`, '!~', '8e03978e-40d5'];
    for (const name of accepted) {
      const answer = await stage.upsert('events', keyed(name));
      assert.equal(answer.status, 200, answer.text);
    }
    const wrong = ['', '""', 'x'.repeat(256), 'two words', '"two words"', '"open', '"a"b"', 'né'];
    for (const name of wrong) {
      const answer = await stage.upsert('events', keyed(name));
      assert.equal(answer.status, 400, name);
      assert.deepEqual(faultsOf(answer), [[undefined, 'header_invalid']]);
      assert.match(answer.body.error.message, /Idempotency-Key.*255/);
    }
  });

  it('does not show what belongs to an account that was closed since', async () => {
    let laterMs = 0;
    const service = await startService({ now: () => Date.now() + laterMs });
    const { unique_identifier: account } = service.account;
    const open = (await service.another()).account.unique_identifier;
    const { secret: key } = await service.newKey({ accounts: [account, open] });
    const sent = locationBody(account, 'x');
    const send = () => service.json('/v1/locations/upsert', sent, { key, ...keyed('closed') });
    assert.equal((await send()).status, 200);
    await service.app.store.accounts.close(account);
    // As long as a process may take to learn of it.
    laterMs += 1000;
    assert.equal((await send()).status, 404);
  });
});

describe('the room for one API key', () => {
  it('is bounded: beyond it requests with new keys are 429, and nothing is forgotten', async () => {
    let laterMs = 0;
    const settings = { idempotency_mib: '1' };
    const service = await startService({ now: () => Date.now() + laterMs, settings });
    const sent = {
      location_unique_identifier: await service.location(),
      ...{ person_full_name: 'Jane Doe', person_phone_number: '+14155550123' },
      cart_summary: 'An urn',
    };
    const send = (name: string, key = service.key) => {
      const body = { ...sent, external_identifier: name };
      return service.json('/v1/online_arrangements/upsert', body, { key, ...keyed(name) });
    };
    const first = await send('0');
    assert.equal(first.status, 200, first.text);
    const statuses: number[] = [];
    for (let count = 1; count < 2_100; count += 1) {
      const { status, headers, body } = await send(`${count}`);
      statuses.push(status);
      if (status !== 429) continue;
      assert.equal(body.error.code, 'idempotency_keys_exhausted');
      assert.equal(headers.get('retry-after'), '60');
    }
    // On PostgreSQL this is counted every 15 seconds, and what this process has counted at once.
    const kept = statuses.filter((status) => status === 200).length;
    assert.ok(kept > 2_000 && kept < 2_060, `${kept}`);
    assert.deepEqual(new Set(statuses.slice(kept)), new Set([429]));
    const array = await service.json('/v1/locations/upsert_many', [], keyed('array'));
    assert.equal(array.status, 200, 'nothing is kept of no rows');
    const row = locationBody(service.account.unique_identifier, 'row');
    for (const query of ['', '?atomic=true']) {
      const answer = await service.json(
        `/v1/locations/upsert_many${query}`,
        [row],
        keyed(`row${query}`),
      );
      refused(answer, 429, 'idempotency_keys_exhausted');
    }
    assertReplayOf(first, await send('0'));
    const { secret } = await service.newKey();
    assert.equal((await send('of-another', secret)).status, 200);
    laterMs = 25 * HOUR;
    // Upkeep removes the old ones, too, and counts the room by itself.
    await until(async () => {
      await service.app.store.purgeReceipts();
      return (await send('next-day')).status === 200;
    });
  });
});

it('another process answers from what is kept with the records', async (t) => {
  if (stage.service.app.store.processes === 'one') return t.skip('one process serves this store');
  const ground = await serviceGround();
  const [one, other] = [await startService({ ground }), await startService({ ground })];
  const sent = locationBody(one.account.unique_identifier, 'x');
  const send = (service: Service) =>
    service.json('/v1/locations/upsert', sent, { key: one.key, ...keyed('kept') });
  assertOne(await times(40, (index) => send(index % 2 === 0 ? one : other)));
});
