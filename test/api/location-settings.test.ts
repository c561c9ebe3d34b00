/** The time zone, region and state of locations: set, inherited, listed, and limiting lists. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../support/ask.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { type Body, joinService, type Service } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import { until } from '../support/until.ts';
import { world } from '../support/world.ts';

async function ground() {
  const service = await joinService();
  const account = service.account.unique_identifier;
  const [oak, elm] = [await service.location('oak'), await service.location('elm')];
  return { service, account, oak, elm };
}

function patch(service: Service, path: string, body: object, key = service.key) {
  return service.patch(path, body, { key });
}

const ofLocation = (id: string): string => `/v1/locations/${id}/settings`;
const ofAccount = (id: string): string => `/v1/accounts/${id}/settings`;

/** Names of zones beside those that a platform lists: older ones, and those of countries. */
const OTHER_NAMES = [
  ...[
    'US/Eastern',
    'US/Pacific',
    'Canada/Atlantic',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'Europe/Kiev',
  ],
  ...['Europe/Kyiv', 'America/Buenos_Aires', 'Etc/UTC', 'Etc/GMT0', 'Etc/GMT+0', 'Etc/Greenwich'],
  'Antarctica/South_Pole',
];

describe('settings of locations', { concurrency: true }, () => {
  it('are those of the account where a location has none, and UTC where neither has', async () => {
    const { service, account, oak, elm } = await ground();
    const nothing = await service.get(ofLocation(oak));
    assert.deepEqual(nothing.body, {
      ...{ object: 'location_settings', unique_identifier: oak, account },
      ...{ time_zone: 'UTC', region: null, state: null },
      inherited: ['time_zone', 'region', 'state'],
    });
    const given = await patch(service, ofAccount(account), {
      ...{ time_zone: 'america/chicago', region: '  Lakes ', state: 'IL' },
    });
    assert.equal(given.status, 200, given.text);
    assert.deepEqual(given.body, {
      ...{ object: 'location_settings', unique_identifier: account, account },
      ...{ time_zone: 'america/chicago', region: 'Lakes', state: 'IL', inherited: [] },
    });
    const own = await patch(service, ofLocation(elm), { time_zone: 'America/Denver' });
    const { time_zone, region, inherited } = own.body;
    assert.deepEqual([time_zone, region], ['America/Denver', 'Lakes']);
    assert.deepEqual(inherited, ['region', 'state']);
    const { body: others } = await service.get(ofLocation(oak));
    assert.deepEqual([others.time_zone, others.state], ['america/chicago', 'IL']);
    const back = await patch(service, ofLocation(elm), { time_zone: null });
    assert.equal(back.body.time_zone, 'america/chicago');
    assert.deepEqual((await service.get(ofLocation(elm))).body, back.body);
  });

  it('have each name of a zone that the platform knows as it was sent', async () => {
    const { service, oak } = await ground();
    const names = [...Intl.supportedValuesOf('timeZone'), ...OTHER_NAMES];
    for (const name of names.filter(
      (_, at) => at % 7 === 0 || at >= names.length - OTHER_NAMES.length,
    ))
      for (const sent of [name, name.toLowerCase()]) {
        const set = await patch(service, ofLocation(oak), { time_zone: sent });
        assert.equal(set.body.time_zone, sent, set.text);
      }
    const { body } = await service.get(ofLocation(oak));
    assert.equal(body.time_zone, OTHER_NAMES.at(-1)?.toLowerCase());
  });

  it('have no offset in the form of a place', async () => {
    const { service, oak } = await ground();
    for (const sign of ['+', '-'])
      for (let hours = 1; hours <= (sign === '+' ? 12 : 14); hours += 1) {
        const sent = `Etc/GMT${sign}${hours}`;
        const { status, body } = await patch(service, ofLocation(oak), { time_zone: sent });
        assert.deepEqual([status, body.error?.code], [400, 'time_zone_unknown'], sent);
      }
  });

  it('leave the record of the location as it was', async () => {
    const { service, oak } = await ground();
    const before = await service.get(`/v1/locations/${oak}`);
    await patch(service, ofLocation(oak), { time_zone: 'America/Denver', region: 'West' });
    const after = await service.get(`/v1/locations/${oak}`);
    assert.equal(after.text, before.text);
    assert.equal(after.headers.get('ETag'), before.headers.get('ETag'));
  });

  it('name every fault at once, and the time zone that was meant', async () => {
    const { service, oak } = await ground();
    const { status, body } = await patch(service, ofLocation(oak), {
      ...{ time_zone: 'America/New York', region: 'x'.repeat(121), state: 7, zone: 'UTC' },
    });
    assert.equal(status, 400);
    assert.deepEqual(pluck(body.error.errors, 'param', 'code'), [
      ['time_zone', 'time_zone_unknown'],
      ['region', 'text_too_long'],
      ['state', 'type_invalid'],
      ['zone', 'parameter_unknown'],
    ]);
    assert.match(body.error.message, /^time_zone is not .* Did you mean America\/New_York\?/);
    for (const [sent, meant] of [
      ['Eastern', 'America/New_York'],
      ['EST', 'America/New_York'],
      ['Pacific Time', 'America/Los_Angeles'],
      ['chicago', 'America/Chicago'],
      ['America/Chicgo', 'America/Chicago'],
      ['-05:00', 'Send for example'],
      ['GMT', 'UTC'],
      ['Etc/GMT+5', '5 h behind UTC'],
      ['etc/gmt-10', '10 h ahead of UTC'],
    ] as const) {
      const refused = await patch(service, ofLocation(oak), { time_zone: sent });
      assert.equal(refused.status, 400, sent);
      assert.ok(refused.body.error.message.includes(meant), refused.body.error.message);
    }
    assert.deepEqual((await service.get(ofLocation(oak))).body.inherited.length, 3);
  });

  it('of a location need the right to write it, those of an account the whole account', async () => {
    const { service, account, oak, elm } = await ground();
    const { secret: own } = await service.newKey({ anchors: [oak] });
    const { secret: events } = await service.newKey({ resources: ['events'] });
    const body = { state: 'NY' };
    const statuses = await Promise.all([
      patch(service, ofLocation(oak), body, events),
      patch(service, ofLocation(oak), body, own),
      patch(service, ofLocation(elm), body, own),
      patch(service, ofAccount(account), body, own),
      service.get(ofAccount(account), { key: own }),
    ]);
    assert.deepEqual(pluck(statuses, 'status'), [403, 200, 404, 403, 200]);
  });

  it('go with their location, and come back with it', async () => {
    const { service, oak } = await ground();
    const set = await patch(service, ofLocation(oak), { time_zone: 'America/Denver' });
    const removed = await service.send('DELETE', `/v1/locations/${oak}?cascade=true`);
    const removal = removed.headers.get('Ledgerstone-Removal');
    assert.equal((await service.get(ofLocation(oak))).status, 404);
    assert.equal((await patch(service, ofLocation(oak), { region: 'East' })).status, 404);
    const listed = await service.get('/v1/location_settings');
    assert.ok(!listed.text.includes(oak));
    await service.send('POST', `/v1/removals/${removal}/restore`);
    assert.deepEqual((await service.get(ofLocation(oak))).body, set.body);
  });

  it('are listed page by page, those of the accounts first', async () => {
    const { service, account, oak, elm } = await ground();
    await service.location('ash');
    await patch(service, ofAccount(account), { region: 'All' });
    await patch(service, ofLocation(elm), { state: 'NY' });
    await patch(service, ofLocation(oak), { state: 'NJ' });
    const first = await service.get('/v1/location_settings?limit=1');
    assert.equal(first.body.has_more, true);
    const after = first.body.data.at(-1).unique_identifier;
    const second = await service.get(`/v1/location_settings?limit=1&starting_after=${after}`);
    assert.equal(second.body.has_more, false);
    const all: Body[] = [...first.body.data, ...second.body.data];
    assert.deepEqual(pluck(all, 'unique_identifier', 'region', 'state'), [
      [account, 'All', null],
      [oak, 'All', 'NJ'],
      [elm, 'All', 'NY'],
    ]);
    const { secret: key } = await service.newKey({ anchors: [elm] });
    const own = await service.get('/v1/location_settings', { key });
    assert.deepEqual(pluck(own.body.data, 'unique_identifier'), [account, elm]);
  });

  it('limit every list to a region, as it is at that moment', async () => {
    const { service, account, oak, elm } = await ground();
    const [atOak, atElm] = [await service.event(oak), await service.event(elm)];
    const names = async (path: string, key = service.key): Promise<string[]> =>
      (await service.get(path, { key })).body.data.map((one: Body) => one.unique_identifier);
    const events = (region: string) => names(`/v1/events?region=${region}`);
    assert.deepEqual(await events('East'), []);
    await patch(service, ofLocation(oak), { region: 'East' });
    assert.deepEqual(await events('East'), [atOak]);
    assert.deepEqual(await names('/v1/locations?region=East'), [oak]);
    await patch(service, ofAccount(account), { region: 'East' });
    assert.deepEqual((await events('East')).sort(), [atOak, atElm].sort());
    const late = await service.event(await service.location('new'), 'late');
    assert.ok((await events('East')).includes(late), 'a new location has that of its account');
    await patch(service, ofLocation(oak), { region: 'West' });
    assert.deepEqual(await events('West'), [atOak]);
    assert.ok(!(await events('East')).includes(atOak));
    const { secret: key } = await service.newKey({ anchors: [elm] });
    assert.deepEqual(await names('/v1/events?region=West', key), [], 'beyond what the key sees');
    assert.deepEqual(await names('/v1/events?region=East', key), [atElm]);
    const total = await service.get('/v1/events?region=West&include[]=total');
    assert.equal(total.body.total.count, 1);
    const rows = await service.get('/v1/events?region=West', { headers: { Accept: 'text/csv' } });
    assert.equal(rows.text.trim().split('\r\n').length, 2, rows.text);
  });

  it('limit search, changes and activity to a region, too', async () => {
    const { service, account, oak, elm } = await ground();
    const [atOak, atElm] = [await service.event(oak), await service.event(elm)];
    await patch(service, ofAccount(account), { region: 'East' });
    await patch(service, ofLocation(oak), { region: 'West' });
    const searched = async (query: string): Promise<string[]> => {
      const { body } = await service.get(`/v1/search?q=${encodeURIComponent(query)}`);
      return body.data.flatMap((group: Body) =>
        group.data.map((one: Body) => one.record.unique_identifier),
      );
    };
    const { external_identifier: name } = (await service.get(`/v1/events/${atOak}`)).body;
    const both = [atOak, atElm].sort();
    assert.deepEqual((await searched(name)).sort(), both);
    const { body: west } = await service.get(`/v1/search?q=${name}&region=West`);
    assert.deepEqual(JSON.stringify(west).includes(atElm), false);
    assert.ok(JSON.stringify(west).includes(atOak));
    const none = await service.get(`/v1/search?q=${name}&region=West&location=${elm}`);
    assert.deepEqual(none.body.data, [], 'a location beyond the region');

    const changed = async (region: string): Promise<string[]> =>
      (await service.get(`/v1/changes?region=${region}&resource[]=event`)).body.data.map(
        (one: Body) => one.record,
      );
    assert.deepEqual(await changed('West'), [atOak]);
    assert.deepEqual(await changed('East'), [atElm]);
    await patch(service, ofLocation(elm), { region: 'West' });
    assert.deepEqual((await changed('West')).sort(), both, 'by the settings of the moment');

    const { secret: key } = await service.newKey({ allow: ['requests'] });
    const counted = async (region: string): Promise<string[]> => {
      const { body } = await service.get(`/v1/activity?region=${region}&limit=1000`, { key });
      return [...new Set<string>(body.data.map((one: Body) => one.location))].sort();
    };
    await until(async () => (await counted('West')).length === 2);
    assert.deepEqual(await counted('West'), [oak, elm].sort());
    assert.deepEqual(await counted('East'), []);
  });
});

