/** Accounts are made, named, closed and emptied on the command line alone. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type AccountJson, ownFolder, programIn } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount } from '../support/cli-setup.ts';

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
    assert.deepEqual(Object.keys(account), [
      'object',
      'unique_identifier',
      'name',
      'livemode',
      'inserted_at',
      'updated_at',
    ]);
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
    const { run, json } = programIn(ownFolder());
    const { unique_identifier: id } = await json<AccountJson>('accounts', 'create', '--name', 'A');
    const pins = async (...more: string[]) =>
      (
        await json<{ readonly pins: string }>(
          ...['accounts', more.length === 0 ? 'show' : 'change', id, ...more],
        )
      ).pins;
    assert.deepEqual(
      [await pins(), await pins('--pins', 'off'), await pins(), await pins('--pins', 'on')],
      ['on', 'off', 'off', 'on'],
    );
    const wrong = await run('accounts', 'change', id, '--pins', 'maybe');
    assert.deepEqual([wrong.code, /--pins must be on or off/.test(wrong.stderr)], [1, true]);
  });

  it('list, rename, close and reopen', async () => {
    const folder = ownFolder();
    const { run, json } = programIn(folder);
    const created = await json<AccountJson>(...['accounts', 'create', '--name', 'Zoë', '--test']);
    assert.equal(created.livemode, false);
    const id = created.unique_identifier;

    const renamed = await json<AccountJson>('accounts', 'change', id, '--name', 'Émile & Söhne');
    assert.deepEqual([renamed.unique_identifier, renamed.name], [id, 'Émile & Söhne']);
    const closed = await json<AccountJson>('accounts', 'close', id);
    assert.match(closed.closed_at ?? '', SECONDS);
    assert.equal((await json<AccountJson[]>('accounts', 'list'))[0]?.closed_at, closed.closed_at);
    assert.equal((await json<AccountJson>('accounts', 'reopen', id)).closed_at, undefined);

    const { stdout } = await run('accounts', 'list');
    assert.match(
      stdout,
      new RegExp(`^ACCOUNT .*\n${id}  Émile & Söhne  test  open .* UTC \\(not set\\)`),
    );
    await run('accounts', 'change', id, '--time-zone', 'Europe/Paris');
    const [listed] = await json<{ time_zone: string }[]>('accounts', 'list');
    assert.equal(listed?.time_zone, 'Europe/Paris');
    assert.match((await run('accounts', 'list')).stdout, /open +Europe\/Paris /);
  });

  it('wipe empties a test account, and says what it removed', async () => {
    const { account, secret, service, run, fails, json } = await servedAccount();
    await makeLocation(service.url, secret, account);

    assert.match(
      await fails('accounts', 'wipe', account),
      /^ledgerstone: Cannot ask for confirmation .* --yes .*\n$/,
    );
    const { name = '' } =
      (await json<AccountJson[]>('accounts', 'list', '--json')).find(
        (one) => one.unique_identifier === account,
      ) ?? {};
    const other = await run('accounts', 'wipe', account, '--confirm', `not ${name}`);
    assert.match(other.stderr, /That is not the name of the account\. Nothing was removed/);
    const wiped = await run('accounts', 'wipe', account, '--confirm', name);
    assert.match(wiped.stdout, /Removed from acct_.*\n {2}1 × location\n/);
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
    assert.match(
      await fails('accounts', 'wipe', unique_identifier, '--yes'),
      /^ledgerstone: acct_\w+ is a live account\. .*\n$/,
    );
  });

  it('mistakes are one line on standard error', async () => {
    const { fails } = programIn(ownFolder());
    const mistakes: readonly (readonly [words: readonly string[], line: RegExp])[] = [
      [['accounts', 'create'], /--name is required\./],
      [['accounts', 'create', '--name', ' '], /--name must not be blank/],
      [['accounts', 'create', '--name', 'x'.repeat(501)], /--name .*500/],
      [['accounts', 'lst'], /unknown command 'lst' \(Did you mean list\?\)/],
      [['accounts', 'list', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
      [['accounts'], /"accounts" needs a command after it: create, list, .* or delete/],
      [['accounts', 'list'], /There is no Ledgerstone store at .*ledgerstone\.db/],
      [['accounts', 'close', 'acct_x'], /There is no Ledgerstone store/],
    ];
    for (const [words, line] of mistakes) {
      const stderr = await fails(...words);
      assert.match(stderr, /^ledgerstone: [^\n]+\n$/, words.join(' '));
      assert.match(stderr, line);
    }
  });

  it('an identifier of nothing is told, with where it was looked for', async () => {
    const folder = ownFolder();
    const { fails } = programIn(folder);
    await makeAccount(folder);
    for (const words of [
      ['show', 'acct_x'],
      ['change', 'acct_x', '--name', 'X'],
      ['close', 'acct_x'],
      ['reopen', 'acct_x'],
      ['wipe', 'acct_x', '--yes'],
    ]) {
      assert.match(
        await fails('accounts', ...words),
        /^ledgerstone: There is no account "acct_x" in .*ledgerstone\.db: .*\n$/,
      );
    }
  });

  it('only dev, serve, migrate and accounts create make a store', async () => {
    const folder = ownFolder();
    const { run } = programIn(folder);
    for (const words of [
      ['accounts', 'list'],
      ['keys', 'list'],
      ['keys', 'create', '--account', 'acct_x'],
      ['keys', 'revoke', 'key_x'],
      ['config'],
      ['migrate', '--dry-run'],
    ]) {
      await run(...words);
      assert.ok(!existsSync(join(folder, 'data')), words.join(' '));
    }
    assert.match((await run('migrate')).stdout, /^Done:\n {2}migration 0001/);
    assert.equal((await run('migrate')).stdout, 'The store is up to date.\n');
    assert.equal((await run('accounts', 'list')).code, 0);
  });
});
