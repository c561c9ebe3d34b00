/** `Idempotency-Key`: a request that is sent again is not done again, and gets the very same answer. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import { eventBody, locationBody } from '../support/sent.ts';
import { type Answer, type Body, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { refused, type Sending, world } from '../support/world.ts';

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
  assert.equal(answer.status, 422, answer.text);
  assert.equal(answer.body.error.type, 'idempotency_error');
  assert.equal(answer.body.error.code, 'idempotency_key_reused');
}

function assertRemovedSince(outcome: string, answer: Answer): void {
  refused(answer, 404, 'resource_missing');
  assert.match(answer.body.error.message, new RegExp(`removed.*"${outcome}"`));
  assert.equal(answer.body.error.param, undefined);
  assert.ok(isReplayed(answer));
}

function change(method: string, path: string, body: Body | undefined, name: string) {
  return stage.service.send(method, path, {
    headers: {
      'Idempotency-Key': name,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

for (const { path, full } of examples) {
  const { external_identifier: _, ...json } = full;

  describe(path, () => {
    it('a repeated upsert gets the first answer, whatever became of the record since', async () => {
      const name = newName();
      const sending: Sending = { as: 'repeated', ...keyed(name) };
      const first = await stage.upsert(path, sending);
      assert.equal(first.headers.get('ledgerstone-outcome'), 'created');
      await stage.upsert(path, { as: 'repeated', json });
      assertReplayOf(first, await stage.upsert(path, sending));
      const now = await stage.upsert(path, { as: 'repeated', json });
      assert.equal(now.headers.get('ledgerstone-outcome'), 'unchanged');
    });

    it('a repeated PATCH and a repeated DELETE likewise; what was removed since is gone', async () => {
      const upsert: Sending = { as: 'changed', ...keyed(newName()) };
      const { body } = await stage.upsert(path, upsert);
      const url = `/v1/${path}/${body.unique_identifier}`;
      const patch = newName();
      const patched = await change('PATCH', url, json, patch);
      assert.equal(patched.headers.get('ledgerstone-outcome'), 'updated', patched.text);
      assertReplayOf(patched, await change('PATCH', url, json, patch));
      const removal = newName();
      const removed = await change('DELETE', url, undefined, removal);
      assert.equal(removed.status, 200, removed.text);
      assertReplayOf(removed, await change('DELETE', url, undefined, removal));
      assertRemovedSince('updated', await change('PATCH', url, json, patch));
      assertRemovedSince('created', await stage.upsert(path, upsert));
      assertReplayOf(removed, await change('DELETE', url, undefined, removal));
      assert.equal((await change('DELETE', url, undefined, newName())).status, 404);
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
  const removed = await change('DELETE', url, undefined, name);
  assert.equal(removed.headers.get('ledgerstone-removed'), '2', removed.text);
  assertReplayOf(removed, await change('DELETE', url, undefined, name));
  assertRemovedSince('created', await stage.upsert('event_administrators', keyedChild));
  const again = await stage.upsert('event_administrators', { ...keyedChild, ...keyed(newName()) });
  assert.deepEqual([again.status, again.body.error.param], [404, 'event_unique_identifier']);
});

describe('another request with the same key is 422, and nothing is done', () => {
  const first = async (name: string): Promise<Answer> => {
    const answer = await stage.upsert('events', { as: 'one', ...keyed(name) });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const others: readonly [what: string, on: string, sending: (name: string) => Sending][] = [
    [
      'another value',
      'events',
      (name) => ({ as: 'one', json: { event_name: 'B' }, ...keyed(name) }),
    ],
    ['another record', 'events', (name) => ({ as: 'two', ...keyed(name) })],
    ['another resource', 'event_administrators', (name) => ({ as: 'one', ...keyed(name) })],
    ['the same as a form', 'events', (name) => ({ as: 'one', form: '', ...keyed(name) })],
    ['another query', 'events', (name) => ({ as: 'one', query: '?dry_run=0', ...keyed(name) })],
    [
      'another mode',
      'events',
      (name) => ({ as: 'one', ...keyed(name, { 'Ledgerstone-Mode': 'update_only' }) }),
    ],
    [
      'another treatment of unknown fields',
      'events',
      (name) => ({ as: 'one', ...keyed(name, { 'Ledgerstone-Unknown-Fields': 'ignore' }) }),
    ],
    [
      'another condition',
      'events',
      (name) => ({ as: 'one', ...keyed(name, { 'If-Match': '"1"' }) }),
    ],
  ];
  for (const [what, on, sending] of others) {
    it(what, async () => {
      const name = newName();
      const before = await first(name);
      assertReused(await stage.upsert(on, sending(name)));
      assertReplayOf(before, await stage.upsert('events', { as: 'one', ...keyed(name) }));
    });
  }

  it('a request that is wrong in itself, too: what was kept comes before the faults of a body', async () => {
    const name = newName();
    await first(name);
    assertReused(await stage.upsert('events', { json: { event_name: 7 }, ...keyed(name) }));
    assertReused(await stage.upsert('events', { json: '"x":', ...keyed(name) }));
    assertReused(
      await stage.upsert('events', { as: 'one', ...keyed(name, { 'Ledgerstone-Mode': 'x' }) }),
    );
    const orphan = { location_unique_identifier: 'nothing' };
    assertReused(await stage.upsert('events', { json: orphan, ...keyed(name) }));
    const { secret: key } = await stage.service.newKey({ permissions: ['read'] });
    refused(await stage.upsert('events', { as: 'one', key, ...keyed(name) }), 403);
  });
});

describe('nothing that is refused is kept', () => {
  const refusals: readonly [what: string, status: number, sending: Sending][] = [
    ['the faults of a body', 400, { json: { event_name: '' } }],
    ['a parent that is not there', 404, { json: { location_unique_identifier: 'nothing' } }],
    ['a record that is not there', 404, { headers: { 'Ledgerstone-Mode': 'update_only' } }],
    ['a condition', 412, { headers: { 'If-Match': '"9"' } }],
    [
      'a limit of the merge',
      400,
      { json: { additional_event_metadata: { a: 'x'.repeat(10_300) } } },
    ],
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
      const fixed = await stage.upsert('events', { as: `refused ${what}`, ...keyed(name) });
      assert.equal(fixed.headers.get('ledgerstone-outcome'), 'created', fixed.text);
    });
  }

  it('a record that has children', async () => {
    const event = await stage.upsert('events', { as: 'parent' });
    const json = { event_unique_identifier: event.body.unique_identifier };
    const child = await stage.upsert('event_administrators', { as: 'child', json });
    const url = `/v1/events/${event.body.unique_identifier}`;
    const name = newName();
    assert.equal((await change('DELETE', url, undefined, name)).status, 409);
    await stage.service.send('DELETE', `/v1/event_administrators/${child.body.unique_identifier}`);
    const removed = await change('DELETE', url, undefined, name);
    assert.equal(removed.status, 200);
    assert.ok(!isReplayed(removed));
  });

  it('a rehearsal, which is not answered from what was kept either', async () => {
    const name = newName();
    const dry: Sending = { as: 'dry', query: '?dry_run=true', ...keyed(name) };
    const told = await stage.upsert('events', dry);
    assert.equal(told.headers.get('ledgerstone-outcome'), 'created');
    const done = await stage.upsert('events', { as: 'dry', ...keyed(name) });
    assert.equal(done.headers.get('ledgerstone-outcome'), 'created');
    const after = await stage.upsert('events', dry);
    assert.equal(after.headers.get('ledgerstone-outcome'), 'unchanged');
    assert.ok(!isReplayed(after));
  });
});

describe('many at once', () => {
  it('fifty times the same: one is done, and all get its answer', async () => {
    const json = { additional_event_metadata: { count: 1 } };
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        stage.upsert('events', { as: 'fifty', json, ...keyed(name) }),
      ),
    );
    assert.equal(answers.filter((answer) => !isReplayed(answer)).length, 1);
    for (const { status, text, headers } of answers) {
      assert.equal(status, 200, text);
      assert.equal(text, answers[0]?.text);
      assert.equal(headers.get('ledgerstone-outcome'), 'created');
    }
  });

  it('fifty that differ, with one key: one is done, the others are 422', async () => {
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        stage.upsert('events', { as: `differs ${index}`, ...keyed(name) }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(49).fill(422)]);
    const after = await Promise.all(
      Array.from({ length: 50 }, (_, index) => stage.upsert('events', { as: `differs ${index}` })),
    );
    const made = after.filter(({ headers }) => headers.get('ledgerstone-outcome') === 'unchanged');
    assert.equal(made.length, 1);
  });

  it('twenty times the same DELETE', async () => {
    const { body } = await stage.upsert('events', { as: 'removed at once' });
    const name = newName();
    const url = `/v1/events/${body.unique_identifier}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => change('DELETE', url, undefined, name)),
    );
    assert.equal(answers.filter((answer) => !isReplayed(answer)).length, 1);
    for (const { status, text } of answers) {
      assert.equal(status, 200, text);
      assert.equal(text, answers[0]?.text);
    }
  });
});

describe('a key', () => {
  it('is of the API key that sent it: two of them do not meet', async () => {
    const name = newName();
    const { secret } = await stage.service.newKey();
    const mine = await stage.upsert('events', { as: 'mine', ...keyed(name) });
    const theirs = await stage.upsert('events', { as: 'theirs', key: secret, ...keyed(name) });
    assert.equal(theirs.headers.get('ledgerstone-outcome'), 'created', theirs.text);
    assertReplayOf(mine, await stage.upsert('events', { as: 'mine', ...keyed(name) }));
  });

  it('is of the account that the request names: in another it is another request', async () => {
    const { service } = stage;
    const mine = service.account.unique_identifier;
    const { unique_identifier: other } = await service.app.store.accounts.create({
      name: 'Other',
      livemode: false,
    });
    const { secret: key } = await service.newKey({ accounts: [mine, other] });
    const row = (account: string, name: string) =>
      locationBody(account, name, { location_name: name });
    const name = newName();
    const upsert = (account: string) =>
      service.json('/v1/locations/upsert', row(account, 'of two'), { key, ...keyed(name) });
    const [first, second] = [await upsert(mine), await upsert(other)];
    assert.equal(second.headers.get('ledgerstone-outcome'), 'created', second.text);
    assertReplayOf(first, await upsert(mine));
    assertReplayOf(second, await upsert(other));
    assertReused(await service.json('/v1/locations/upsert', {}, { key, ...keyed(name) }));

    const location = await service.json('/v1/locations/upsert', row(other, 'gone'), { key });
    const rows = [
      eventBody(location.body.unique_identifier, 'first'),
      { ...row(mine, 'first'), location_name: undefined },
    ];
    const many = newName();
    const send = () => service.json('/v1/events/upsert_many', rows, { key, ...keyed(many) });
    const array = await send();
    assert.equal(array.status, 200, array.text);
    const removed = `/v1/locations/${location.body.unique_identifier}?cascade=true`;
    assert.equal((await service.send('DELETE', removed, { key })).status, 200);
    assertReplayOf(array, await send());
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
    assert.equal(later.headers.get('ledgerstone-outcome'), 'unchanged');
  });

  it('may stand bare or in quotation marks, and is the same', async () => {
    const name = newName();
    const first = await stage.upsert('events', { as: 'quoted', ...keyed(name) });
    assertReplayOf(first, await stage.upsert('events', { as: 'quoted', ...keyed(`"${name}"`) }));
    const odd = await stage.upsert('events', { as: 'odd', ...keyed('"a\\"b\\\\c"') });
    assertReplayOf(odd, await stage.upsert('events', { as: 'odd', ...keyed('a"b\\c') }));
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
    try {
      const { unique_identifier: account } = service.account;
      const open = await service.app.store.accounts.create({ name: 'Open', livemode: false });
      const accounts = [account, open.unique_identifier];
      const { secret: key } = await service.newKey({ accounts });
      const upsert = () =>
        service.json(
          '/v1/locations/upsert',
          { account_unique_identifier: account, external_identifier: 'x', location_name: 'x' },
          { key, ...keyed('closed') },
        );
      assert.equal((await upsert()).status, 200);
      await service.app.store.accounts.close(account);
      // As long as a process may take to learn of it.
      laterMs += 1000;
      assert.equal((await upsert()).status, 404);
    } finally {
      await service.stop();
    }
  });
});

describe('the room for one API key', () => {
  it('is bounded: beyond it requests with new keys are 429, and nothing is forgotten', async () => {
    let laterMs = 0;
    const service = await startService({
      now: () => Date.now() + laterMs,
      settings: { idempotency_mib: '1' },
    });
    const location = await service.location();
    const notes = 'x'.repeat(60_000);
    const upsert = (name: string, key = service.key) =>
      service.json(
        '/v1/online_arrangements/upsert',
        {
          location_unique_identifier: location,
          external_identifier: name,
          person_full_name: 'Jane Doe',
          person_phone_number: '+14155550123',
          cart_summary: notes,
        },
        { key, ...keyed(name) },
      );
    try {
      const first = await upsert('0');
      assert.equal(first.status, 200, first.text);
      const statuses: number[] = [];
      for (let count = 1; count < 40; count += 1) {
        const { status, headers, body } = await upsert(`${count}`);
        statuses.push(status);
        if (status !== 429) continue;
        assert.equal(body.error.code, 'idempotency_keys_exhausted');
        assert.equal(headers.get('retry-after'), '60');
      }
      // On PostgreSQL this is counted every 15 seconds, and what this process has counted at once.
      const kept = statuses.filter((status) => status === 200).length;
      assert.ok(kept > 14 && kept < 20, `${kept}`);
      assert.deepEqual(new Set(statuses.slice(kept)), new Set([429]));
      const array = await service.json('/v1/locations/upsert_many', [], keyed('array'));
      assert.equal(array.status, 200, 'nothing is kept of no rows');
      const row = locationBody(service.account.unique_identifier, 'row');
      for (const query of ['', '?atomic=true']) {
        refused(
          await service.json(`/v1/locations/upsert_many${query}`, [row], keyed(`row${query}`)),
          429,
          'idempotency_keys_exhausted',
        );
      }
      assertReplayOf(first, await upsert('0'));
      const { secret } = await service.newKey();
      assert.equal((await upsert('of-another', secret)).status, 200);
      laterMs = 25 * HOUR;
      while (await service.app.store.purgeReceipts());
      assert.equal((await upsert('next-day')).status, 200);
    } finally {
      await service.stop();
    }
  });
});

describe('the answer is kept with the records', () => {
  const upsert = (
    service: Awaited<ReturnType<typeof startService>>,
    key: string,
    account: string,
  ) =>
    service.json(
      '/v1/locations/upsert',
      { account_unique_identifier: account, external_identifier: 'x', location_name: 'Chapel' },
      { key, ...keyed('kept') },
    );

  it('so that another process answers from it', async (t) => {
    if (stage.service.app.store.processes === 'one') return t.skip('one process serves this store');
    const ground = await serviceGround();
    const [one, other] = [await startService({ ground }), await startService({ ground })];
    try {
      const { unique_identifier: account } = one.account;
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          upsert(index % 2 === 0 ? one : other, one.key, account),
        ),
      );
      assert.equal(answers.filter((answer) => !isReplayed(answer)).length, 1);
      for (const { text } of answers) assert.equal(text, answers[0]?.text);
    } finally {
      await one.stop();
      await other.stop();
    }
  });
});
