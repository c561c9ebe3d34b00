/** `expand[]`: what a record belongs to, in the same answer. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';
import { leastOf, refused, world } from '../support/world.ts';

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
const stage = world({}, async ({ service, parents, upsert }) => {
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

/** All identifiers of a record here, and of what it belongs to. */
const identifiersOf = (path: string, of = made.get(path)): Body => {
  const { unique_identifier, external_identifier } = of;
  const { account, location, event } = stage.parents;
  const ofEvent = { event_unique_identifier: event, event_external_identifier: 'service' };
  const ofLocation = {
    location_unique_identifier: location,
    location_external_identifier: 'chapel',
  };
  return {
    ...{ unique_identifier, external_identifier },
    ...(ABOVE[path]?.includes('event') && ofEvent),
    ...(ABOVE[path]?.includes('location') && ofLocation),
    account_unique_identifier: account,
  };
};

describe('expand[]', () => {
  for (const { path } of examples) {
    const names = [...(ABOVE[path] ?? []), 'identifiers'];
    const wantedOf = (name: string) =>
      name === 'identifiers' ? identifiersOf(path) : above.get(name);

    it(`${path}: puts ${names.join(', ')} into the object, as a read of each answers it`, async () => {
      const record = made.get(path);
      const expected = Object.fromEntries(names.map((name) => [name, wantedOf(name)]));
      const url = `/v1/${path}/${record.unique_identifier}`;
      assert.deepEqual((await get(url + queryOf(names))).body, { ...record, ...expected });
      for (const name of names) {
        const { body } = await get(url + queryOf([name]));
        assert.deepEqual(body, { ...record, [name]: wantedOf(name) });
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
      const isIt = (one: Body) => one.unique_identifier === made.get(path).unique_identifier;
      const own = body.data.find(isIt);
      for (const name of names) assert.deepEqual(own[name], wantedOf(name), name);
    });
  }

  it('twice is once', async () => {
    const url = `/v1/events/${awayEvent.unique_identifier}`;
    const twice = await get(`${url}?expand[]=location&expand[1]=location`);
    assert.equal(twice.status, 400, 'with and without indices are mixed');
    const answer = await get(`${url}?expand[]=location&expand[]=location`);
    assert.deepEqual(answer.body, (await get(`${url}?expand[]=location`)).body);
  });
});

describe('expand[]=identifiers', () => {
  it('gives each record of a list its own', async () => {
    const { body } = await get('/v1/events?expand[]=identifiers');
    const homes = new Map(
      body.data.map((one: Body) => [one.location_unique_identifier, one.identifiers]),
    );
    assert.equal(Object(homes.get(away)).location_external_identifier, 'away');
    assert.equal(Object(homes.get(stage.parents.location)).location_external_identifier, 'chapel');
    for (const { external_identifier, identifiers } of body.data)
      assert.equal(identifiers.external_identifier, external_identifier);
  });

  it('stands beside other expansions, and in the ETag', async () => {
    const url = `/v1/events/${made.get('events').unique_identifier}`;
    const both = await get(`${url}?expand[]=identifiers&expand[]=location`);
    assert.deepEqual(both.body.location, above.get('location'));
    assert.deepEqual(both.body.identifiers, identifiersOf('events'));
    const sets = [[], ['identifiers'], ['location'], ['location', 'identifiers']].map(queryOf);
    const tags = await Promise.all(
      sets.map(async (query) => (await get(url + query)).headers.get('etag')),
    );
    assert.equal(new Set(tags).size, 4);
  });

  it('keeps texts of callers as they are', async () => {
    const external_identifier = 'Zoë "1" \\ \u{1f56f}\u2028';
    const { body } = await stage.upsert('locations', { as: external_identifier });
    const found = await get(`/v1/locations/${body.unique_identifier}?expand[]=identifiers`);
    assert.equal(found.body.identifiers.external_identifier, external_identifier);
  });

  it('needs a key that may read what the record belongs to', async () => {
    const { service } = stage;
    const { secret } = await service.newKey({ resources: ['event_check_in_records', 'events'] });
    const refused = await get('/v1/event_check_in_records?expand[]=identifiers', secret);
    assert.equal(refused.status, 403);
    assert.match(refused.body.error.message, /locations/);
    const resources = ['event_check_in_records', 'events', 'locations'];
    const { secret: all } = await service.newKey({ resources });
    assert.equal((await get('/v1/event_check_in_records?expand[]=identifiers', all)).status, 200);
    const { secret: one } = await service.newKey({ anchors: [away] });
    const { body } = await get('/v1/events?expand[]=identifiers', one);
    assert.equal(body.data.length, 1);
    assert.equal(body.data[0].identifiers.location_external_identifier, 'away');
  });
});

describe('Answers to writes', () => {
  const query = '?expand[]=identifiers&expand[]=location';

  it('hold what expand[] asks for: of upserts that name their parents in other ways, too', async () => {
    const body = {
      ...{ event_external_identifier: 'service', location_external_identifier: 'chapel' },
      account_unique_identifier: stage.parents.account,
      ...{ external_identifier: 'expanded', ...leastOf('event_administrators') },
    };
    for (const outcome of ['created', 'unchanged']) {
      const answer = await stage.service.json(`/v1/event_administrators/upsert${query}`, body);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('ledgerstone-outcome'), outcome);
      assert.equal(answer.headers.get('etag'), '"1"');
      const { unique_identifier, identifiers } = answer.body;
      assert.equal(answer.body.external_identifier, 'expanded');
      assert.deepEqual(identifiers, identifiersOf('event_administrators', answer.body));
      const read = await get(`/v1/event_administrators/${unique_identifier}${query}`);
      assert.deepEqual(answer.body, read.body);
    }
  });

  it('of a PATCH, a rehearsal and a repetition hold it', async () => {
    const { unique_identifier } = made.get('events');
    const plain = (await get(`/v1/events/${unique_identifier}${query}`)).body;
    const patched = await stage.service.send('PATCH', `/v1/events/${unique_identifier}${query}`);
    assert.deepEqual(patched.body, plain);
    const told = await stage.upsert('events', { query: `${query}&dry_run=true` });
    assert.equal(told.body.identifiers.location_external_identifier, 'chapel');
    const headers = { 'Idempotency-Key': 'expanded' };
    const first = await stage.upsert('events', { as: 'repeated', query, headers });
    const again = await stage.upsert('events', { as: 'repeated', query, headers });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
    assert.deepEqual(again.body.location, above.get('location'));
  });

  it('are 403 for a key that may not read it, and nothing is written', async () => {
    const { secret: key } = await stage.service.newKey({ permissions: ['write'] });
    refused(await stage.upsert('events', { as: 'unread', query, key }), 403);
    assert.deepEqual((await get('/v1/events?external_identifier=unread')).body.data, []);
    assert.equal((await stage.upsert('events', { as: 'unread', key })).status, 200);
  });

  it('are 400 for what cannot be expanded, and nothing is written', async () => {
    const refused = await stage.upsert('events', { as: 'wrong', query: '?expand[]=event' });
    assert.deepEqual(faultsOf(refused), [['expand.0', 'choice_invalid']]);
    assert.deepEqual((await get('/v1/events?external_identifier=wrong')).body.data, []);
  });
});

describe('What cannot be expanded is 400', () => {
  for (const [path, query, fault, says] of [
    ['events', 'expand[]=event', ['expand.0', 'choice_invalid'], /location or account/],
    ['events', 'expand[]=Location', ['expand.0', 'choice_invalid'], /location or account/],
    ['events', 'expand[]=', ['expand.0', 'choice_invalid'], /location or account/],
    ['events', 'expand=location', ['expand', 'type_invalid'], /expand\[\]=/],
    ['events', 'expand', ['expand', 'value_invalid'], /expand/],
    ['events', 'expand[location]=1', ['expand', 'type_invalid'], /\[\]/],
    ['event_administrators', 'expand[]=event.location', ['expand.0', 'choice_invalid'], /event/],
    ['locations', 'expand[]=location', ['expand.0', 'choice_invalid'], /account/],
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
      refused(answer, 403, 'permission_denied');
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
  });
});
