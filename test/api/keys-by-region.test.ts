/** Keys and people limited to a region: they see the locations that have it, and a location that leaves it is gone for them within a second. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { anchorShape } from '../../src/core/registry.ts';
import { rotateKey } from '../../src/records/auth/issue-key.ts';
import { emptyAccount } from '../../src/services/emptying.ts';
import type { NewKey } from '../../src/store/promises/keys.ts';
import { ALL } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { administrator, invitation, signedIn } from '../support/console.ts';
import { runningElapsed } from '../support/own-elapsed.ts';
import { parseJson } from '../support/parse-json.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody, locationBody } from '../support/sent.ts';
import { type Body, type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { served } from '../support/world.ts';

/** What is promised. */
const A_SECOND = 1_000;

const settings = keyed();
let clock = Date.now();
const now = () => clock;
const elapsed = runningElapsed();
const ground = served({ settings, now });

/** Moves the clock so far that what was taken away is gone. */
const later = (): void => {
  clock += A_SECOND;
};

function set(service: Service, path: string, body: object, key = service.key) {
  return service.patch(`/v1/${path}/settings`, body, { key });
}

/** Gives a location a region; `null`: that of its account. */
async function place(service: Service, location: string, region: string | null): Promise<void> {
  const { status, text } = await set(service, `locations/${location}`, { region });
  assert.equal(status, 200, text);
  later();
}

const regional = (service: Service, region = 'East', more: Partial<NewKey> = {}) =>
  service.newKey({ anchors: [], region, ...more });

async function names(service: Service, path: string, key: string): Promise<string[]> {
  const { status, body, text } = await service.get(path, { key });
  assert.equal(status, 200, text);
  return body.data.map((one: Body) => one.unique_identifier).sort();
}

async function oakAndElm() {
  const service = await ground.another();
  const [oak, elm] = [await service.location('oak'), await service.location('elm')];
  const [atOak, atElm] = [await service.event(oak, 'one'), await service.event(elm, 'two')];
  return { service, oak, elm, atOak, atElm };
}