describe('a time zone that 1.0.0 took and that can no longer be set', () => {
  const on = world({ settings: keyed(), store: serviceGround }, async () => {
    await on.read('/v1/follow_ups');
  });
  const spoil = (record: string, zone = 'SystemV/EST5') =>
    ask(
      on.ground.url,
      `UPDATE location_settings SET time_zone = '${zone}' WHERE unique_identifier = '${record}'`,
    );

  it('counts as none where no time can be reckoned by it: of the location, and of the account', async () => {
    const { service, account, location } = on;
    await patch(service, ofLocation(location), { time_zone: 'America/Denver', region: 'West' });
    await patch(service, ofAccount(account), { time_zone: 'America/Chicago' });
    await spoil(location);
    const { body } = await service.get(ofLocation(location));
    assert.deepEqual(
      [body.time_zone, body.region, body.inherited],
      ['America/Chicago', 'West', ['time_zone', 'state']],
    );
    await spoil(account);
    assert.equal((await service.get(ofLocation(location))).body.time_zone, 'UTC');
    const found = await service.app.store.locationSettings.withoutUsableZone();
    assert.deepEqual(found.map(([id]) => id).toSorted(), [account, location].toSorted());
  });

  it('stops no follow-up and no workbook', async () => {
    const { unique_identifier: record } = await on.made('online_arrangements');
    let opened: readonly Body[] = [];
    await until(async () => {
      opened = (await on.read(`/v1/follow_ups?record=${record}`)).data;
      return opened.length > 0;
    });
    const table = await on.service.get('/v1/online_arrangements', {
      headers: { Accept: 'text/csv' },
    });
    assert.equal(table.status, 200, table.text);
  });

  it('counts as it is where it is an offset that can no longer be set', async () => {
    const { service, location } = on;
    await spoil(location, 'Etc/GMT+5');
    const changed = await patch(service, ofLocation(location), { region: 'Lakes' });
    assert.deepEqual([changed.body.time_zone, changed.body.region], ['Etc/GMT+5', 'Lakes']);
    assert.deepEqual((await service.get(ofLocation(location))).body, changed.body);
  });
});
