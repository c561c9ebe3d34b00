/** Operators set the time zones of locations, and see, name and merge who sends. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { parseJson } from '../support/parse-json.ts';
import { pluck } from '../support/pluck.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('ledgerstone locations', () => {
  it('are set, shown with what they inherit, and listed, while the service runs', async () => {
    const { account, secret, url, fails, ok, json } = await servedAccount();
    const id = await makeLocation(url, secret, account);
    await ok('accounts', 'change', account, '--time-zone', 'America/Chicago');
    const one = await ok('locations', 'change', id, '--state', 'NY', '--region', 'East', '--json');
    const settings = JSON.parse(one);
    assert.deepEqual(settings.inherited, ['time_zone']);
    const list = await ok('locations', 'list');
    assert.match(list, new RegExp(`${id} .*America/Chicago +East +NY`));
    assert.deepEqual(await json('locations', 'list', '--region', 'West'), []);
    const Authorization = `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;
    const seen = await fetch(`${url}/v1/locations/${id}/settings`, { headers: { Authorization } });
    assert.deepEqual(await seen.json(), settings);
    const words = ['--time-zone', 'New York', '--region', 'x'.repeat(121)];
    const wrong = await fails('locations', 'change', id, ...words);
    assert.match(wrong, /--time-zone is not .* Did you mean America\/New_York\?/);
    assert.match(wrong, /--region has 121 characters/);
  });

  it('of a region are what keys and people see, and it is said where no location has it', async () => {
    const { cwd, account, secret, url, run, fails, ok, json } = await servedAccount();
    const [oak, elm] = await Promise.all(
      ['oak', 'elm'].map((name) => makeLocation(url, secret, account, name)),
    );
    const of = ['--account', account];
    const region = ['--region', 'East'];
    const both = await fails('keys', 'create', ...of, ...region, '--location', 'oak');
    assert.match(both, /--location and region are both given/);
    const blank = await fails('keys', 'create', ...of, '--region', ' ');
    assert.match(blank, /--region must not be blank/);
    const made = await ok('keys', 'create', ...of, ...region);
    assert.match(made, /Region +East\n[\s\S]*No location has the region "East" now/);
    const [, key] = /(sk_\w+)/.exec(made) ?? [];
    const who = ['--email', 'manager@example.com', '--role', 'viewer'];
    const invited = await ok('staff', 'invite', ...who, ...of, ...region);
    assert.match(invited, /No location has the region "East" now/);
    const list = (what: string) => ok(what, 'list');
    assert.match(await list('keys'), /East \(no location: sees nothing\)/);
    assert.match(await list('staff'), /East \(no location: sees nothing\)/);
    const blind = (await run('doctor')).stdout;
    assert.match(blind, /warning +regions: .* key_\w+ \("East"\), stf_\w+ \("East"\)\./);

    await ok('locations', 'change', 'oak', ...region);
    assert.match(await list('keys'), /East \(1 location\)/);
    assert.match(await list('staff'), /East \(1 location\)/);
    assert.doesNotMatch((await run('doctor')).stdout, /regions:/);
    const Authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    await until(async () => {
      const seen = await fetch(`${url}/v1/locations`, { headers: { Authorization } });
      const { data } = parseJson(await seen.text());
      return isDeepStrictEqual(pluck<Body>(data, 'unique_identifier'), [oak]);
    });
    const [shown] = await json<Body[]>('keys', 'list');
    assert.deepEqual([shown.region, shown.locations], ['East', [oak]]);

    const change = (...options: string[]) =>
      ok('staff', 'change', 'manager@example.com', ...options);
    assert.match(await change('--location', 'elm'), new RegExp(`for ${elm}`));
    assert.match(await change(...region), /for the region East \(1 location\)/);
    assert.match(await change('--all-locations'), /for all locations/);
    const wrong = ['staff', 'change', 'manager@example.com', ...region];
    assert.match(await fails(...wrong, '--all-locations'), /not both/);
    const admin = await fails(...wrong, '--role', 'administrator');
    assert.match(admin, /An administrator works for whole accounts/);

    const file = join(cwd, 'keys.csv');
    writeFileSync(
      file,
      `account_name,account,name,region\nNew,,North,East\n,${account},Own,East\n`,
    );
    await ok('keys', 'create', '--many', file);
    const keys = (await json<Body[]>('keys', 'list')).slice(0, 2);
    assert.deepEqual(pluck(keys, 'name', 'region', 'locations'), [
      ['Own', 'East', [oak]],
      ['North', 'East', []],
    ]);
  });

  it('of a file are set all or none, with every fault named', async () => {
    const { cwd, account, secret, url, fails, ok, json } = await servedAccount();
    const ids = await Promise.all(
      ['oak', 'elm'].map((name) => makeLocation(url, secret, account, name)),
    );
    const file = join(cwd, 'homes.csv');
    const rows = ['oak,America/New York,East', 'ash,,East', `elm,UTC,${'x'.repeat(121)}`];
    const header = 'location,time_zone,region';
    writeFileSync(file, [header, ...rows, `${ids[0]},UTC,\n`].join('\n'));
    const refused = await fails('locations', 'change', '--file', file);
    assert.match(refused, /line 2: time_zone is not .* Did you mean America\/New_York\?/);
    assert.match(refused, /line 3: There is no location "ash"/);
    assert.match(refused, /line 4: region has 121 characters/);
    assert.match(refused, /line 5: location .* is that of line 2, too/);
    assert.match(refused, /Nothing was done/);
    writeFileSync(file, `${header}\noak,America/New_York,East\nelm,,West\n`);
    const dry = await ok('locations', 'change', '--file', file, '--dry-run');
    assert.match(dry, /2 locations would be set/);
    const before = await json<Body[]>('locations', 'list');
    assert.deepEqual(new Set(pluck(before, 'region')), new Set([null]));
    await ok('locations', 'change', '--file', file);
    const after = await json<Body[]>('locations', 'list');
    assert.deepEqual(pluck(after, 'external_identifier', 'region', 'time_zone').sort(), [
      ['elm', 'West', 'UTC'],
      ['oak', 'East', 'America/New_York'],
    ]);
  });
});

describe('ledgerstone sources', () => {
  it('are listed, renamed and merged while the service runs, and named by the history', async () => {
    const { cwd, account, url, run: program, fails, ok } = await servedAccount();
    const key = async (...more: readonly string[]) => {
      const made = await ok('keys', 'create', '--account', account, '--json', ...more);
      return JSON.parse(made);
    };
    const first = await key('--name', 'Nightly', '--source', 'Passare');
    const second = await key('--name', 'Tablet');
    const id = await makeLocation(url, first.secret, account, 'oak');
    await makeLocation(url, second.secret, account, 'elm');
    const sources = async () => {
      const found = await ok('sources', 'list', '--account', account, '--json');
      return JSON.parse(found);
    };
    const [passare, tablet, ...others] = await sources();
    assert.deepEqual([passare.name, passare.keys], ['Passare', [first.unique_identifier]]);
    assert.deepEqual([tablet.name, tablet.keys], ['Tablet', [second.unique_identifier]]);
    assert.deepEqual(others, []);
    assert.match((await program('sources', 'list')).stdout, /Passare +key_/);
    assert.match((await program('records', 'history', id)).stdout, /Nightly \(Passare\)/);

    const wrong = await fails('sources', 'change', tablet.unique_identifier, '--name', 'Passare');
    assert.match(wrong, /--name is that of another source/);
    const told = await ok('sources', 'change', tablet.unique_identifier, '--name', 'Desk');
    assert.match(told, /^src_\w+ is called Desk\.$/m);
    const into = passare.unique_identifier;
    const shown = await ok('sources', 'merge', tablet.unique_identifier, '--into', into);
    assert.match(shown, / is part of Passare \(src_/);
    const [one, ...rest] = await sources();
    assert.deepEqual([one.keys.length, rest], [2, []]);

    const old = first.unique_identifier;
    const rotated = await ok('keys', 'rotate', old, '--json');
    const [{ keys }] = await sources();
    assert.ok(keys.includes(JSON.parse(rotated).unique_identifier), `${keys}`);
    writeFileSync(
      join(cwd, 'locations.csv'),
      'external_identifier,location_name\nash,Ash Chapel\n',
    );
    const words = ['import', 'locations.csv', '--source', 'County export'];
    await ok('accounts', 'create', '--name', 'Them');
    assert.match(await fails(...words), /--source needs --account/);
    await ok(...words, '--account', account);
    const seen = (await sources()).map((each: { name: string }) => each.name);
    assert.deepEqual(seen, ['Passare', 'County export']);
    const refused = await fails('keys', 'create', '--account', account, '--source', ' ');
    assert.match(refused, /--source must not be blank/);
  });
});
