/** `ledgerstone staff`: who may sign in, by the real binary. */
// needs: program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';

interface StaffJson {
  readonly unique_identifier: string;
  readonly email: string;
  readonly status: string;
  readonly link?: string;
}

const OWN = {
  'Sec-Fetch-Site': 'same-origin',
  'Ledgerstone-Console': '1',
  'Content-Type': 'application/json',
};

describe('staff', () => {
  it('invites a person by a link that works once, next to a running service, and disables them within a second', async () => {
    const cwd = ownFolder();
    const service = await startProcess({ cwd, words: ['dev'] });
    // It makes the account once it listens.
    await service.printed(/Ctrl-C/);
    const { json, run, ok } = programIn(cwd);
    const [account] = await json<{ unique_identifier: string }[]>('accounts', 'list');
    const words = ['--role', 'editor', '--account', account?.unique_identifier ?? ''];
    const invited = await json<StaffJson>('staff', 'invite', '--email', 'A@example.com', ...words);
    assert.equal(invited.status, 'invited');
    const [, token = ''] =
      /^http:\/\/localhost:8080\/console\/#\/invitation\/([\w-]{43})$/.exec(invited.link ?? '') ??
      [];

    const redeemed = await fetch(`${service.url}/console/api/invitations/redeem`, {
      method: 'POST',
      headers: OWN,
      body: JSON.stringify({ token, password: 'pebble orchard lantern seven' }),
    });
    assert.equal(redeemed.status, 200);
    const Cookie = redeemed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const look = () => fetch(`${service.url}/console/api/session`, { headers: { ...OWN, Cookie } });
    assert.equal((await look()).status, 200);
    const listed = await json<StaffJson[]>('staff', 'list');
    assert.deepEqual(pluck(listed, 'email', 'status'), [
      ['a@example.com', 'active'],
      ['dev@localhost', 'invited'],
    ]);

    await ok('staff', 'disable', 'a@example.com');
    assert.equal((await look()).status, 401);
    assert.match((await run('staff', 'delete', 'a@example.com')).stdout, /^Deleted stf_\w+\./);
    assert.deepEqual(pluck(await json<StaffJson[]>('staff', 'list'), 'email'), ['dev@localhost']);
    assert.match((await run('staff', 'delete', 'a@example.com')).stderr, /There is no person/);
  });

  it('changes the rights of a person, and leaves the rest as it was', async () => {
    const { account, secret, service, json, run } = await servedAccount();
    const location = await makeLocation(service.url, secret, account);
    const who = 'lobby@example.com';
    await run('staff', 'invite', '--email', who, '--role', 'viewer', '--account', account);
    const change = (...words: string[]) =>
      json<{ role: string; accounts: string[]; locations: string[] | null }>(
        ...['staff', 'change', who, ...words, '--json'],
      );
    const kept = { accounts: [account] };
    for (const [words, is] of [
      [['--location', 'main-street'], { role: 'viewer', locations: [location] }],
      [['--role', 'editor'], { role: 'editor', locations: [location] }],
      [['--all-locations'], { role: 'editor', locations: null }],
      [['--role', 'administrator'], { role: 'administrator', locations: null }],
    ] as const) {
      const { role, accounts, locations } = await change(...words);
      assert.deepEqual({ role, accounts, locations }, { ...is, ...kept });
    }
    const may = async (...words: string[]) =>
      (await json<{ allow: string[] }>('staff', 'change', who, ...words, '--json')).allow;
    assert.deepEqual(await may('--allow', 'erase'), ['erase']);
    assert.deepEqual(await may('--role', 'viewer'), ['erase']);
    assert.match((await run('staff', 'list')).stdout, /lobby@example\.com +viewer \+erase/);
    const limited = await run('staff', 'change', who, '--location', 'main-street');
    assert.match(limited.stderr, /The right erase covers whole accounts/);
    assert.deepEqual(await may('--disallow', 'erase'), []);
    assert.match(
      (await run('staff', 'change', who, '--allow', 'webhooks')).stderr,
      /"webhooks" is not a right that people are given by name/,
    );
    await change('--role', 'administrator');
    for (const [words, says] of [
      [[], /Say what to change/],
      [['--location', 'main-street'], /works for whole accounts/],
      [['--location', 'main-street', '--all-locations'], /not both/],
      [['--location', 'nowhere'], /There is no location "nowhere"/],
    ] as const)
      assert.match((await run('staff', 'change', who, ...words)).stderr, says);
  });

  it('says what is wrong with an invitation', async () => {
    const cwd = ownFolder();
    const { json, run } = programIn(cwd);
    const account = await json<{ unique_identifier: string }>(
      'accounts',
      'create',
      '--name',
      'Example',
    );
    const cases: readonly (readonly [words: readonly string[], says: RegExp])[] = [
      [['--email', 'nobody', '--role', 'viewer', '--account', account.unique_identifier], /email/],
      [['--email', 'a@b.c', '--role', 'owner', '--account', account.unique_identifier], /--role/],
      [['--email', 'a@b.c', '--role', 'viewer', '--account', 'acct_1'], /There is no account/],
    ];
    for (const [words, says] of cases) {
      const { code, stderr } = await run('staff', 'invite', ...words);
      assert.notEqual(code, 0);
      assert.match(stderr, says);
    }
    assert.match((await run('staff', 'disable', 'stf_1')).stderr, /There is no person/);
  });
});