describe('A key limited to a region', () => {
  it('sees nothing while no location has it, and then those that do, by themselves or by their account', async () => {
    const { service, oak, elm, atOak, atElm } = await oakAndElm();
    const { secret: key } = await regional(service);
    const sees = async () => [
      await names(service, '/v1/locations', key),
      await names(service, '/v1/events', key),
    ];
    assert.deepEqual(await sees(), [[], []], 'nothing, and not everything');
    assert.equal((await service.get(`/v1/events/${atOak}`, { key })).status, 404);
    await place(service, oak, 'East');
    assert.deepEqual(await sees(), [[oak], [atOak]]);
    assert.equal((await service.get(`/v1/events/${atElm}`, { key })).status, 404);
    await set(service, `accounts/${service.account.unique_identifier}`, { region: 'East' });
    const ash = await service.location('ash');
    later();
    assert.deepEqual(await sees(), [[oak, elm, ash].sort(), [atOak, atElm].sort()]);
    await place(service, elm, 'West');
    assert.deepEqual(await sees(), [[oak, ash].sort(), [atOak]]);
    const { body: me } = await service.get('/v1/me', { key });
    assert.deepEqual([me.region, me.locations.sort()], ['East', [oak, ash].sort()]);
    const searched = await service.get('/v1/search?q=two', { key });
    assert.ok(!searched.text.includes(atElm), searched.text);
    const log = await service.get('/v1/changes', { key });
    assert.ok(log.text.includes(atOak));
    assert.ok(!log.text.includes(atElm), 'the log shows no more than lists');
  });

  it('writes there as one limited to locations does: it makes no location, and reaches no other', async () => {
    const { service, oak, elm, atElm } = await oakAndElm();
    await place(service, oak, 'East');
    const { secret: key } = await regional(service);
    const { secret: other } = await service.newKey({ anchors: [oak] });
    const statuses = async (by: string) => {
      const account = service.account.unique_identifier;
      const called = (name: string) => locationBody(account, name);
      const answers = [
        await service.json('/v1/events/upsert', eventBody(oak, 'new'), { key: by }),
        await service.json('/v1/events/upsert', eventBody(elm, 'new'), { key: by }),
        await service.json('/v1/locations/upsert', called('oak'), { key: by }),
        await service.json('/v1/locations/upsert', called('elm'), { key: by }),
        await service.json('/v1/locations/upsert', called('made'), { key: by }),
        await service.send('DELETE', `/v1/locations/${oak}?cascade=true`, { key: by }),
        await service.send('DELETE', `/v1/events/${atElm}`, { key: by }),
        await service.json('/v1/syncs', { resource: 'event', location: elm }, { key: by }),
        await service.get('/v1/activity', { key: by }),
      ];
      return answers.map(({ status }) => status);
    };
    const may = await statuses(key);
    assert.deepEqual(may, await statuses(other));
    assert.deepEqual(may, [200, 404, 200, 403, 403, 403, 404, 404, 403]);
  });

  it('does not decide what is in a region, nor does any that is limited', async () => {
    const { service, oak, elm } = await oakAndElm();
    await place(service, oak, 'East');
    const { secret: key } = await regional(service);
    const { secret: tablet } = await service.newKey({ anchors: [oak] });
    for (const by of [key, tablet]) {
      for (const region of ['East', 'West', null]) {
        const refused = await set(service, `locations/${oak}`, { region }, by);
        assert.equal(refused.status, 403, refused.text);
        assert.match(refused.body.error.message, /the region of a location decides which keys/);
      }
      assert.equal((await set(service, `locations/${oak}`, { state: 'NY' }, by)).status, 200);
      assert.equal((await set(service, `locations/${elm}`, { region: 'East' }, by)).status, 403);
      assert.equal((await set(service, `locations/${elm}`, { state: 'NY' }, by)).status, 404);
    }
    assert.deepEqual(await names(service, '/v1/locations', key), [oak]);
  });

  it('keeps its region when it is rotated, and when one of its accounts is removed', async () => {
    const { service, oak } = await oakAndElm();
    await place(service, oak, 'East');
    const { store } = service.app;
    const gone = await store.accounts.create({ name: 'Gone', livemode: false });
    const accounts = [service.account.unique_identifier, gone.unique_identifier];
    const { key: old } = await regional(service, 'East', { accounts });
    const rotated = await rotateKey(store.keys, old, { now: now(), overlap: 0 });
    assert.deepEqual(await names(service, '/v1/locations', rotated.secret), [oak]);
    await signedIn(service, 'two.accounts@example.com', { accounts, anchors: [], region: 'East' });
    await emptyAccount(store, anchorShape, gone.unique_identifier, { isRemoved: true });
    later();
    assert.deepEqual(await names(service, '/v1/locations', rotated.secret), [oak]);
    const person = await store.staff.withEmail('two.accounts@example.com');
    const { region, anchors, accounts: left } = person ?? assert.fail();
    assert.deepEqual([region, anchors, left], ['East', [], accounts.slice(0, 1)]);
  });

  it('sees locations of all its accounts, each by its own settings', async () => {
    const { service: one, oak } = await oakAndElm();
    const { service: other, elm } = await oakAndElm();
    const accounts = [one, other].map(({ account }) => account.unique_identifier);
    const { secret: key } = await regional(one, 'East', { accounts });
    await place(one, oak, 'East');
    assert.deepEqual(await names(one, '/v1/locations', key), [oak]);
    await place(other, elm, 'East');
    assert.deepEqual(await names(one, '/v1/locations', key), [oak, elm].sort());
    await one.app.store.accounts.close(accounts[1] ?? '');
    later();
    assert.deepEqual(await names(one, '/v1/locations', key), [oak]);
  });

  it('saves no further row of a stream once the location has left the region', async () => {
    const { service, oak } = await oakAndElm();
    await place(service, oak, 'East');
    const { secret: key } = await regional(service);
    const sent = request(`${service.url}/v1/events/upsert_many`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
    });
    sent.on('error', () => {});
    const row = (name: string) => `${JSON.stringify(eventBody(oak, name))}\n`;
    sent.write(row('before'));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const lines = createInterface(answer)[Symbol.asyncIterator]();
    const next = async (): Promise<Body> => parseJson((await lines.next()).value ?? 'null');
    assert.equal((await next()).outcome, 'created');
    await place(service, oak, 'West');
    sent.write(row('after'));
    const last = await next();
    assert.deepEqual([last.summary.created, last.error?.code], [1, 'permission_denied']);
    sent.destroy();
    const { text } = await service.get('/v1/events?external_identifier=after');
    assert.ok(!text.includes('"after"'), text);
  });

  it('gets no notification of a location that has left the region', async () => {
    const { service, oak, elm } = await oakAndElm();
    await place(service, oak, 'East');
    const { secret: key } = await regional(service, 'East', { allow: ['webhooks'] });
    const receiver = await startReceiver();
    whenOver(() => receiver.close());
    const endpoint = { url: receiver.url, payload: 'full' };
    const made = await service.json('/v1/webhook_endpoints', endpoint, { key });
    assert.equal(made.status, 200, made.text);
    const has = (name: string) => receiver.received.some(({ text }) => text.includes(name));
    await service.json('/v1/events/upsert', eventBody(oak, 'seen'));
    await until(() => has('"seen"'));
    await place(service, oak, 'West');
    // What is sent is allowed by the milliseconds that pass.
    elapsed.move(A_SECOND);
    await service.json('/v1/events/upsert', eventBody(oak, 'unseen'));
    await place(service, elm, 'East');
    // Locations that come into the region count within a second, too.
    later();
    elapsed.move(A_SECOND);
    await service.json('/v1/events/upsert', eventBody(elm, 'last'));
    await until(() => {
      later();
      return has('"last"');
    });
    assert.ok(!has('"unseen"'));
  });

  it('sees exactly what the region has while it changes round after round', async () => {
    const { service, oak, elm, atOak, atElm } = await oakAndElm();
    const { secret: key } = await regional(service);
    for (let round = 0; round < (ALL ? 64 : 8); round += 1) {
      const [comes, goes] = round % 2 === 0 ? [oak, elm] : [elm, oak];
      const reads = Array.from({ length: 8 }, () => names(service, '/v1/events', key));
      await Promise.all([place(service, comes, 'East'), place(service, goes, 'West')]);
      await Promise.all(reads);
      later();
      const wanted = comes === oak ? [atOak] : [atElm];
      const seen = await Promise.all(reads.map(() => names(service, '/v1/events', key)));
      for (const one of seen) assert.deepEqual(one, wanted, `round ${round}`);
    }
  });

  it('is limited alike in every process', {
    skip: process.env.TEST_STORE !== 'postgres' && 'one process alone serves a SQLite store',
  }, async () => {
    const shared = await serviceGround();
    const one = await startService({ ground: shared, now });
    const other = await startService({ ground: shared, now });
    const oak = await one.location('oak');
    const { secret: key } = await regional(one);
    for (let round = 0; round < 16; round += 1) {
      const isIn = round % 2 === 0;
      await place(round % 4 < 2 ? one : { ...other, key: one.key }, oak, isIn ? 'East' : null);
      for (const by of [one, other])
        assert.deepEqual(await names(by, '/v1/locations', key), isIn ? [oak] : []);
    }
  });
});

