/** How hard a webhook endpoint is tried, and what it is asked at a time. */
// needs: both stores with --all, waits

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it, mock } from 'node:test';
import { withAll } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { wantOrder } from '../support/webhook-siege.ts';
import { served } from '../support/world.ts';

const PATH = '/v1/webhook_endpoints';
const HOUR = 3_600_000;
const settings = keyed();
let key: string;
let location: string;
let clock = 0;
let looks: () => number;

const service = served({ settings, now: () => Date.now() + clock }, async () => {
  key = (await service.newKey({ allow: ['webhooks'] })).secret;
  location = await service.location();
  const leases = mock.method(service.app.store.webhooks, 'leases').mock;
  looks = () => leases.callCount();
});

/** Waits until the service has looked so often who delivers to what. */
async function looked(times: number): Promise<void> {
  const began = looks();
  await until(() => looks() > began + times);
}

async function ground(more: Body = {}) {
  const receiver = await startReceiver();
  const { body } = await service.json(PATH, { url: receiver.url, ...more }, { key });
  const at = `${PATH}/${body.unique_identifier}`;
  whenOver(() => service.send('DELETE', at, { key }));
  const list = async (status: string): Promise<Body[]> =>
    (await service.get(`${at}/deliveries?limit=1000&status=${status}`, { key })).body.data;
  const resend = (change: string) => service.json(`${at}/resend`, { change }, { key });
  const enable = () => service.patch(at, { status: 'enabled' }, { key });
  return { receiver, at, list, resend, enable };
}

const rowOf = (external_identifier: string, event_name: string, of = location) =>
  eventBody(of, external_identifier, { event_name });
let count = 0;
const event = async (as = `event ${++count}`, name = 'Name', of = location): Promise<string> =>
  (await service.json('/v1/events/upsert', rowOf(as, name, of))).body.unique_identifier;
const write = async (rows: readonly object[]): Promise<void> => {
  const { body, text } = await service.json('/v1/events/upsert_many', rows);
  assert.equal(body.summary.failed, 0, text);
};

describe('A change that is never taken', () => {
  it('is given up after ten tries and listed as failed; the later ones of its record go on, and it can be resent', async () => {
    const { receiver, list, resend } = await ground();
    const record = await event('held', 'One');
    const [{ id: change } = { id: '' }] = await receiver.count(1);
    await event('held', 'Two');
    await until(async () => (await list('delivered')).length === 2);
    let refuses = true;
    receiver.answer = ({ body }) =>
      refuses && body.data.record === record && body.data.version === 3 ? 500 : 200;
    receiver.received.length = 0;
    await event('held', 'Three');
    await event('held', 'Four');
    const tries = () => receiver.received.filter(({ body }) => body.data.version === 3).length;
    for (let made = 1; made <= 10; made++) {
      await until(() => tries() === made);
      await until(async () => {
        const left = [...(await list('pending')), ...(await list('failed'))];
        return left.find(({ attempts }) => attempts > 0)?.attempts === made;
      });
      // Others are taken meanwhile: the endpoint works, and a day later it is time.
      clock += 29 * HOUR;
      await event();
    }
    const last = () => receiver.received.filter(({ body }) => body.data.version === 4);
    await until(() => last().length === 1);
    const [failed, ...others] = await list('failed');
    assert.deepEqual(others, []);
    const given = { attempts: 10, status_code: 500, next_attempt_at: null };
    assert.partialDeepStrictEqual(failed, given);
    assert.notEqual(failed?.change, change);
    assert.equal(tries(), 10);
    refuses = false;
    await resend(failed?.change);
    await until(() => tries() === 11);
    await until(async () => (await list('failed')).length + (await list('pending')).length === 0);
  });
});

describe('A webhook endpoint', () => {
  it('is asked for one change of a record at a time, and never for more than sixteen at once', async () => {
    const { receiver, list } = await ground();
    const underWay = new Map<string, number>();
    let [most, mostOfOne, now] = [0, 0, 0];
    const all = Promise.withResolvers<void>();
    receiver.answer = async ({ body: { data } }) => {
      const own = (underWay.get(data.record) ?? 0) + 1;
      underWay.set(data.record, own);
      now += 1;
      [most, mostOfOne] = [Math.max(most, now), Math.max(mostOfOne, own)];
      // The first ones are answered: the more are, the more it is asked for at once.
      if (receiver.received.length > 50) await all.promise;
      now -= 1;
      underWay.set(data.record, own - 1);
      return 200;
    };
    const rows = Array.from({ length: 400 }, (_, at) => rowOf(`many ${at % 100}`, `Name ${at}`));
    // Of two rows of a record in one request, the later one is refused.
    for (let from = 0; from < 400; from += 100) await write(rows.slice(from, from + 100));
    await until(() => now > 4);
    await list('delivered');
    await looked(3);
    all.resolve();
    await receiver.count(400);
    assert.equal(mostOfOne, 1);
    assert.ok(most > 4 && most <= 16, `${most} at once`);
    wantOrder(receiver.received);
  });

  it('is not asked again for what it is about to answer, when the clock is put forward', async () => {
    const { receiver, list } = await ground();
    receiver.answer = async () => {
      clock += HOUR;
      await looked(3);
      return 200;
    };
    await event('answered slowly');
    await until(async () => (await list('delivered')).length === 1);
    await looked(3);
    assert.equal(receiver.received.length, 1);
  });

  it('is told nothing of other locations where it names some', async () => {
    const own = await service.location('of its own');
    const { receiver } = await ground({ locations: [own] });
    await event('elsewhere');
    const there = await event('there', 'Name', own);
    await event('elsewhere', 'Renamed');
    await event('there', 'Renamed', own);
    const received = await receiver.count(2);
    assert.deepEqual(new Set(received.map(({ body }) => body.data.record)), new Set([there]));
  });

  it('is not followed to where it redirects: that is a failure', async () => {
    const elsewhere = await startReceiver();
    const { receiver, list } = await ground();
    receiver.answer = () => ({ status: 307, headers: { Location: elsewhere.url } });
    await event();
    await until(async () => (await list('pending'))[0]?.status_code === 307);
    assert.equal(elsewhere.received.length, 0);
  });

  it(
    'reads no further while twenty thousand are unfinished, and loses none that follow',
    withAll,
    async () => {
      const { receiver, at, list, enable } = await ground();
      const { webhooks } = service.app.store;
      const unfinished = async () => (await webhooks.pending(basename(at))).length;
      receiver.answer = () => 500;
      for (let change = 0; change < 41; change++)
        await write(Array.from({ length: 500 }, (_, nth) => rowOf(`one ${nth}`, `Name ${change}`)));
      await until(async () => (await unfinished()) === 20_000, 120_000);
      await looked(20);
      assert.equal(await unfinished(), 20_000);
      const { body: feed } = await service.get('/v1/changes?starting_after=now', { key });
      const position = async () => (await service.get(at, { key })).body.position;
      assert.notEqual(await position(), feed.position);
      receiver.answer = () => 200;
      receiver.received.length = 0;
      await enable();
      await until(async () => (await position()) === feed.position, 120_000);
      await until(async () => (await list('pending')).length === 0, 120_000);
      assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 20_500);
      wantOrder(receiver.received);
    },
  );
});
