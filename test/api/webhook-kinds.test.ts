/** Whatever a receiver answers to one notification, all that it would take comes; and what is changed applies to what waits. */
// needs: both stores with --all, waits

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyWebhook } from '../../client/src/verify-webhook.ts';
import { rotateKey } from '../../src/records/auth/issue-key.ts';
import { whenOver } from '../support/at-end.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { wipe } from '../support/wipe.ts';
import { refused, world } from '../support/world.ts';

const PATH = '/v1/webhook_endpoints';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let clock = 0;
const on = world({ settings: keyed(), now: () => Date.now() + clock });
const { service } = on;

const remove = async (path: string, key?: string): Promise<void> => {
  const answer = await service.send('DELETE', path, key === undefined ? {} : { key });
  assert.equal(answer.status, 200, answer.text);
};

let count = 0;
const newName = (): string => `webhook-kinds-${++count}`;

async function ground(more: Body = {}) {
  const receiver = await startReceiver();
  const made = await on.ok(PATH, { url: receiver.url, ...more }, on.officer);
  const { unique_identifier: id, secret } = made;
  const at = `${PATH}/${id}`;
  whenOver(() => service.send('DELETE', at, { key: on.officer }));
  const change = (body: Body) => on.ok(at, body, on.officer, 'PATCH');
  const act = (what: string, body: Body = {}) => on.ok(`${at}/${what}`, body, on.officer);
  const deliveries = async (status: string): Promise<Body[]> =>
    (await on.read(`${at}/deliveries?limit=1000&status=${status}`)).data;
  return { receiver, id, at, secret: secret as string, change, act, deliveries };
}

const rowOf = (as: string, event_name: string) => eventBody(on.location, as, { event_name });

async function write(rows: readonly object[]): Promise<readonly string[]> {
  const { body, text } = await service.json('/v1/events/upsert_many', rows);
  assert.equal(body.summary.failed, 0, text);
  return pluck(body.data as Body[], 'unique_identifier');
}

const types = ({ received }: Receiver): Set<string> =>
  new Set(received.map((one) => one.body.type));
const toldOf = ({ received }: Receiver, record: string): readonly Received[] =>
  received.filter(({ body }) => body.data.record === record);

const NOWHERE = 'http://127.0.0.1:65000/hook';
const RETRY = { 'Retry-After': '7200' };
/** Answers to a notification that a receiver does not take. */
const ANSWERS = [
  ...[400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 418, 422, 425, 429, 431, 451],
  ...[301, 307, 500, 501, 502, 503, 504, 507, 599],
  ...[429, 503, 413, 500].map((status) => ({ status, headers: RETRY })),
];
/** What it does not take, among events and what becomes of them. */
const REFUSES: Readonly<Record<string, (body: Body) => boolean>> = {
  'one kind': ({ type }) => type === 'event.created',
  'all of a resource': ({ type }) => type.startsWith('event.'),
  'large ones': ({ data }) => (data.record_now?.event_name?.length ?? 0) > 400,
  'certain records': ({ data }) => data.record_now?.external_identifier.endsWith('0'),
};

describe('A receiver that does not take', () => {
  for (const [name, refuses] of Object.entries(REFUSES))
    it(`${name} is sent all others, whatever it answers to those`, async () => {
      for (const answer of ANSWERS) {
        const { receiver, at, deliveries } = await ground({ payload: 'full' });
        receiver.answer = ({ body }) => (refuses(body) ? answer : 204);
        const as = newName();
        const long = 'x'.repeat(450);
        const rows = Array.from({ length: 40 }, (_, at) => rowOf(`${as}-${at}0`, long));
        const many = await write(rows);
        const pauses = typeof answer === 'object' && /429|503/.test(String(answer.status));
        await until(() => receiver.received.length >= (pauses ? 3 : 10));
        const [small] = await write([rowOf(`${as}-1`, 'Short')]);
        const sent = visitorBody(many[0] ?? '', as);
        await on.ok('/v1/event_check_in_records/upsert', sent);
        const told = JSON.stringify(answer);
        await until(() => types(receiver).has('event_check_in_record.created')).catch(() =>
          assert.fail(`No other kind is told after ${told}.`),
        );
        if (/large|certain/.test(name))
          await until(async () => {
            // The pause that it asked for, or that before a probe.
            const { next_attempt_at } = await on.read(at);
            if (next_attempt_at !== null)
              clock = Math.max(clock, Date.parse(next_attempt_at) + 1_000 - Date.now());
            return toldOf(receiver, small ?? '').length > 0;
          }).catch(() => assert.fail(`No other record is told after ${told}.`));
        await until(async () => (await deliveries('delivered')).length > 0);
        // An account has no more than twenty.
        await remove(at, on.officer);
      }
    });

  it('a night of thousands is sent what follows', async () => {
    const { receiver } = await ground();
    receiver.answer = ({ body }) => (body.type === 'event.created' ? 422 : 204);
    const as = newName();
    for (let page = 0; page < 3; page += 1)
      await write(Array.from({ length: 700 }, (_, at) => rowOf(`${as}-${page}-${at}`, 'Name')));
    const [some] = await write([rowOf(`${as}-0-0`, 'Renamed')]);
    await remove(`/v1/events/${some}`);
    await until(() => types(receiver).has('event.deleted'));
  });
});

