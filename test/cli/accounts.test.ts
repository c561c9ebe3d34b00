/** Accounts are made, named, closed and emptied on the command line alone. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type AccountJson, ownFolder, programIn } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { makeLocation, servedAccount, withAccount } from '../support/cli-setup.ts';

interface Reach {
  readonly name: string | null;
  readonly email?: string;
  readonly accounts: readonly string[];
  readonly locations: readonly string[] | null;
  readonly region: string | null;
}

const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('accounts', () => {
  it('create makes the store and prints one JSON document, and names the store on standard error', async () => {
    const folder = ownFolder();
    const { run } = programIn(folder);
    const { code, stdout, stderr } = await run(
      ...['accounts', 'create', '--name', 'Example Funeral Group', '--json'],
    );
    assert.equal(code, 0, stderr);
    const account = JSON.parse(stdout) as AccountJson;
    const own = ['name', 'livemode', 'inserted_at', 'updated_at'];
    assert.deepEqual(Object.keys(account), ['object', 'unique_identifier', ...own]);
    assert.match(account.unique_identifier, /^acct_[0-9A-Za-z]{22}$/);
    assert.equal(account.name, 'Example Funeral Group');
    assert.equal(account.livemode, true);
    assert.match(account.inserted_at, SECONDS);
    assert.match(account.updated_at, SECONDS);
    const file = join(folder, 'data', 'ledgerstone.db');
    assert.match(stderr, /^Store: .*data\/ledgerstone\.db\n$/);
    assert.equal(statSync(file).mode & 0o777, 0o600, 'for its owner alone');
    assert.equal(statSync(join(folder, 'data')).mode & 0o777, 0o700, 'for its owner alone');
  });

  it('change turns corrections off and on again', async () => {
    const { json, fails } = programIn(ownFolder());
    const { unique_identifier: id } = await json<AccountJson>('accounts', 'create', '--name', 'A');
    const pins = async (...more: string[]) => {
      const words = ['accounts', more.length === 0 ? 'show' : 'change', id, ...more];
      return (await json<{ readonly pins: string }>(...words)).pins;
    };
    const told = [await pins(), await pins('--pins', 'off'), await pins()];
    assert.deepEqual([...told, await pins('--pins', 'on')], ['on', 'off', 'off', 'on']);
    const wrong = await fails('accounts', 'change', id, '--pins', 'maybe');
    assert.match(wrong, /--pins must be on or off/);
  });

  it('list, rename, close and reopen', async () => {
    const { run, json, ok } = programIn(ownFolder());
    const created = await json<AccountJson>(...['accounts', 'create', '--name', 'Zoë', '--test']);
    assert.equal(created.livemode, false);
    const id = created.unique_identifier;

    const renamed = await json<AccountJson>('accounts', 'change', id, '--name', 'Émile & Söhne');
    assert.deepEqual([renamed.unique_identifier, renamed.name], [id, 'Émile & Söhne']);
    const closed = await json<AccountJson>('accounts', 'close', id);
    assert.match(closed.closed_at ?? '', SECONDS);
    assert.equal((await json<AccountJson[]>('accounts', 'list'))[0]?.closed_at, closed.closed_at);
    assert.equal((await json<AccountJson>('accounts', 'reopen', id)).closed_at, undefined);

    const stdout = await ok('accounts', 'list');
    const line = `${id}  Émile & Söhne  test  open .* UTC \\(not set\\)`;
    assert.match(stdout, new RegExp(`^ACCOUNT .*\n${line}`));
    await run('accounts', 'change', id, '--time-zone', 'Europe/Paris');
    const [listed] = await json<{ time_zone: string }[]>('accounts', 'list');
    assert.equal(listed?.time_zone, 'Europe/Paris');
    assert.match(await ok('accounts', 'list'), /open +Europe\/Paris /);
  });

  it('wipe empties a test account, and says what it removed', async () => {
    const { account, secret, service, fails, json, ok } = await servedAccount();
    await makeLocation(service.url, secret, account);

    const unconfirmed = await fails('accounts', 'wipe', account);
    assert.match(unconfirmed, /^ledgerstone: Cannot ask for confirmation .* --yes .*\n$/);
    const all = await json<AccountJson[]>('accounts', 'list');
    const { name = '' } = all.find((one) => one.unique_identifier === account) ?? {};
    const wrong = await fails('accounts', 'wipe', account, '--confirm', `not ${name}`);
    assert.match(wrong, /That is not the name of the account\. Nothing was removed/);
    const wiped = await ok('accounts', 'wipe', account, '--confirm', name);
    assert.match(wiped, /Removed from acct_.*\n {2}1 × location\n/);
    const { text } = await call(service.url, secret, '/v1/locations');
    assert.deepEqual((JSON.parse(text) as { data: unknown[] }).data, []);
    const again = await json<{ removed: Record<string, number> }>(
      ...['accounts', 'wipe', account, '--yes'],
    );
    assert.equal(again.removed.location, 0);
  });

  it('delete takes the account and its locations from the keys and people of several', async () => {
    const { account, secret, service, json, ok } = await servedAccount();
    const ours = await makeLocation(service.url, secret, account);
    const gone = (await json<AccountJson>('accounts', 'create', '--name', 'Gone', '--test'))
      .unique_identifier;
    const both = ['--account', account, '--account', gone];
    const all = await json<{ secret: string }>('keys', 'create', ...both, '--name', 'All');
    const theirs = await makeLocation(service.url, all.secret, gone);
    const named = (name: string) => ['keys', 'create', ...both, '--name', name];
    await ok(...named('Both'), '--location', ours, '--location', theirs);
    await ok(...named('Region'), '--region', 'North');
    const invited = ['staff', 'invite', ...both, '--role', 'viewer'];
    await ok(...invited, '--email', 'a@example.com', '--location', ours, '--location', theirs);
    await ok(...invited, '--email', 'b@example.com', '--region', 'North');
    await ok('accounts', 'close', gone);
    await ok('accounts', 'delete', gone, '--yes');
    const reach = async (of: string) =>
      (await json<Reach[]>(of, 'list')).map(({ name, email, accounts, locations, region }) => {
        assert.deepEqual(accounts, [account]);
        return [email ?? name, locations, region];
      });
    const keys = [
      ['Region', [], 'North'],
      ['Both', [ours], null],
      ['All', null, null],
    ];
    assert.deepEqual((await reach('keys')).slice(0, 3), keys);
    const people = [
      ['a@example.com', [ours], null],
      ['b@example.com', [], 'North'],
    ];
    assert.deepEqual((await reach('staff')).sort(), people);
  });

  it('wipe refuses a live account', async () => {
    const { fails, json } = programIn(ownFolder());
    const { unique_identifier } = await json<AccountJson>('accounts', 'create', '--name', 'Live');
    const stderr = await fails('accounts', 'wipe', unique_identifier, '--yes');
    assert.match(stderr, /^ledgerstone: acct_\w+ is a live account\. .*\n$/);
  });

  it('mistakes are one line on standard error', async () => {
    await programIn(ownFolder()).mistakes('accounts', [
      ['create', /--name is required\./],
      [['create', '--name', ' '], /--name must not be blank/],
      [['create', '--name', 'x'.repeat(501)], /--name .*500/],
      ['lst', /unknown command 'lst' \(Did you mean list\?\)/],
      ['list --jsn', /unknown option '--jsn' \(Did you mean --json\?\)/],
      ['', /"accounts" needs a command after it: create, list, .* or delete/],
      ['list', /There is no Ledgerstone store at .*ledgerstone\.db/],
      ['close acct_x', /There is no Ledgerstone store/],
    ]);
  });

  it('an identifier of nothing is told, with where it was looked for', async () => {
    const { mistakes } = await withAccount();
    const says = /^ledgerstone: There is no account "acct_x" in .*ledgerstone\.db: .*\n$/;
    const commands = ['show', 'change', 'close', 'reopen', 'wipe'];
    const more = { change: ' --name X', wipe: ' --yes' } as Record<string, string>;
    await mistakes(
      'accounts',
      commands.map((what) => [`${what} acct_x${more[what] ?? ''}`, says] as const),
    );
  });

  it('only dev, serve, migrate and accounts create make a store', async () => {
    const folder = ownFolder();
    const { run, ok } = programIn(folder);
    for (const words of [
      ['accounts', 'list'],
      ['keys', 'list'],
      ['keys', 'create', '--account', 'acct_x'],
      ['keys', 'revoke', 'key_x'],
      ['config'],
      ['migrate', 'status'],
    ]) {
      await run(...words);
      assert.ok(!existsSync(join(folder, 'data')), words.join(' '));
    }
    assert.match(await ok('migrate'), /^Done:\n {2}migration 1\.0\.0_/);
    assert.equal(await ok('migrate'), 'The store is up to date.\n');
    assert.equal((await run('accounts', 'list')).code, 0);
  });
});
