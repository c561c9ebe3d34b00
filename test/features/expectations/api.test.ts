/** What is expected of sources is learned, set and looked at; webhook endpoints are notified once when one falls silent, and when it is back. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { RefusedRequest } from '../../../src/core/objects/requests/refused-request.ts';
import { anchorShape } from '../../../src/core/registry.ts';
import { createWatch } from '../../../src/features/expectations/serves/watch.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { served } from '../../support/world.ts';

const HOUR = 3_600_000;
const ZONE = 'America/New_York';
const at = (text: string): number =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds;

const settings = keyed();
/** It moves when a test moves it. A Monday. */
let clock = at('2026-11-23T12:00');
let receiver: Receiver;
const receivers: Receiver[] = [];
/** May see and set what is expected. */
let watchKey: string;

/** Upkeep's own watch would come between those of the tests. */
const pace = (ms: number): number => (ms < 3_000 ? Math.min(ms, 50) : 600_000);

const service = served({ settings, pace, now: () => clock }, async () => {
  const { secret } = await service.newKey({ allow: ['requests', 'sources', 'webhooks'] });
  watchKey = secret;
  receiver = await startReceiver();
  receivers.push(receiver);
  const path = `/v1/accounts/${service.account.unique_identifier}/settings`;
  const { status, text } = await service.patch(path, { time_zone: ZONE, region: 'East' });
  assert.equal(status, 200, text);
});
after(async () => {
  for (const one of receivers) await one.close();
});

/** As a process of the service does. */
async function look(): Promise<void> {
  const { store } = service.app;
  const now = () => clock;
  await createWatch({
    store,
    anchor: anchorShape,
    now,
  })();
}

/** Looks at each quarter of an hour, as a service that is up does, until then. */
async function lookUntil(text: string): Promise<void> {
  for (const end = at(text); clock < end; ) {
    clock = Math.min(end, clock + HOUR / 4);
    await look();
  }
}

function came(key: string, anchor: string, times: readonly number[], outcome = 'created') {
  const account = service.account.unique_identifier;
  return service.app.store.requests.note(
    [],
    times.map((time) => ({
      ...{ account, key, anchor, resource: 'event', outcome, count: 1 },
      ...{ hour: Math.floor(time / HOUR) * HOUR, last_at: time },
    })),
  );
}

/** In every hour from 8 to 18 on weekdays, for more than six weeks. */
function officeHours(): readonly number[] {
  const today = Temporal.PlainDate.from('2026-11-23');
  const hours = ['08', '09', 10, 11, 12, 13, 14, 15, 16, 17];
  return Array.from({ length: 44 }, (_, ago) => today.subtract({ days: ago }))
    .filter(({ dayOfWeek }) => dayOfWeek < 6)
    .flatMap((day) => hours.map((hour) => at(`${day}T${hour}:30`)))
    .filter((time) => time < clock);
}

const list = async (query = '', key = watchKey): Promise<Body[]> => {
  const { status, body, text } = await service.get(`/v1/expectations${query}`, { key });
  assert.equal(status, 200, text);
  return body.data;
};
const one = async (location: string): Promise<Body> => {
  const [found] = await list(`?location=${location}`);
  assert.ok(found);
  return found;
};
const set = (body: Body, key = watchKey) => service.json('/v1/expectations', body, { key });

