/** Operators set the time zones of locations, one by one or from a file. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

describe('ledgerstone locations', () => {
  it('are set, shown with what they inherit, and listed, while the service runs', async () => {
    const { account, secret, url, run: program, fails, ok } = await servedAccount();
    const id = await makeLocation(url, secret, account);
    await ok('accounts', 'change', account, '--time-zone', 'America/Chicago');
    const one = await ok('locations', 'change', id, '--state', 'NY', '--region', 'East', '--json');
    const settings = JSON.parse(one);
    assert.deepEqual(settings.inherited, ['time_zone']);
    const list = await program('locations', 'list');
    assert.match(list.stdout, new RegExp(`${id} .*America/Chicago +East +NY`));
    const none = await program('locations', 'list', '--region', 'West', '--json');
    assert.deepEqual(JSON.parse(none.stdout), []);
    const Authorization = `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;
    const seen = await fetch(`${url}/v1/locations/${id}/settings`, { headers: { Authorization } });
    assert.deepEqual(await seen.json(), settings);
    const wrong = await fails(
      'locations',
      'change',
      id,
      '--time-zone',
      'New York',
      '--region',
      'x'.repeat(121),
    );
    assert.match(wrong, /--time-zone is not .* Did you mean America\/New_York\?/);
    assert.match(wrong, /--region has 121 characters/);
  });

  it('of a region are what keys and people see, and it is said where no location has it', async () => {
    const { cwd, account, secret, url, run: program, fails, ok } = await servedAccount();
    const [oak, elm] = await Promise.all(
      ['oak', 'elm'].map((name) => makeLocation(url, secret, account, name)),
    );
    const of = ['--account', account];
    const region = ['--region', 'East'];
    assert.match(
      await fails('keys', 'create', ...of, ...region, '--location', 'oak'),
      /--location and region are both given/,
    );
    const blank = await program('keys', 'create', ...of, '--region', ' ');
    assert.match(blank.stderr, /--region must not be blank/);
    const made = await ok('keys', 'create', ...of, ...region);
    assert.match(made, /Region +East\n[\s\S]*No location has the region "East" now/);
    const [, key] = /(sk_\w+)/.exec(made) ?? [];
    const who = ['--email', 'manager@example.com', '--role', 'viewer'];
    const invited = await program('staff', 'invite', ...who, ...of, ...region);
    assert.match(invited.stdout, /No location has the region "East" now/);
    const list = async (what: string) => (await program(what, 'list')).stdout;
    assert.match(await list('keys'), /East \(no location: sees nothing\)/);
    assert.match(await list('staff'), /East \(no location: sees nothing\)/);
    const blind = await program('doctor');
    assert.match(blind.stdout, /warning +regions: .* key_\w+ \("East"\), stf_\w+ \("East"\)\./);

    await program('locations', 'change', 'oak', ...region);
    assert.match(await list('keys'), /East \(1 location\)/);
    assert.match(await list('staff'), /East \(1 location\)/);
    assert.doesNotMatch((await program('doctor')).stdout, /regions:/);
    const Authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    await until(async () => {
      const seen = await fetch(`${url}/v1/locations`, { headers: { Authorization } });
      const { data } = (await seen.json()) as { data: { unique_identifier: string }[] };
      return JSON.stringify(data.map((one) => one.unique_identifier)) === JSON.stringify([oak]);
    });
    const [shown] = JSON.parse((await program('keys', 'list', '--json')).stdout);
    assert.deepEqual([shown.region, shown.locations], ['East', [oak]]);

    const change = (...options: string[]) =>
      program('staff', 'change', 'manager@example.com', ...options);
    assert.match((await change('--location', 'elm')).stdout, new RegExp(`for ${elm}`));
    assert.match((await change(...region)).stdout, /for the region East \(1 location\)/);
    assert.match((await change('--region', 'East', '--all-locations')).stderr, /not both/);
    assert.match((await change('--all-locations')).stdout, /for all locations/);
    const admin = await change('--role', 'administrator', ...region);
    assert.match(admin.stderr, /An administrator works for whole accounts/);

    const file = join(cwd, 'keys.csv');
    writeFileSync(
      file,
      `account_name,account,name,region\nNew,,North,East\n,${account},Own,East\n`,
    );
    await ok('keys', 'create', '--many', file);
    const keys = JSON.parse((await program('keys', 'list', '--json')).stdout);
    assert.deepEqual(
      keys
        .slice(0, 2)
        .map((one: { name: string; region: string; locations: string[] }) => [
          ...[one.name, one.region, one.locations],
        ]),
      [
        ['Own', 'East', [oak]],
        ['North', 'East', []],
      ],
    );
  });

  it('of a file are set all or none, with every fault named', async () => {
    const { cwd, account, secret, url, run: program, fails, ok } = await servedAccount();
    const ids = await Promise.all(
      ['oak', 'elm'].map((name) => makeLocation(url, secret, account, name)),
    );
    const file = join(cwd, 'homes.csv');
    writeFileSync(
      file,
      `location,time_zone,region\noak,America/New York,East\nash,,East\nelm,UTC,${'x'.repeat(121)}\n${ids[0]},UTC,\n`,
    );
    const refused = await fails('locations', 'change', '--file', file);
    assert.match(refused, /line 2: time_zone is not .* Did you mean America\/New_York\?/);
    assert.match(refused, /line 3: There is no location "ash"/);
    assert.match(refused, /line 4: region has 121 characters/);
    assert.match(refused, /line 5: location .* is that of line 2, too/);
    assert.match(refused, /Nothing was done/);
    writeFileSync(file, 'location,time_zone,region\noak,America/New_York,East\nelm,,West\n');
    assert.match(
      await ok('locations', 'change', '--file', file, '--dry-run'),
      /2 locations would be set/,
    );
    const before = JSON.parse((await program('locations', 'list', '--json')).stdout);
    assert.deepEqual(
      new Set(before.map((one: { region: unknown }) => one.region)),
      new Set([null]),
    );
    await ok('locations', 'change', '--file', file);
    const after = JSON.parse((await program('locations', 'list', '--json')).stdout);
    const regions = after.map(
      (one: { external_identifier: string; region: string; time_zone: string }) => [
        one.external_identifier,
        one.region,
        one.time_zone,
      ],
    );
    assert.deepEqual(regions.sort(), [
      ['elm', 'West', 'UTC'],
      ['oak', 'East', 'America/New_York'],
    ]);
  });
});
