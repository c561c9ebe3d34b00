/** `ledgerstone staff`: who may sign in, by the real binary. */
// needs: program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AccountJson, ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeLocation, servedAccount, withAccount } from '../support/cli-setup.ts';
import { OWN } from '../support/console.ts';
import { pluck } from '../support/pluck.ts';

interface StaffJson {
  readonly unique_identifier: string;
  readonly email: string;
  readonly status: string;
  readonly link?: string;
}

const HEADERS = { ...OWN, 'Content-Type': 'application/json' };

describe('staff', () => {
  it('invites a person by a link that works once, next to a running service, and disables them within a second', async () => {
    const cwd = ownFolder();
    const service = await startProcess({ cwd, words: ['dev'] });
    // It makes the account once it listens.
    await service.printed(/Ctrl-C/);
    const { json, ok, fails } = programIn(cwd);
    const [account] = await json<AccountJson[]>('accounts', 'list');
    const words = ['--role', 'editor', '--account', account?.unique_identifier ?? ''];
    const invite = ['staff', 'invite', '--email', 'A@example.com', ...words];
    const below = programIn(cwd, { PUBLIC_URL: 'https://records.example.com/ledger' });
    const { link: at = '' } = await below.json<StaffJson>(...invite);
    // At the root, as single sign-on leads back there.
    assert.match(at, /^https:\/\/records\.example\.com\/console\/#\//);
    const invited = await json<StaffJson>(...invite);
    assert.equal(invited.status, 'invited');
    const link = /^http:\/\/localhost:8080\/console\/#\/invitation\/([\w-]{43})$/;
    const [, token = ''] = link.exec(invited.link ?? '') ?? [];

    const redeemed = await fetch(`${service.url}/console/api/invitations/redeem`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ token, password: 'pebble orchard lantern seven' }),
    });
    assert.equal(redeemed.status, 200);
    const Cookie = redeemed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const look = () =>
      fetch(`${service.url}/console/api/session`, { headers: { ...HEADERS, Cookie } });
    assert.equal((await look()).status, 200);
    const listed = await json<StaffJson[]>('staff', 'list');
    assert.deepEqual(pluck(listed, 'email', 'status'), [
      ['a@example.com', 'active'],
      ['dev@localhost', 'invited'],
    ]);

    await ok('staff', 'disable', 'a@example.com');
    assert.equal((await look()).status, 401);
    assert.match(await ok('staff', 'delete', 'a@example.com'), /^Deleted stf_\w+\./);
    assert.deepEqual(pluck(await json<StaffJson[]>('staff', 'list'), 'email'), ['dev@localhost']);
    assert.match(await fails('staff', 'delete', 'a@example.com'), /There is no person/);
  });

  it('changes the rights of a person, and leaves the rest as it was', async () => {
    const { account, secret, service, json, run, ok, mistakes } = await servedAccount();
    const location = await makeLocation(service.url, secret, account);
    const who = 'lobby@example.com';
    await run('staff', 'invite', '--email', who, '--role', 'viewer', '--account', account);
    const change = (...words: string[]) =>
      json<Record<string, unknown>>('staff', 'change', who, ...words);
    for (const [words, is] of [
      [['--location', 'main-street'], { role: 'viewer', locations: [location] }],
      [['--role', 'editor'], { role: 'editor', locations: [location] }],
      [['--all-locations'], { role: 'editor', locations: null }],
      [['--role', 'administrator'], { role: 'administrator', locations: null }],
    ] as const) {
      const { role, accounts, locations } = await change(...words);
      assert.deepEqual({ role, accounts, locations }, { ...is, accounts: [account] });
    }
    const may = async (...words: string[]) => (await change(...words)).allow;
    assert.deepEqual(await may('--allow', 'erase'), ['erase']);
    assert.deepEqual(await may('--role', 'viewer'), ['erase']);
    assert.match(await ok('staff', 'list'), /lobby@example\.com +viewer \+erase/);
    await mistakes(`staff change ${who}`, [
      ['--location main-street', /The right erase covers whole accounts/],
      ['--allow webhooks', /"webhooks" is not a right that people are given by name/],
    ]);
    assert.deepEqual(await may('--disallow', 'erase'), []);
    await change('--role', 'administrator');
    await mistakes(`staff change ${who}`, [
      ['', /Say what to change/],
      ['--location main-street', /works for whole accounts/],
      ['--location main-street --all-locations', /not both/],
      ['--location nowhere', /There is no location "nowhere"/],
    ]);
  });

  it('says what is wrong with an invitation', async () => {
    const { account, mistakes } = await withAccount();
    await mistakes('staff', [
      [`invite --email nobody --role viewer --account ${account}`, /email/],
      [`invite --email a@b.c --role owner --account ${account}`, /--role/],
      ['invite --email a@b.c --role viewer --account acct_1', /There is no account/],
      ['disable stf_1', /There is no person/],
    ]);
  });
});
