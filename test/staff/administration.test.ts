/** Administrators manage keys and people of their own accounts; everybody manages themselves. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  administrator,
  browserAt,
  type ConsoleBrowser,
  PASSWORD,
  signedIn,
  tokenIn,
  usePasskey,
} from '../support/console.ts';
import { pluck } from '../support/pluck.ts';
import type { Answer, Body } from '../support/service.ts';
import { refused, served } from '../support/world.ts';

const MINUTE = 60_000;

describe('An administrator', () => {
  let admin: Awaited<ReturnType<typeof administrator>>;
  let late = 0;
  let own: string;
  let foreign: string;
  const service = served({ now: () => Date.now() + late }, async () => {
    own = service.account.unique_identifier;
    const other = await service.app.store.accounts.create({ name: 'Other', livemode: false });
    foreign = other.unique_identifier;
    admin = await administrator(service);
  });

  it('creates, rotates, suspends and revokes keys of their accounts, and is shown a secret once', async () => {
    const made = await admin.post('/keys', {
      accounts: [own],
      name: 'Lobby tablet',
      permissions: ['write'],
      resources: ['event_check_in_records'],
    });
    assert.equal(made.status, 200, made.text);
    const { secret, unique_identifier } = made.body;
    assert.match(secret, /^sk_test_/);
    assert.deepEqual(made.body.permissions, ['write']);
    assert.equal((await service.get('/v1/me', { key: secret })).status, 200);

    const listed = await admin.get('/keys');
    const found = listed.body.data.find((key: Body) => key.unique_identifier === unique_identifier);
    assert.equal(found.status, 'active');
    assert.ok(!listed.text.includes(secret));

    const rotated = await admin.post(`/keys/${unique_identifier}/rotate`, { overlap_seconds: 0 });
    assert.equal(rotated.body.replaces.unique_identifier, unique_identifier);
    assert.equal((await service.get('/v1/me', { key: rotated.body.secret })).status, 200);
    const next = rotated.body.unique_identifier;
    assert.equal((await admin.post(`/keys/${next}/suspend`)).body.status, 'suspended');
    assert.equal((await admin.post(`/keys/${next}/resume`)).body.status, 'active');
    assert.equal((await admin.post(`/keys/${next}/revoke`)).body.status, 'revoked');
  });

  it('limits a key to addresses, a rate, requests at once and an end, as the command does', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '');
    const { body, text, status } = await admin.post('/keys', {
      accounts: [own],
      from: ['127.0.0.1', '2001:DB8::/32', '::ffff:127.0.0.1'],
      requests_a_second: 0.5,
      requests_at_once: 5,
      allow: ['requests', 'webhooks'],
      expires_at,
    });
    assert.equal(status, 200, text);
    assert.deepEqual(body.from, ['127.0.0.1', '2001:db8::/32']);
    assert.deepEqual([body.requests_a_second, body.requests_at_once], [0.5, 5]);
    assert.deepEqual(body.allow, ['requests', 'webhooks']);
    assert.equal(Date.parse(body.expires_at), Date.parse(expires_at));
    const answer = await service.get('/v1/me', { key: body.secret });
    assert.equal(answer.status, 200, 'from this machine');
    assert.match(answer.headers.get('ratelimit-policy') ?? '', /30|0\.5|w=60/);
    const elsewhere = await admin.post('/keys', { accounts: [own], from: ['203.0.113.0/24'] });
    assert.equal((await service.get('/v1/me', { key: elsewhere.body.secret })).status, 401);
    // What is rotated stays limited.
    const next = await admin.post(`/keys/${body.unique_identifier}/rotate`);
    assert.deepEqual(next.body.from, ['127.0.0.1', '2001:db8::/32']);
    assert.equal(next.body.requests_at_once, 5);
  });

  it('is told every mistake in a key', async () => {
    const { status, body } = await admin.post('/keys', {
      accounts: [own],
      name: 'n'.repeat(501),
      permissions: ['own'],
      resources: ['visitors'],
      from: ['the office', '203.0.113.7/24'],
      requests_a_second: 'often',
      requests_at_once: 0,
      expires_at: '2020-01-01T00:00:00Z',
    });
    assert.equal(status, 400);
    assert.deepEqual(pluck(body.error.errors as Body[], 'param'), [
      ...['name', 'permissions', 'resources', 'from', 'requests_a_second', 'requests_at_once'],
      'expires_at',
    ]);
    const locations = await admin.post('/keys', { accounts: [own], locations: ['loc_1'] });
    assert.equal(locations.body.error.param, 'locations');
  });

  it('sees and touches nothing of accounts that are not theirs', async () => {
    const theirs = await service.newKey({ accounts: [foreign] });
    const both = await service.newKey({ accounts: [own, foreign] });
    const { data } = (await admin.get('/keys')).body;
    for (const { key } of [theirs, both]) {
      const id = key.unique_identifier;
      assert.ok(!data.some(({ unique_identifier }: Body) => unique_identifier === id));
      assert.equal((await admin.post(`/keys/${id}/revoke`)).status, 404);
    }
    assert.equal((await admin.post('/keys', { accounts: [own, foreign] })).status, 400);
    const grant = { email: 'x@example.com', role: 'administrator', accounts: [foreign] };
    assert.equal((await admin.post('/staff/invite', grant)).status, 400);

    const { session } = await signedIn(service, 'both@example.com', { accounts: [own, foreign] });
    const id = session.staff.unique_identifier;
    for (const what of ['invite', 'disable', 'enable', 'end_sessions', 'remove'])
      assert.equal((await admin.post(`/staff/${id}/${what}`)).status, 404);
    const again = { email: 'both@example.com', role: 'viewer', accounts: [own] };
    assert.ok(!(await admin.get('/staff')).text.includes('both@example.com'));
    // They do not learn that somebody has that email, who stays as they are.
    const fresh = await admin.post('/staff/invite', { ...again, email: 'nobody@example.com' });
    const taken = await admin.post('/staff/invite', again);
    const shape = ({ status, body }: Answer) => [
      status,
      Object.keys(body),
      Object.keys(body.staff),
      body.staff.status,
    ];
    assert.deepEqual(shape(taken), shape(fresh));
    assert.notEqual(taken.body.staff.unique_identifier, id);
    const repeated = await admin.post('/staff/invite', again);
    const same = repeated.body.staff.unique_identifier;
    assert.equal(same, taken.body.staff.unique_identifier);
    const { data: staff } = (await admin.get('/staff')).body;
    assert.equal(staff.filter(({ email }: Body) => email === 'both@example.com').length, 1);

    // Each signs in with a password of their own, and is nobody else.
    const token = tokenIn(repeated.body.link);
    const browser = browserAt(service);
    const look = await browser.post('/invitations/look', { token });
    assert.equal(look.body.email, 'both@example.com');
    const chosen = { token, password: 'another orchard lantern nine' };
    const redeemed = await browser.post('/invitations/redeem', chosen);
    assert.equal(redeemed.status, 200, redeemed.text);
    assert.equal(redeemed.body.staff.unique_identifier, same);
    const signIn = (password: string): Promise<Answer> =>
      browserAt(service).post('/sign_in', { email: 'both@example.com', password });
    const who = async (password: string): Promise<string> =>
      (await signIn(password)).body.staff?.unique_identifier;
    assert.equal(await who(PASSWORD), id);
    assert.equal(await who(chosen.password), same);
    const { accounts } = (await browser.get('/session')).body;
    assert.deepEqual(pluck(accounts as Body[], 'unique_identifier'), [own]);
    // Nobody confirms who they are as another person.
    assert.equal((await browser.post('/reauthenticate', { password: PASSWORD })).status, 401);
    const password = 'maple violin harbor nine';
    assert.equal((await browser.post('/account/password', { password })).status, 200);
    assert.equal(await who(password), same);
    assert.equal(await who(PASSWORD), id);
    // Whoever chooses the other's password as their own signs in as themselves.
    assert.equal((await browser.post('/account/password', { password: PASSWORD })).status, 200);
    assert.equal(await who(PASSWORD), same);
    assert.equal((await admin.post(`/staff/${same}/remove`)).status, 200);
    assert.equal((await admin.get('/session')).status, 200);
    assert.equal((await service.app.store.staff.find(id))?.email, 'both@example.com');
  });

  it('invites, disables and invites again', async () => {
    const location = await service.location('invited');
    const invited = await admin.post('/staff/invite', {
      email: 'Viewer@example.com',
      role: 'viewer',
      accounts: [own],
      locations: [location],
    });
    assert.equal(invited.status, 200, invited.text);
    assert.equal(invited.body.staff.status, 'invited');
    const viewer = browserAt(service);
    const redeem = (link: string) =>
      viewer.post('/invitations/redeem', { token: tokenIn(link), password: PASSWORD });
    assert.equal((await redeem(invited.body.link)).status, 200);

    const id = invited.body.staff.unique_identifier;
    assert.equal((await admin.post(`/staff/${id}/disable`)).body.status, 'disabled');
    assert.equal((await viewer.get('/session')).status, 401);
    const credentials = { email: 'viewer@example.com', password: PASSWORD };
    assert.equal((await viewer.post('/sign_in', credentials)).status, 401);
    await admin.post(`/staff/${id}/enable`);
    assert.equal((await viewer.post('/sign_in', credentials)).status, 200);

    const again = await admin.post(`/staff/${id}/invite`);
    assert.equal((await viewer.get('/session')).status, 401, 'the sessions before have ended');
    assert.equal((await viewer.post('/sign_in', credentials)).status, 401);
    assert.equal((await redeem(again.body.link)).status, 200);
    assert.equal((await viewer.get('/session')).body.staff.role, 'viewer');
  });

  it('gives nobody what only the operator gives: to erase people', async () => {
    const officer = await signedIn(service, 'officer@example.com', {
      ...{ role: 'viewer', accounts: [own], allow: ['erase'] },
    });
    const { unique_identifier: id } = officer.session.staff;
    const mayErase = async () => (await officer.get('/v1/erasures')).status === 200;
    assert.deepEqual(officer.session.allow, ['requests', 'erase']);
    assert.equal(await mayErase(), true);
    refused(await admin.get('/v1/erasures'), 403, 'permission_denied');

    const key = { accounts: [own], permissions: ['read'], allow: ['erase'] };
    const denied = await admin.post('/keys', key);
    refused(denied, 403, 'permission_denied');
    assert.match(denied.body.error.message, /Only the operator of the service gives "erase"/);
    const { key: theirs } = await service.newKey({ permissions: ['read'], allow: ['erase'] });
    assert.equal((await admin.post(`/keys/${theirs.unique_identifier}/rotate`)).status, 403);

    const grant = (more: object) =>
      admin.post(`/staff/${id}/grant`, { role: 'editor', accounts: [own], ...more });
    assert.deepEqual((await grant({})).body.allow, ['erase'], 'another role leaves it');
    const location = await service.location('officer');
    assert.deepEqual((await grant({ locations: [location] })).body.allow, []);
    assert.deepEqual((await grant({})).body.allow, [], 'and nothing brings it back');
    assert.equal(await mayErase(), false);

    const { staff } = service.app.store;
    const known = await staff.find(id);
    assert.ok(known);
    await staff.grant(id, { ...known, allow: ['erase'] });
    assert.equal(await mayErase(), true);
    const again = await admin.post(`/staff/${id}/invite`);
    assert.deepEqual(again.body.staff.allow, [], 'whoever sees the link is not the officer');
  });

  it('removes who has left: nothing of them stays but an identifier in history', async () => {
    const browser = await signedIn(service, 'gone@example.com', { accounts: [own] });
    const id = browser.session.staff.unique_identifier;
    const location = await service.location('changed');
    const changed = await browser.send('PATCH', `/v1/locations/${location}`, {
      location_name: 'Hillside Chapel',
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await admin.post(`/staff/${id}/remove`)).status, 200);
    assert.equal((await browser.get('/session')).status, 401);
    assert.equal((await admin.post(`/staff/${id}/remove`)).status, 404);
    assert.ok(!(await admin.get('/staff')).text.includes('gone@example.com'));
    const { staff } = service.app.store;
    assert.equal(await staff.find(id), undefined);
    assert.equal(await staff.withEmail('gone@example.com'), undefined);
    assert.deepEqual([await staff.passkeys(id), await staff.sessions(id)], [[], []]);
    const history = await admin.get(`/v1/locations/${location}/history`);
    assert.ok(history.text.includes(id), history.text);
    const grant = { email: 'gone@example.com', role: 'viewer', accounts: [own] };
    const again = await admin.post('/staff/invite', grant);
    assert.notEqual(again.body.staff.unique_identifier, id, 'somebody else by now');
  });

  it('invites nobody any more who has left, or is none now', async () => {
    const { staff } = service.app.store;
    const ways: Readonly<Record<string, (id: string) => unknown>> = {
      disabled: (id) => staff.disable(id),
      removed: (id) => staff.remove(id),
      'an editor': (id) =>
        staff.grant(
          id,
          { role: 'editor', accounts: [own], anchors: null, region: null, allow: [] },
          false,
        ),
    };
    for (const [how, leaves] of Object.entries(ways)) {
      const name = how.replace(' ', '-');
      const inviter = await administrator(service, `${name}@example.com`);
      const email = `of-${name}@example.com`;
      const grant = { email, role: 'administrator', accounts: [own] };
      const token = tokenIn((await inviter.post('/staff/invite', grant)).body.link);
      const ask = (what: string, more = {}) =>
        browserAt(service).post(`/invitations/${what}`, { token, ...more });
      assert.equal((await ask('look')).status, 200, how);
      const invited = await staff.withEmail(`${name}@example.com`);
      assert.ok(invited);
      await leaves(invited.unique_identifier);
      for (const what of ['look', 'passkey']) refused(await ask(what), 410, 'invitation_invalid');
      refused(await ask('redeem', { password: PASSWORD }), 410, 'invitation_invalid');
    }
  });

  it('must have signed in within ten minutes to change anything', async () => {
    late = 11 * MINUTE;
    const grant = { email: 'x@example.com', role: 'viewer', accounts: [own] };
    const changes: readonly [string, object][] = [
      ['/staff/invite', grant],
      ['/keys', { accounts: [own] }],
      ['/account/passkeys/begin', {}],
    ];
    for (const [path, body] of changes) {
      const refused = await admin.post(path, body);
      assert.equal(refused.body.error.code, 'reauthentication_needed', path);
    }
    assert.equal((await admin.get('/keys')).status, 200, 'reading goes on');
    const before = admin.cookie;
    const confirmed = await usePasskey(admin, admin.authenticator, '/reauthenticate/passkey');
    assert.equal(confirmed.status, 200);
    assert.notEqual(admin.cookie, before);
    assert.equal((await admin.post('/staff/invite', grant)).status, 200);
  });
});

describe('Everybody', () => {
  let person: ConsoleBrowser;
  const service = served({}, async () => {
    person = await signedIn(service, 'person@example.com');
  });

  it('is told every fault of a request at once, and that a query is none', async () => {
    const { status, body } = await browserAt(service).post('/sign_in', { email: 1, pasword: 'x' });
    assert.equal(status, 400);
    assert.deepEqual(pluck(body.error.errors as Body[], 'param', 'code'), [
      ['email', 'type_invalid'],
      ['password', 'parameter_missing'],
      ['pasword', 'parameter_unknown'],
    ]);
    const asked = await person.get('/session?all=true');
    assert.deepEqual([asked.status, asked.body.error.param], [400, 'all']);
  });

  it('sees their sessions and ends the others', async () => {
    const other = browserAt(service);
    await other.post('/sign_in', { email: 'person@example.com', password: PASSWORD });
    const { body } = await person.get('/account');
    assert.equal(body.sessions.length, 2);
    assert.equal(body.sessions.filter(({ current }: { current: boolean }) => current).length, 1);
    await person.post('/account/sessions/end_others');
    assert.equal((await other.get('/session')).status, 401);
    assert.equal((await person.get('/session')).status, 200);
  });

  it('changes their name and password, which ends every other session', async () => {
    const other = browserAt(service);
    await other.post('/sign_in', { email: 'person@example.com', password: PASSWORD });
    assert.equal((await person.post('/account', { name: 'A. Person' })).body.name, 'A. Person');
    const short = await person.post('/account/password', { password: 'too short' });
    assert.equal(short.body.error.code, 'password_too_short');
    assert.deepEqual(short.body.error.values, { least: 15, has: 9 });
    const password = 'maple violin harbor nine';
    assert.equal((await person.post('/account/password', { password })).status, 200);
    assert.equal((await other.get('/session')).status, 401);
    assert.equal((await person.get('/session')).status, 200);
    const signed = await other.post('/sign_in', { email: 'person@example.com', password });
    assert.equal(signed.status, 200);
  });

  it('cannot remove the last way in', async () => {
    const admin = await administrator(service);
    const { body } = await admin.get('/account');
    const [passkey] = body.passkeys;
    const removed = await admin.send('DELETE', `/account/passkeys/${passkey.unique_identifier}`);
    assert.equal(removed.body.error.code, 'last_way_in');
  });
});
