/** `keys create --many`: a key for each row of a table, or for none, and their secrets in a file for its owner alone. */
// needs: program
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { withAll } from '../support/all.ts';
import { type AccountJson, type KeyJson, LAUNCHER } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';

interface Listed extends KeyJson {
  readonly name: string | null;
}

async function setUp() {
  const made = await withAccount();
  const { cwd, run, json } = made;
  const write = (name: string, ...lines: readonly string[]): void =>
    writeFileSync(join(cwd, name), lines.map((line) => `${line}\r\n`).join(''));
  const cellsOf = (name: string): string[][] =>
    readFileSync(join(cwd, name), 'utf8')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
  const many = (file: string, ...words: readonly string[]) =>
    run('keys', 'create', '--many', file, ...words);
  const keys = () => json<Listed[]>('keys', 'list');
  return { ...made, write, cellsOf, many, keys };
}

describe('keys create --many', () => {
  it('reads standard input in place of a file', async () => {
    const { cwd, account, cellsOf } = await setUp();
    const { status, stdout, stderr } = spawnSync(LAUNCHER, ['keys', 'create', '--many', '-'], {
      cwd,
      input: `account,name\r\n${account},Riverside\r\n`,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^Created 1 key\..* keys\.csv and nowhere else\.$/m);
    assert.equal(cellsOf('keys.csv').length, 2);
  });

  it('makes a key for each row and puts the rows with their secrets into a new file', async () => {
    const { cwd, account, secret, many, write, cellsOf, keys } = await setUp();
    const { url } = await serveHere({ cwd });
    const location = await makeLocation(url, secret, account);
    write(
      'homes.csv',
      'Account,name,location,permission,from,requests_a_second,_contact',
      `${account},Riverside,${location},"read,write",,,mail@example.com`,
      '',
      `${account},"Tablets ""north""",,write,127.0.0.0/8 ::1,10/s,`,
    );
    const options = ['--requests-a-second', '5', '--expires', '90d'];
    const { code, stdout } = await many('homes.csv', ...options);
    assert.equal(code, 0);
    assert.equal(stdout, 'Created 2 keys. Their secrets are in homes.keys.csv and nowhere else.\n');
    assert.equal(statSync(join(cwd, 'homes.keys.csv')).mode & 0o777, 0o600);
    const left = readdirSync(cwd).filter((name) => name.includes('partial'));
    assert.deepEqual(left, []);

    const [second, first] = await keys();
    const {
      unique_identifier,
      inserted_at: _at,
      ending: _ending,
      expires_at,
      ...limits
    } = first ?? ({} as Listed);
    assert.ok(Date.parse(String(expires_at)) > Date.now() + 89 * 86_400_000, 'from the options');
    assert.deepEqual(limits, {
      ...{ name: 'Riverside', livemode: false, accounts: [account], locations: [location] },
      ...{ region: null, permissions: ['read', 'write'], resources: null, allow: [], from: null },
      ...{ requests_a_second: 5, requests_at_once: null, object: 'api_key', status: 'active' },
      ...{ last_used_at: null, suspended_at: null, revoked_at: null, used_by: [] },
    });
    // A cell goes before the option.
    const ofRow = [second?.name, second?.requests_a_second, second?.from];
    assert.deepEqual(ofRow, ['Tablets "north"', 10, ['127.0.0.0/8', '::1']]);
    const [header, row] = cellsOf('homes.keys.csv');
    assert.equal(
      header?.join(),
      'Account,name,location,permission,from,requests_a_second,_contact,key_account,key,secret',
    );
    assert.deepEqual(row?.slice(-4, -1), ['mail@example.com', account, unique_identifier]);
    assert.equal((await call(url, row?.at(-1) ?? '', '/v1/accounts')).status, 200);
  });

  it('finds accounts by their names, and makes those that are not there', async () => {
    const { many, write, json, keys, cellsOf } = await setUp();
    const rows = ['Example Funeral Group,one', 'Riverside Chapel,two', 'Riverside Chapel,three'];
    write('homes.csv', 'account_name,name', ...rows);
    const { code, stdout } = await many('homes.csv', '--test');
    assert.equal(code, 0);
    assert.match(stdout, /^Created 3 keys and 1 account\./);
    const accounts = await json<AccountJson[]>('accounts', 'list');
    assert.deepEqual(pluck(accounts, 'name', 'livemode'), [
      ['Example Funeral Group', false],
      ['Riverside Chapel', false],
    ]);
    const [three, two, one] = await keys();
    assert.deepEqual(one?.accounts, [accounts[0]?.unique_identifier]);
    for (const key of [two, three])
      assert.deepEqual(key?.accounts, [accounts[1]?.unique_identifier]);
    assert.equal(cellsOf('homes.keys.csv')[2]?.[2], accounts[1]?.unique_identifier);
  });

  it('tells every fault of every row at once, and makes nothing', async () => {
    const { cwd, account, many, write, keys, ok } = await setUp();
    write(
      'homes.csv',
      'account,account_name,location,permission,requests_a_second,expires,resource',
      `${account},,loc_nothing,,,,`,
      'acct_nothing,,,everything,fast,yesterday,event',
      ',,,,,,',
      `${account},Both,,,,,`,
      ',New Home,loc_x,,,,',
      ',,,read,,,',
    );
    const before = await keys();
    const { code, stdout, stderr } = await many('homes.csv');
    assert.deepEqual([code, stdout], [1, '']);
    const faults = stderr.trimEnd().split('\n');
    const wanted = [
      /line 2: There is no location "loc_nothing" in this account: "ledgerstone locations list" shows/,
      /line 3: There is no account "acct_nothing" /,
      /line 3: expires must be /,
      /line 3: permission must be /,
      /line 3: resource "event" is not known; did you mean events\?$/,
      /line 3: requests_a_second must be /,
      /line 5: account and account_name are both given/,
      /line 6: location: the account "New Home" does not exist yet/,
      /line 7: account is required/,
      /Nothing was done\.$/,
    ];
    assert.equal(faults.length, wanted.length, stderr);
    for (const [index, fault] of wanted.entries()) assert.match(faults[index] ?? '', fault);
    assert.deepEqual(await keys(), before);
    assert.ok(!existsSync(join(cwd, 'homes.keys.csv')));
    assert.doesNotMatch(await ok('accounts', 'list'), /New Home/);
  });

  it('refuses tables that it cannot read as they are meant, and says where', async () => {
    const { cwd, account, many, write } = await setUp();
    const cases: readonly [lines: readonly string[], says: RegExp][] = [
      [
        ['account;name', `${account};x`],
        /line 1: "account;name" is not a known column\. .* commas/,
      ],
      [['account,nmae', `${account},x`], /line 1: "nmae" is not a known column/],
      [['account,name,NAME', `${account},x,y`], /line 1: the column "name" appears twice/],
      [['account,name', account, `${account},x,y`], /line 2: it has 1 cells.*line 3: it has 3/s],
      [['account,name', `${account},"x" y`], /line 2: cell 2 goes on after its closing quote/],
      [['account,name', `${account},"x`], /line 2: cell 2 begins with a quote that nothing clo/],
      [['account,name'], /has no rows/],
    ];
    for (const [lines, says] of cases) {
      write('homes.csv', ...lines);
      const { code, stderr } = await many('homes.csv');
      assert.equal(code, 1);
      assert.match(stderr, says);
    }
    const latin = Buffer.from(`account,name\n${account},Caf\xe9\n`, 'latin1');
    writeFileSync(join(cwd, 'latin.csv'), latin);
    assert.match(
      (await many('latin.csv')).stderr,
      /line 2: the row is not valid UTF-8.*save the file/,
    );
    assert.match((await many('missing.csv')).stderr, /missing\.csv cannot be read \(ENOENT\)/);
  });

  it('never writes over a file', async () => {
    const { cwd, account, many, write, keys } = await setUp();
    write('homes.csv', 'account', account);
    write('homes.keys.csv', 'mine');
    const before = await keys();
    const { code, stderr } = await many('homes.csv');
    assert.equal(code, 1);
    assert.match(stderr, /homes\.keys\.csv already exists and is not overwritten: .* --out\.\n/);
    assert.equal(readFileSync(join(cwd, 'homes.keys.csv'), 'utf8'), 'mine\r\n');
    assert.deepEqual(await keys(), before);
    assert.equal((await many('homes.csv', '--out', 'other.csv')).code, 0);
  });

  it('takes thousands, such as 2,000 homes that are not there yet', withAll, async (t) => {
    const { many, write, keys, cellsOf } = await setUp();
    const names = Array.from({ length: 2_000 }, (_, index) => `Home ${index}`);
    write('homes.csv', 'account_name', ...names);
    const began = performance.now();
    const { code, stdout } = await many('homes.csv');
    t.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s`);
    assert.equal(code, 0);
    assert.match(stdout, /^Created 2,000 keys and 2,000 accounts\./);
    assert.equal((await keys()).length, 2_001);
    assert.equal(new Set(cellsOf('homes.keys.csv').map((cells) => cells.at(-1))).size, 2_001);
  });
});
