/** Operators set the time zones of locations, one by one or from a file. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

describe('ledgerstone locations', () => {
  it('are set, shown with what they inherit, and listed, while the service runs', async (t) => {
    const cwd = ownFolder(t);
    const { url } = await startProcess(t, { cwd });
    const { account, secret } = await makeAccount(cwd);
    const id = await makeLocation(url, secret, account);
    const { run: program } = programIn(cwd);
    const set = await program('accounts', 'update', account, '--time-zone', 'America/Chicago');
    assert.equal(set.code, 0, set.stderr);
    const one = await program(
      'locations',
      'set',
      id,
      '--state',
      'NY',
      '--region',
      'East',
      '--json',
    );
    assert.equal(one.code, 0, one.stderr);
    const settings = JSON.parse(one.stdout);
    assert.deepEqual(settings.inherited, ['time_zone']);
    const list = await program('locations', 'list');
    assert.match(list.stdout, new RegExp(`${id} .*America/Chicago +East +NY`));
    const none = await program('locations', 'list', '--region', 'West', '--json');
    assert.deepEqual(JSON.parse(none.stdout), []);
    const Authorization = `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;
    const seen = await fetch(`${url}/v1/locations/${id}/settings`, { headers: { Authorization } });
    assert.deepEqual(await seen.json(), settings);
    const wrong = await program(
      'locations',
      'set',
      id,
      '--time-zone',
      'New York',
      '--region',
      'x'.repeat(121),
    );
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /--time-zone is not .* Did you mean America\/New_York\?/);
    assert.match(wrong.stderr, /--region has 121 characters/);
  });

  it('of a file are set all or none, with every fault named', async (t) => {
    const cwd = ownFolder(t);
    const { url } = await startProcess(t, { cwd });
    const { account, secret } = await makeAccount(cwd);
    const ids = await Promise.all(
      ['oak', 'elm'].map((name) => makeLocation(url, secret, account, name)),
    );
    const { run: program } = programIn(cwd);
    const file = join(cwd, 'homes.csv');
    writeFileSync(
      file,
      `location,time_zone,region\noak,America/New York,East\nash,,East\nelm,UTC,${'x'.repeat(121)}\n${ids[0]},UTC,\n`,
    );
    const refused = await program('locations', 'set', '--file', file);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /line 2: time_zone is not .* Did you mean America\/New_York\?/);
    assert.match(refused.stderr, /line 3: There is no location "ash"/);
    assert.match(refused.stderr, /line 4: region has 121 characters/);
    assert.match(refused.stderr, /line 5: location .* is that of line 2, too/);
    assert.match(refused.stderr, /Nothing was done/);
    writeFileSync(file, 'location,time_zone,region\noak,America/New_York,East\nelm,,West\n');
    const dry = await program('locations', 'set', '--file', file, '--dry-run');
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, /2 locations would be set/);
    const before = JSON.parse((await program('locations', 'list', '--json')).stdout);
    assert.deepEqual(
      new Set(before.map((one: { region: unknown }) => one.region)),
      new Set([null]),
    );
    const done = await program('locations', 'set', '--file', file);
    assert.equal(done.code, 0, done.stderr);
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