describe('What is expected of a source', { concurrency: false }, () => {
  let oak: string;
  let elm: string;
  let tablet: string;

  it('is learned from its activity, by the clock of the location, with its reason', async () => {
    [oak, elm] = [await service.location('oak'), await service.location('elm')];
    tablet = (await service.newKey({ name: 'Tablet' })).key.unique_identifier;
    await service.app.store.sources.assign(service.account.unique_identifier, tablet, 'Tablet');
    await came(tablet, oak, officeHours());
    // Now and then: nothing is to be expected.
    const seldom = officeHours().filter((_, place) => place % 37 === 0);
    await came(tablet, elm, seldom);
    assert.deepEqual(await list(), []);
    clock += 25 * HOUR;
    await came(tablet, oak, [clock - HOUR / 2]);
    await look();
    const [found, ...others] = await list();
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(found, {
      ...{ hours: 'mon-fri 8-18', every: 'hour', silent_after: 3 },
      ...{ status: 'learned', state: 'on_time', location: oak },
    });
    assert.match(found?.reason, /^Something came on \d+ of the last \d+ of these days\.$/);
    for (const [query, count] of [
      ['region=East&state=on_time', 1],
      ['region=West', 0],
      ['state=silent', 0],
    ] as const)
      assert.equal((await list(`?${query}`)).length, count, query);
  });

  it('tells those that may know once when it falls silent, and when it is back', async () => {
    const url = receiver.url;
    const told = await service.json('/v1/webhook_endpoints', { url }, { key: watchKey });
    assert.equal(told.status, 200, told.text);
    const { secret } = await service.newKey({ allow: ['webhooks'] });
    const other = await startReceiver();
    receivers.push(other);
    await service.json('/v1/webhook_endpoints', { url: other.url }, { key: secret });
    await lookUntil('2026-11-24T15:55');
    assert.equal((await one(oak)).state, 'late');
    // Several processes at once.
    clock = at('2026-11-24T16:04');
    await Promise.all([look(), look(), look(), look()]);
    const silent = await one(oak);
    assert.equal(silent.state, 'silent');
    const types = (): Body[] =>
      receiver.received.map(({ body }) => body).filter(({ type }) => type.startsWith('source.'));
    await until(() => types().length === 1);
    await lookUntil('2026-11-24T18:00');
    await came(tablet, oak, [clock - 60_000]);
    clock += 2 * 60_000;
    await Promise.all([look(), look(), look()]);
    await until(() => types().length === 2);
    const { unique_identifier } = silent;
    const wanted = ['silent', 'back'].map((state) => ({
      type: `source.${state}`,
      data: { object: 'expectation', state, location: oak, unique_identifier },
    }));
    assert.equal(types().length, 2);
    assert.partialDeepStrictEqual(types(), wanted);
    assert.equal((await one(oak)).state, 'back');
    const isTold = other.received.some(({ text }) => text.includes('source.'));
    assert.ok(!isTold, 'without the right `requests`');
  });

  it('is not missed while the service was down', async () => {
    await came(tablet, oak, [at('2026-11-24T17:55')]);
    // Nobody looks for two days.
    clock = at('2026-11-26T17:00');
    await look();
    assert.equal((await one(oak)).state, 'on_time');
    await lookUntil('2026-11-27T10:30');
    assert.equal((await one(oak)).state, 'silent');
  });

  it('fails in place of being silent where all that comes is refused, with the first reason', async () => {
    const request = (time: number, code: string): RefusedRequest => ({
      ...{ request_id: `req_${time}`, time, key: tablet },
      account: service.account.unique_identifier,
      ...{ authentication: null, address: null, method: 'POST', path: '/v1/events/upsert' },
      ...{ status: 400, code, faults: [], rows: null },
    });
    const [first, second] = [clock + 60_000, clock + 120_000];
    const all = [request(first, 'datetime_invalid'), request(second, 'phone_invalid')];
    await service.app.store.requests.note(all, []);
    await came(tablet, '', [second], 'refused');
    clock += 5 * 60_000;
    await look();
    const { state, refusal } = await one(oak);
    assert.deepEqual([state, refusal], ['failing', 'datetime_invalid']);
  });

  it('is confirmed, set, turned off and forgotten by people', async () => {
    const { source } = await one(oak);
    const confirmed = await set({ source, location: oak });
    assert.equal(confirmed.status, 200, confirmed.text);
    const { learned_days } = confirmed.body;
    assert.partialDeepStrictEqual(confirmed.body, { status: 'confirmed', hours: 'mon-fri 8-18' });
    assert.ok(learned_days > 0);
    const changed = await set({
      ...{ source, location: oak, hours: 'SAT 9-12,mon-fri 9-17', every: 'day' },
      closed_days: '12-25 2026-11-27',
    });
    assert.partialDeepStrictEqual(changed.body, {
      ...{ hours: 'mon-fri 9-17, sat 9-12', every: 'day', silent_after: 2 },
      ...{ closed_days: '12-25, 2026-11-27', reason: 'A person set it.' },
    });
    const fresh = await set({ source, location: elm, hours: 'mon-sun 2-4' });
    assert.deepEqual([fresh.body.state, fresh.body.every], ['new', 'day']);
    await lookUntil('2026-11-27T18:00');
    assert.equal((await one(elm)).state, 'failing', 'all that it may have sent was refused');
    const off = await set({ source, location: oak, status: 'off' });
    assert.equal(off.body.status, 'off');
    const { unique_identifier, state } = await one(oak);
    await lookUntil('2026-11-28T06:00');
    assert.equal((await one(oak)).state, state, 'what is off is not looked at');
    const path = `/v1/expectations/${unique_identifier}`;
    const remove = () => service.send('DELETE', path, { key: watchKey });
    const gone = { object: 'expectation', unique_identifier, deleted: true };
    assert.deepEqual((await remove()).body, gone);
    assert.equal((await remove()).status, 404);
  });

  it('is not missed at a location that was removed', async () => {
    const { source } = await one(elm);
    const ash = await service.location('ash');
    await set({ source, location: ash, hours: 'mon-sun 0-24', every: 'hour' });
    await came(tablet, ash, [clock + 60_000]);
    await lookUntil('2026-11-28T06:30');
    assert.equal((await one(ash)).state, 'on_time');
    await service.send('DELETE', `/v1/locations/${ash}`);
    await lookUntil('2026-11-28T12:00');
    assert.equal((await one(ash)).state, 'on_time');
  });

  it('is refused of what is not there, or of another account', async () => {
    const { source } = await one(elm);
    const hours = 'mon 8-9';
    const refusals = [
      [{ source, location: oak }, 400, 'hours'],
      [{ source, location: 'loc_none', hours }, 404, 'location'],
      [{ source: 'src_none', location: elm, hours }, 404, 'source'],
    ] as const;
    for (const [sent, ...wanted] of refusals) {
      const { status, body } = await set(sent);
      assert.deepEqual([status, body.error.param], wanted);
    }
    const other = await service.another();
    const { secret } = await other.newKey({ allow: ['requests', 'sources'] });
    assert.equal((await set({ source, location: elm }, secret)).status, 404);
  });

  it('is heard of within the hour, of a process that is behind or that writes late', async () => {
    const { source } = await one(elm);
    const late = await service.location('late');
    await set({ source, location: late, hours: 'mon-sun 0-24', every: 'hour' });
    for (let minutes = 6; minutes < 60; minutes += 9) {
      clock += 3 * HOUR + HOUR / 4;
      await look();
      const time = clock - minutes * 60_000;
      await came(tablet, late, [time]);
      clock += 61_000;
      await look();
      const { last_at } = await one(late);
      assert.equal(Date.parse(last_at), time, `${minutes} minutes before`);
    }
  });
});