/** Another account, with a key that may have webhooks. */
async function wiped() {
  const { unique_identifier: account } = await service.app.store.accounts.create({
    name: 'Wiped',
    livemode: false,
  });
  const { secret } = await service.newKey({ accounts: [account], allow: ['webhooks'] });
  return { account, secret };
}

describe('What is removed or erased', () => {
  for (const [what, end] of [
    ['deleted', (id: string) => remove(`/v1/events/${id}`)],
    ['erased', (id: string) => on.erase(id)],
  ] as const)
    it(`${what} is told at once, before what waits of the record, which is given up`, async () => {
      const { receiver, deliveries } = await ground();
      receiver.answer = ({ body }) => (/created|updated/.test(body.type) ? 500 : 200);
      const as = newName();
      const [id = ''] = await write([rowOf(as, 'One')]);
      await write([rowOf(as, 'Two')]);
      await until(() => toldOf(receiver, id).length > 0);
      await until(async () => (await deliveries('pending')).length === 2);
      await end(id);
      await until(() => types(receiver).has(`event.${what}`));
      const given = (await deliveries('failed')).filter(({ record }) => record === id);
      assert.ok(given.length >= 2);
      for (const { error } of given) assert.match(error, /removed or erased since/);
      clock += DAY;
      const [other] = await write([rowOf(newName(), 'Later')]);
      await until(() => toldOf(receiver, other ?? '').length > 0);
      assert.equal(toldOf(receiver, id).filter(({ body }) => body.data.version === 2).length, 0);
    });

  it('with the whole account is told to whoever hears of any record', async () => {
    const { account, secret } = await wiped();
    const receiver = await startReceiver();
    const location = { account_unique_identifier: account, external_identifier: 'one' };
    await on.ok('/v1/locations/upsert', { ...location, location_name: 'One' }, secret);
    const sent = { url: receiver.url, account, notifications: ['event_check_in_record.created'] };
    const { unique_identifier: id } = await on.ok(PATH, sent, secret);
    await wipe(service.app.store, account);
    await receiver.count(1);
    assert.deepEqual([...types(receiver)], ['account.wiped']);
    await service.send('DELETE', `${PATH}/${id}`, { key: secret });
  });
});