describe('A person limited to a region', () => {
  it('sees its locations by the next request but a second, and is no administrator', async () => {
    const { service, oak, elm, atOak } = await oakAndElm();
    await place(service, oak, 'East');
    const manager = await signedIn(service, 'manager@example.com', { anchors: [], region: 'East' });
    assert.deepEqual([manager.session.locations, manager.session.staff.region], [[oak], 'East']);
    const { body: events } = await manager.get('/v1/events');
    assert.deepEqual(pluck(events.data, 'unique_identifier'), [atOak]);
    const refused = await manager.send('PATCH', `/v1/locations/${oak}/settings`, { region: null });
    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.body.error.message, /Only administrators/);
    assert.equal((await manager.get('/v1/requests')).status, 403);
    await place(service, elm, 'East');
    await place(service, oak, null);
    const { body } = await manager.get('/session');
    assert.deepEqual(body.locations, [elm]);
    assert.equal((await manager.get(`/v1/events/${atOak}`)).status, 404);
    const role = { role: 'administrator', region: 'East', anchors: [] } as const;
    await assert.rejects(invitation(service, 'no@example.com', role), /whole accounts/);
  });

  it('is invited and changed in the console, where keys are made, too: by region or by locations', async () => {
    const { service, oak, elm } = await oakAndElm();
    await place(service, oak, 'East');
    const { unique_identifier: account } = service.account;
    const admin = await administrator(service, 'regions@example.com');
    const both = { accounts: [account], locations: [oak], region: 'East' };
    for (const [path, body] of [
      ['/keys', both],
      ['/staff/invite', { ...both, role: 'editor', email: 'new@example.com' }],
    ] as const) {
      const { status, body: answer } = await admin.post(path, body);
      assert.equal(status, 400);
      assert.deepEqual(pluck(answer.error.errors, 'param'), ['locations', 'region']);
      const { locations: _, ...blank } = { ...body, region: ' ' };
      assert.equal((await admin.post(path, blank)).body.error.param, 'region');
      const long = { ...blank, region: 'x'.repeat(121) };
      assert.equal((await admin.post(path, long)).body.error.param, 'region');
    }
    const made = await admin.post('/keys', { accounts: [account], region: ' East ' });
    assert.equal(made.status, 200, made.text);
    assert.deepEqual([made.body.region, made.body.locations], ['East', [oak]]);
    assert.deepEqual(await names(service, '/v1/locations', made.body.secret), [oak]);
    const invited = await admin.post('/staff/invite', {
      ...{ accounts: [account], region: 'West', role: 'editor', email: 'west@example.com' },
    });
    assert.equal(invited.status, 200, invited.text);
    const { staff } = invited.body;
    assert.deepEqual([staff.region, staff.locations], ['West', []]);
    const grant = async (body: object): Promise<Body> => {
      const path = `/staff/${staff.unique_identifier}/grant`;
      const answer = await admin.post(path, { accounts: [account], role: 'editor', ...body });
      assert.equal(answer.status, 200, answer.text);
      return [answer.body.region, answer.body.locations];
    };
    assert.deepEqual(await grant({ region: 'East' }), ['East', [oak]]);
    assert.deepEqual(await grant({ locations: [elm] }), [null, [elm]]);
    assert.deepEqual(await grant({}), [null, null]);
    const set = await admin.send('PATCH', `/v1/locations/${elm}/settings`, { region: 'East' });
    assert.equal(set.status, 200, set.text);
    const { secret: auditor } = await service.newKey({ permissions: ['read'], allow: ['audit'] });
    await until(async () => {
      const audit = `/v1/audit?action=administer&record=${elm}`;
      return (await service.get(audit, { key: auditor })).text.includes('patch_location_settings');
    });
    const editor = await signedIn(service, 'any.editor@example.com');
    const path = `/v1/locations/${elm}/settings`;
    assert.equal((await editor.send('PATCH', path, { region: 'West' })).status, 403);
    assert.equal((await editor.send('PATCH', path, { state: 'NY' })).status, 200);
  });
});
