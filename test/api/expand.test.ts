/** `expand[]`: what a record belongs to, in the same answer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, scene } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';

/** What the records of each resource belong to. */
const ABOVE: Readonly<Record<string, readonly string[]>> = {
  locations: ['account'],
  events: ['location', 'account'],
  event_administrators: ['event', 'location', 'account'],
  event_check_in_records: ['event', 'location', 'account'],
  online_arrangements: ['location', 'account'],
  direct_mail_replies: ['location', 'account'],
};

const made = new Map<string, Body>();
const above = new Map<string, Body>();
let away: string;
let awayEvent: Body;
const stage = scene({}, async ({ service, parents, upsert }) => {
  for (const path of Object.keys(ABOVE)) made.set(path, (await upsert(path)).body);
  const pathOf = { account: 'accounts', location: 'locations', event: 'events' };
  for (const name of ['account', 'location', 'event'] as const) {
    const { body } = await service.get(`/v1/${pathOf[name]}/${parents[name]}`);
    above.set(name, body);
  }
  away = (await upsert('locations', { as: 'away' })).body.unique_identifier;
  awayEvent = (await upsert('events', { json: { location_unique_identifier: away } })).body;
});

const get = (url: string, key?: string): Promise<Answer> =>
  stage.service.get(url, key === undefined ? {} : { key });
const queryOf = (names: readonly string[]): string =>
  `?${names.map((name) => `expand[]=${name}`).join('&')}`;

describe('expand[]', () => {
  for (const { path } of examples) {
    const names = ABOVE[path] ?? [];

    it(`${path}: puts ${names.join(', ')} into the object, as a read of each answers it`, async () => {
      const record = made.get(path);
      const expected = Object.fromEntries(names.map((name) => [name, above.get(name)]));
      const url = `/v1/${path}/${record.unique_identifier}`;
      assert.deepEqual((await get(url + queryOf(names))).body, { ...record, ...expected });
      for (const name of names) {
        const { body } = await get(url + queryOf([name]));
        assert.deepEqual(body, { ...record, [name]: above.get(name) });
      }
      assert.deepEqual((await get(url)).body, record);
    });

    it(`${path}: in lists, too`, async () => {
      const plain = await get(`/v1/${path}`);
      const { body } = await get(`/v1/${path}${queryOf(names)}`);
      for (const [at, entry] of body.data.entries()) {
        const rest = { ...entry };
        for (const name of names) {
          assert.equal(typeof entry[name].unique_identifier, 'string', name);
          if (`${name}_unique_identifier` in entry)
            assert.equal(entry[name].unique_identifier, entry[`${name}_unique_identifier`]);
          delete rest[name];
        }
        assert.deepEqual(rest, plain.body.data[at]);
      }
    });
  }

  it('gives each record of a list its own', async () => {
    const { body } = await get('/v1/events?expand[]=location&expand[]=account');
    const homes = new Set<string>();
    for (const event of body.data) {
      assert.equal(event.location.unique_identifier, event.location_unique_identifier);
      assert.equal(event.account.unique_identifier, stage.parents.account);
      homes.add(event.location.unique_identifier);
    }
    assert.deepEqual(homes, new Set([stage.parents.location, away]));
  });

  it('twice is once', async () => {
    const url = `/v1/events/${awayEvent.unique_identifier}`;
    const twice = await get(`${url}?expand[]=location&expand[1]=location`);
    assert.equal(twice.status, 400, 'with and without indices are mixed');
    const answer = await get(`${url}?expand[]=location&expand[]=location`);
    assert.deepEqual(answer.body, (await get(`${url}?expand[]=location`)).body);
  });

  it('of an empty page is an empty page', async () => {
    const { body } = await get('/v1/events?external_identifier=none&expand[]=location');
    assert.deepEqual(body.data, []);
  });
});

describe('What cannot be expanded is 400', () => {
  for (const [path, query, fault, says] of [
    ['events', 'expand[]=event', ['expand.0', 'value_invalid'], /location or account/],
    ['events', 'expand[]=Location', ['expand.0', 'value_invalid'], /location or account/],
    ['events', 'expand[]=', ['expand.0', 'value_invalid'], /location or account/],
    ['events', 'expand=location', ['expand', 'type_invalid'], /expand\[\]=/],
    ['events', 'expand', ['expand', 'value_invalid'], /expand/],
    ['events', 'expand[location]=1', ['expand', 'type_invalid'], /\[\]/],
    ['event_administrators', 'expand[]=event.location', ['expand.0', 'value_invalid'], /event/],
    ['locations', 'expand[]=location', ['expand.0', 'value_invalid'], /account/],
  ] as const) {
    it(`${path}?${query}`, async () => {
      for (const url of [`/v1/${path}`, `/v1/${path}/${made.get(path).unique_identifier}`]) {
        const answer = await get(`${url}?${query}`);
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), [fault]);
        assert.match(answer.body.error.message, says);
      }
    });
  }

  it('accounts belong to nothing', async () => {
    const { account } = stage.parents;
    for (const url of ['/v1/accounts', `/v1/accounts/${account}`]) {
      const answer = await get(`${url}?expand[]=account`);
      assert.deepEqual(faultsOf(answer), [['expand', 'parameter_unknown']]);
    }
  });
});

describe('A limited key', () => {
  it('gets 403 for what it may not read, whatever is there', async () => {
    const { secret } = await stage.service.newKey({ resources: ['events', 'locations'] });
    for (const url of [`/v1/events/${awayEvent.unique_identifier}`, '/v1/events']) {
      assert.equal((await get(`${url}?expand[]=location`, secret)).status, 200);
      const answer = await get(`${url}?expand[]=location&expand[]=account`, secret);
      assert.equal(answer.status, 403);
      assert.equal(answer.body.error.code, 'permission_denied');
      assert.match(answer.body.error.message, /accounts/);
    }
    assert.equal((await get('/v1/events/nothing?expand[]=account', secret)).status, 403);
  });

  it('of one location expands it and its account, and sees no other', async () => {
    const { secret } = await stage.service.newKey({ anchors: [away] });
    const { body } = await get('/v1/events?expand[]=location&expand[]=account', secret);
    assert.equal(body.data.length, 1);
    assert.equal(body.data[0].location.unique_identifier, away);
    assert.deepEqual(body.data[0].account, above.get('account'));
    const other = made.get('events').unique_identifier;
    assert.equal((await get(`/v1/events/${other}?expand[]=location`, secret)).status, 404);
  });
});