describe('What is changed of an endpoint applies to what waits', () => {
  /** An endpoint with two notifications of events that wait for hours. */
  async function waiting() {
    const made = await ground();
    made.receiver.answer = () => ({ status: 400, headers: RETRY });
    const ids = await write([rowOf(newName(), 'One'), rowOf(newName(), 'Two')]);
    await until(async () => {
      const pending = await made.deliveries('pending');
      return pending.filter(({ attempts }) => attempts === 1).length === 2;
    });
    made.receiver.answer = () => 204;
    made.receiver.received.length = 0;
    return { ...made, ids };
  }

  it('another address is tried at once', async () => {
    const { change, deliveries } = await waiting();
    const right = await startReceiver();
    await change({ url: right.url });
    await right.count(2);
    await until(async () => (await deliveries('pending')).length === 0);
  });

  it('so is the one that is enabled', async () => {
    const { change, receiver } = await waiting();
    await change({ status: 'enabled' });
    await receiver.count(2);
  });

  for (const [what, body] of [
    ['kinds', { notifications: ['location.*'] }],
    ['locations', { locations: ['elsewhere'] }],
  ] as const)
    it(`${what} that are taken out are not sent any more, and the deliveries say so`, async () => {
      const { change, receiver, deliveries } = await waiting();
      const elsewhere = await service.location(newName());
      await change('locations' in body ? { locations: [elsewhere] } : body);
      clock += DAY;
      await until(async () => (await deliveries('failed')).length === 2);
      for (const { error } of await deliveries('failed')) assert.match(error, /asks for no such/);
      assert.deepEqual(types(receiver).difference(new Set(['location.created'])), new Set());
    });

  for (const [what, end] of [
    ['removed', (at: string) => remove(at, on.officer)],
    ['paused', (at: string) => on.ok(at, { status: 'paused' }, on.officer, 'PATCH')],
    ['sent elsewhere', (at: string) => on.ok(at, { url: NOWHERE }, on.officer, 'PATCH')],
  ] as const)
    it(`of one that is ${what} nothing is sent after the answer`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const { receiver, at } = await ground();
        const as = newName();
        await write(Array.from({ length: 100 }, (_, nth) => rowOf(`${as}-${nth}`, 'Name')));
        await receiver.count(5);
        await end(at);
        // What was sent before is on its way to the receiver.
        const body = JSON.stringify({ type: 'last' });
        await fetch(receiver.url, { method: 'POST', body });
        const told = receiver.received.length;
        await write([rowOf(newName(), 'Later')]);
        // Whoever else listens is told meanwhile.
        const other = await ground();
        await write([rowOf(newName(), 'Later still')]);
        await other.receiver.count(1);
        assert.equal(receiver.received.length, told);
      }
    });

  it('each secret signs until it expires, however often it is rotated', async () => {
    const { receiver, act, secret } = await ground();
    const secrets = [secret];
    for (let times = 0; times < 8; times += 1)
      secrets.push((await act('rotate_secret', { expires_in: 3_600 })).secret);
    await write([rowOf(newName(), 'Signed')]);
    const [told] = await receiver.count(1);
    const verify = (one: string, { headers, text }: Received) =>
      verifyWebhook(headers, text, one, { now: () => Date.now() + clock });
    for (const one of secrets) await verify(one, told as Received);
    secrets.push((await act('rotate_secret', { expires_in: 0 })).secret);
    receiver.received.length = 0;
    await write([rowOf(newName(), 'Signed again')]);
    const [last] = await receiver.count(1);
    await verify(secrets.at(-1) ?? '', last as Received);
    for (const one of secrets.slice(0, -1)) await assert.rejects(verify(one, last as Received));
  });

  it('no secret is dropped before it expires: the request says what to do', async () => {
    const { at, act } = await ground();
    for (let times = 0; times < 49; times += 1) await act('rotate_secret');
    const answer = await service.json(`${at}/rotate_secret`, {}, { key: on.officer });
    refused(answer, 400, 'value_invalid', 'expires_in');
    await act('rotate_secret', { expires_in: 0 });
  });
});

describe('A replay since a time', () => {
  it('goes by the order of the log, whatever clocks wrote into it', async () => {
    const { receiver, act } = await ground({ notifications: ['event.created'], payload: 'full' });
    const as = newName();
    const make = (what: string, many: number) =>
      write(Array.from({ length: many }, (_, at) => rowOf(`${as} ${what} ${at}`, 'Name')));
    const earlier = await make('earlier', 2);
    clock += 1_100;
    const since = new Date(Date.now() + clock).toISOString();
    const before = await make('before', 8);
    for (const by of [-2 * DAY, 2 * DAY, -2 * HOUR]) {
      clock += by;
      for (let times = 0; times < 5; times += 1) await make(`at ${by} ${times}`, 4);
      clock -= by;
    }
    const after = await make('after', 2);
    await receiver.count(2 + 8 + 60 + 2);
    receiver.received.length = 0;
    const { position } = await act('replay', { since });
    assert.ok(position);
    const told = () => new Set(receiver.received.map(({ body }) => body.data.record));
    await until(() => [...before, ...after].every((one) => told().has(one)));
    await until(() => told().size === 8 + 60 + 2);
    assert.deepEqual(told().intersection(new Set(earlier)), new Set());
  });
});

describe('What hangs on a key', () => {
  it('goes over to the key that replaces it, also what waits', async () => {
    const { secret, key: old } = await service.newKey({ allow: ['webhooks'] });
    const receiver = await startReceiver();
    const { unique_identifier: id } = await on.ok(PATH, { url: receiver.url }, secret);
    whenOver(() => service.send('DELETE', `${PATH}/${id}`, { key: on.officer }));
    receiver.answer = () => ({ status: 400, headers: RETRY });
    await write([rowOf(newName(), 'Before')]);
    await receiver.count(1);
    const { keys } = service.app.store;
    const { key: next } = await rotateKey(keys, old, { now: Date.now() + clock, overlap: 0 });
    receiver.answer = () => 204;
    receiver.received.length = 0;
    await write([rowOf(newName(), 'After')]);
    clock += DAY;
    await receiver.count(2);
    const { status, key } = await on.read(`${PATH}/${id}`);
    assert.deepEqual([status, key], ['enabled', next.unique_identifier]);
  });
});
