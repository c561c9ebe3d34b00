/** What each role may do, with every kind of request. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { rightsOf } from '../../src/services/staff/roles.ts';
import { administrator, type ConsoleBrowser, signedIn } from '../support/console.ts';
import { expectedOf, limitedRights } from '../support/expected.ts';
import { pluck } from '../support/pluck.ts';
import { eventBody, locationBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

const atLocation = ['viewer at a location', 'editor at a location'] as const;
const ofAccounts = ['viewer', 'editor', 'administrator'] as const;
const everybody = [...ofAccounts, ...atLocation];
const editors = ['editor', 'administrator', 'editor at a location'] as const;
type Who = (typeof everybody)[number];

describe('Roles', () => {
  let location: string;
  let elsewhere: string;
  let event: string;
  let foreignEvent: string;
  let other: string;
  const people = new Map<Who, ConsoleBrowser>();
  const service = served({}, async () => {
    location = await service.location('one');
    elsewhere = await service.location('two');
    event = await service.event(location, 'here');
    foreignEvent = await service.event(elsewhere, 'there');
    const account = await service.app.store.accounts.create({ name: 'Other', livemode: false });
    other = account.unique_identifier;
    for (const role of ['viewer', 'editor'] as const) {
      people.set(role, await signedIn(service, `${role}@example.com`, { role }));
      const limited = { role, anchors: [location] };
      people.set(`${role} at a location`, await signedIn(service, `${role}1@example.com`, limited));
    }
    people.set('administrator', await administrator(service));
  });

  const allowed = async (
    method: string,
    path: string,
    who: readonly Who[],
    otherwise: number,
    body?: object,
  ): Promise<void> => {
    for (const one of everybody) {
      const browser = people.get(one) as ConsoleBrowser;
      const { status, text } = await browser.send(method, path, body);
      assert.equal(status, who.includes(one) ? 200 : otherwise, `${one}: ${text}`);
      if (status === 403) assert.match(text, /role|locations/, 'it names what is missing');
    }
  };
  const upsert = (at: string) => eventBody(at, 'written');

  it('everybody reads what is theirs', async () => {
    await allowed('GET', `/v1/events/${event}`, everybody, 0);
    await allowed('GET', '/v1/events', everybody, 0);
    await allowed('GET', '/session', everybody, 0);
    await allowed('GET', '/account', everybody, 0);
  });

  it('a record of another location is not there for who is limited to one', async () => {
    await allowed('GET', `/v1/events/${foreignEvent}`, ofAccounts, 404);
    for (const one of atLocation) {
      const { body } = await (people.get(one) as ConsoleBrowser).get('/v1/events');
      assert.deepEqual(pluck(body.data as Body[], 'unique_identifier'), [event]);
    }
  });

  it('editors and administrators write', async () => {
    await allowed('POST', '/v1/events/upsert', editors, 403, upsert(location));
    await allowed('PATCH', `/v1/events/${event}`, editors, 403, { event_name: 'Service' });
    const viewer = people.get('viewer') as ConsoleBrowser;
    assert.equal((await viewer.send('DELETE', `/v1/events/${event}`)).status, 403);
    const limited = people.get('editor at a location') as ConsoleBrowser;
    assert.notEqual((await limited.post('/v1/events/upsert', upsert(elsewhere))).status, 200);
  });

  it('requests are for people of whole accounts', async () => {
    await allowed('GET', '/v1/requests', ofAccounts, 403);
    await allowed('GET', '/v1/activity', ofAccounts, 403);
  });

  it('keys, staff and the age of the last backup are for administrators', async () => {
    const { unique_identifier: account } = service.account;
    const only: readonly Who[] = ['administrator'];
    await allowed('GET', '/keys', only, 403);
    await allowed('GET', '/staff', only, 403);
    await allowed('GET', '/backup', only, 403);
    await allowed('POST', '/keys', only, 403, { accounts: [account] });
    const grant = { email: 'new@example.com', role: 'viewer', accounts: [account] };
    await allowed('POST', '/staff/invite', only, 403, grant);
    const administrator = people.get('administrator') as ConsoleBrowser;
    const { unique_identifier: own } = (await administrator.get('/session')).body.staff;
    const { data } = (await administrator.get('/staff')).body;
    const { unique_identifier: other } = data.find(({ email }: Body) => email === grant.email);
    const change = (id: string) => `/staff/${id}/grant`;
    await allowed('POST', change(other), only, 403, { role: 'editor', accounts: [account] });
    // Nobody raises or locks out themselves.
    const sent = { role: 'viewer', accounts: [account] };
    assert.equal((await administrator.post(change(own), sent)).status, 403);
  });

  it('no person reaches an account that is not theirs', async () => {
    const { secret } = await service.newKey({ accounts: [other] });
    const made = await service.json('/v1/locations/upsert', locationBody(other, 'x'), {
      key: secret,
    });
    await allowed('GET', `/v1/locations/${made.body.unique_identifier}`, [], 404);
    for (const browser of people.values())
      assert.ok(!(await browser.get('/v1/accounts')).text.includes(other));
  });

  it('an account that is closed is gone for its people, until it is open again', async () => {
    const person = await signedIn(service, 'closed@example.com', { accounts: [other] });
    assert.equal((await person.get('/v1/accounts')).body.data.length, 1);
    await service.app.store.accounts.close(other);
    assert.equal((await person.get('/v1/accounts')).body.data.length, 0);
    assert.deepEqual((await person.get('/session')).body.accounts, []);
    await service.app.store.accounts.reopen(other);
    assert.equal((await person.get('/v1/accounts')).body.data.length, 1);
  });

  it('who changed a record is told, and so is whose request was refused', async () => {
    const editor = people.get('editor') as ConsoleBrowser;
    const { unique_identifier } = (await editor.get('/session')).body.staff;
    const made = await editor.post('/v1/events/upsert', eventBody(location, 'by a person'));
    const history = await editor.get(`/v1/events/${made.body.unique_identifier}/history`);
    assert.equal(history.body.data[0].key, unique_identifier);
    await editor.post('/v1/events/upsert', { external_identifier: 'faulty' });
    const log = `/v1/requests?key=${unique_identifier}`;
    await until(async () => (await editor.get(log)).body.data.length > 0);
  });

  it('a right comes to a role only where that was decided: a new one fails here first', () => {
    const decided: Readonly<Record<string, readonly string[]>> = {
      audit: [],
      erase: [],
      hold: [],
      // People's corrections stay without it.
      pin: [],
      requests: ['viewer', 'editor', 'administrator'],
      sources: ['administrator'],
      webhooks: ['administrator'],
      ...expectedOf('rights'),
    };
    assert.deepEqual(
      Object.keys(decided).sort(),
      Object.keys(rights).sort(),
      'say who has each right: in `rights` of expected.ts of its feature in test/features, or here',
    );
    for (const role of ['viewer', 'editor', 'administrator'] as const) {
      const has = rightsOf({ role, anchors: null, allow: [] });
      const wanted = Object.entries<readonly string[]>(decided).filter(([, roles]) =>
        roles.includes(role),
      );
      assert.deepEqual([...has].sort(), wanted.map(([right]) => right).sort());
      const limited = rightsOf({ role, anchors: [location], allow: ['erase'] });
      assert.deepEqual(limited, role === 'viewer' ? [] : limitedRights);
    }
  });

  it('what people read is for no disk; programs may keep it, and ask whether it still holds', async () => {
    const viewer = people.get('viewer') as ConsoleBrowser;
    for (const path of ['/v1/events', `/v1/events/${event}`, '/v1/search?q=Celebration']) {
      const { status, headers } = await viewer.get(path);
      assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'], path);
    }
    const { headers } = await service.get(`/v1/events/${event}`);
    assert.equal(headers.get('cache-control'), 'private, no-cache');
  });
});
