/** An operator of many homes makes their keys from one file of names, without an identifier in it. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/core/config.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { type KeyJson, ownFolder, programIn } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeLocation } from '../support/cli-setup.ts';
import { pluck } from '../support/pluck.ts';

interface Listed extends KeyJson {
  readonly name: string | null;
  readonly allow: readonly string[];
  readonly suspended_at: string | null;
  readonly revoked_at: string | null;
}

/** Two accounts, each with a location that its sender calls "oak street". */
async function setUp() {
  const cwd = ownFolder();
  const settings = readSettings({}, { DATABASE_URL: `sqlite:${join(cwd, 'data/ledgerstone.db')}` });
  const store = await openStoreAlone(settings, { create: true });
  const ids: Record<string, string> = {};
  for (const name of ['Riverside Chapel', 'Hillside, Inc.']) {
    ids[name] = (await store.accounts.create({ name, livemode: false })).unique_identifier;
  }
  await store.close();
  const write = (name: string, ...lines: readonly string[]): void =>
    writeFileSync(join(cwd, name), lines.map((line) => `${line}\r\n`).join(''));
  const cellsOf = (name: string): string[][] =>
    readFileSync(join(cwd, name), 'utf8')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.match(/"[^"]*"|[^,]+/g) ?? []);
  const program = programIn(cwd);
  const keys = () => program.json<Listed[]>('keys', 'list');
  return { cwd, ids, write, cellsOf, keys, ...program };
}

/** Puts a location into each account, by a key that is gone afterwards. */
async function withLocations() {
  const made = await setUp();
  const { cwd, ids, newKey, run } = made;
  const { url } = await serveHere({ cwd });
  const locations: Record<string, string> = {};
  for (const [name, account] of Object.entries(ids)) {
    const key = await newKey(account, '--name', 'loader');
    locations[name] = await makeLocation(url, key.secret, account, 'oak street');
    await run('keys', 'revoke', key.unique_identifier);
  }
  return { ...made, url, locations };
}

describe('keys from a file of names', () => {
  it('limits each key to a location that its sender has named, and refuses names that say too little', async () => {
    const { cwd, write, run, fails, ok, keys, locations, ids } = await withLocations();
    write(
      'homes.csv',
      'account,name,location,allow',
      'Riverside Chapel,Tablets,oak street,requests',
      '"Hillside, Inc.",Tablets,oak street,',
      `${ids['Riverside Chapel']},Office,${locations['Riverside Chapel']},"requests,webhooks"`,
    );
    const dry = await run('keys', 'create', '--many', 'homes.csv', '--dry-run');
    assert.equal(dry.stdout, 'Would create 3 keys. Nothing was created: this was a dry run.\n');
    assert.ok(!existsSync(join(cwd, 'homes.keys.csv')));
    await ok('keys', 'create', '--many', 'homes.csv');
    const [office, hillside, riverside] = await keys();
    assert.deepEqual(
      [riverside, hillside, office].map((key) => [key?.name, key?.locations, key?.allow]),
      [
        ['Tablets', [locations['Riverside Chapel']], ['requests']],
        ['Tablets', [locations['Hillside, Inc.']], []],
        ['Office', [locations['Riverside Chapel']], ['requests', 'webhooks']],
      ],
    );
    assert.match(await ok('keys', 'list'), / all \+requests \+webhooks .*Office +loc_/);

    write(
      'wrong.csv',
      'account,location',
      'Riverside Chapel,elm street',
      'Nowhere,oak street',
      `${Object.values(ids).join(' ')},oak street`,
    );
    const wrong = await fails('keys', 'create', '--many', 'wrong.csv');
    assert.match(wrong, /line 2: There is no location "elm street" in this account/);
    assert.match(wrong, /line 3: There is no account "Nowhere"/);
    assert.match(wrong, /line 4: 2 of these accounts have a location "oak street"/);
  });

  it('a right is added to a key, and taken, without another secret', async () => {
    const { cwd, mistakes, json, newKey, ids, ok } = await setUp();
    const { url } = await serveHere({ cwd });
    const { secret, unique_identifier: id } = await newKey(ids['Riverside Chapel'] ?? '');
    const reads = async () => (await call(url, secret, '/v1/requests')).status;
    assert.equal(await reads(), 403);
    const stdout = await ok('keys', 'change', id, '--allow', 'requests,webhooks');
    assert.equal(stdout, `Changed ${id}: this holds within a second.\n`);
    for (const until = Date.now() + 5_000; (await reads()) !== 200; )
      assert.ok(Date.now() < until, 'it may within a second');
    const changed = await json<Listed>(
      ...['keys', 'change', id, '--disallow', 'requests', '--permission', 'read'],
    );
    assert.deepEqual([changed.allow, changed.permissions], [['webhooks'], ['read']]);
    await mistakes(`keys change ${id}`, [
      ['', /Say what to change/],
      ['--allow everything', /--allow "everything" is not known/],
      ['--disallow nothing', /--disallow "nothing" is not known/],
      ['--allow webhooks --disallow webhooks', /both name webhooks/],
    ]);
  });
});

describe('staff invite --many', () => {
  it('invites each person of a file by names, and writes their links for its owner alone', async () => {
    const { cwd, write, cellsOf, run, json, locations } = await withLocations();
    write(
      'people.csv',
      'email,role,account,location,name,_desk',
      'Jane@example.com,,Riverside Chapel,oak street,Jane Doe,1',
      'lobby@example.com,viewer,"Hillside, Inc.",,,2',
    );
    const invite = (...words: string[]) => run('staff', 'invite', '--many', 'people.csv', ...words);
    const dry = await invite('--role', 'editor', '--dry-run');
    const told = dry.stdout;
    assert.equal(told, 'Would invite 2 people. This was a dry run: no invitation was made.\n');
    const { code, stdout, stderr } = await invite('--role', 'editor');
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^Invited 2 people\. Their links are in people\.links\.csv and nowhere else/,
    );
    assert.equal(statSync(join(cwd, 'people.links.csv')).mode & 0o777, 0o600);
    const [, jane] = cellsOf('people.links.csv');
    assert.match(jane?.at(-2) ?? '', /^http:\/\/\S+\/console\/#\/invitation\/\S+$/);
    const people = await json<Record<string, unknown>[]>('staff', 'list');
    assert.deepEqual(pluck(people, 'email', 'role', 'locations', 'name'), [
      ['jane@example.com', 'editor', [locations['Riverside Chapel']], 'Jane Doe'],
      ['lobby@example.com', 'viewer', null, null],
    ]);

    write(
      'people.csv',
      'email,role,account,location',
      'lobby@example.com,viewer,Riverside Chapel,',
      'new@example.com,owner,Riverside Chapel,',
      'new@example.com,administrator,Riverside Chapel,oak street',
      'new@example.com,viewer,Nowhere,',
      'nobody,viewer,Riverside Chapel,',
      'twice@example.com,viewer,Riverside Chapel,',
      'Twice@example.com,viewer,Riverside Chapel,',
    );
    const wrong = await invite('--out', 'more.csv');
    assert.equal(wrong.code, 1);
    for (const says of [
      /line 2: lobby@example\.com is a person already/,
      /line 3: role must be viewer, editor, administrator/,
      /line 4: An administrator works for whole accounts/,
      /line 5: There is no account "Nowhere"/,
      /line 6: The email must be an address/,
      /line 8: twice@example\.com is in line 7 already/,
      /Nothing was done\.$/m,
    ])
      assert.match(wrong.stderr, says);
    assert.equal((await json<unknown[]>('staff', 'list')).length, 2);
    assert.ok(!existsSync(join(cwd, 'more.csv')));
  });
});
