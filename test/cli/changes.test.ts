/** Operators see on the command line what changed, and who changed it, while the service runs. */
// needs: program

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { ownFolder, programIn, watch } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation, withAccount } from '../support/cli-setup.ts';
import { shared } from '../support/shared.ts';
import { until } from '../support/until.ts';

interface Line {
  readonly unique_identifier: string;
  readonly resource: string;
  readonly outcome: string;
  readonly key: string | null;
}

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;

const served = shared(async () => {
  const cwd = ownFolder();
  return { cwd, service: await serveHere({ cwd }) };
});

/** An account of one's own in a store that is served. */
async function serve() {
  const { cwd, service } = await served();
  const { url } = service;
  const made = await makeAccount(cwd);
  const location = await makeLocation(url, made.secret, made.account);
  const { account: account_unique_identifier, secret } = made;
  const own = { account_unique_identifier, external_identifier: 'main-street' };
  const rename = (location_name: string) =>
    call(url, secret, '/v1/locations/upsert', { ...own, location_name });
  return { cwd, ...made, url, location, rename, ...programIn(cwd) };
}

/** `changes list --follow` in a process of its own, ended with the test. */
function follow(cwd: string, ...words: readonly string[]) {
  const watched = watch(['changes', 'list', '--follow', ...words], { cwd });
  const { child, printed } = watched;
  return {
    ...watched,
    async until(pattern: RegExp): Promise<string> {
      await until(() => pattern.test(printed.stdout) || child.exitCode !== null);
      assert.match(printed.stdout, pattern);
      return printed.stdout;
    },
  };
}

describe('changes list --follow', () => {
  it('prints what is kept and what comes, until Ctrl-C', async () => {
    const { cwd, account, key, location, rename } = await serve();
    const following = follow(cwd, '--account', account);
    await following.until(/created {3}location/);
    await rename('Riverside Chapel');
    await following.until(/updated/);
    const { code, stdout, stderr } = await following.stop();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Store: .*\n$/);
    const [made, created, updated, ...more] = stdout.trim().split('\n');
    const wanted = [
      `created   account ${account} v1`,
      `created   location ${location} v1 by ${key}`,
      `updated   location ${location} v2 by ${key}: location_name`,
    ];
    for (const [at, line] of [made, created, updated].entries())
      assert.match(line ?? '', new RegExp(`^${TIME}  ${wanted[at]}$`));
    assert.deepEqual(more, []);
  });

  it('goes on after a change, for a program, which learns whose doing it was', async () => {
    const { cwd, account, key, rename } = await serve();
    const first = follow(cwd, '--account', account, '--ndjson');
    const lines = await first.until(/"location".*\n/);
    await first.stop();
    const [, created] = lines.trim().split('\n');
    const { unique_identifier } = JSON.parse(created ?? '') as Line;
    await rename('Riverside Chapel');
    const words = ['--account', account, '--starting-after', unique_identifier, '--ndjson'];
    const second = follow(cwd, ...words);
    const rest = (await second.until(/\n/)).trim().split('\n');
    await second.stop();
    const [change, ...more] = rest.map((line) => JSON.parse(line) as Line);
    assert.deepEqual([change?.outcome, change?.key, more], ['updated', key, []]);
  });

  it('begins with what comes', async () => {
    const { cwd, account, url, secret } = await serve();
    const words = ['--account', account, '--starting-after', 'now', '--ndjson'];
    const following = follow(cwd, ...words);
    // The program begins to look in its own time.
    let count = 0;
    await until(async () => {
      await makeLocation(url, secret, account, `location ${count++}`);
      return following.printed.stdout.includes('\n');
    });
    const lines = following.printed.stdout.split('\n').slice(0, -1);
    const changes = lines.map((line) => JSON.parse(line) as Line);
    const isOfLocations = changes.every(({ resource }) => resource === 'location');
    assert.ok(isOfLocations, lines.join('\n'));
    await following.stop();
  });

  it('ends when its output is no longer read', async () => {
    const { cwd, account, rename } = await serve();
    const { child } = follow(cwd, '--account', account);
    const ended = once(child, 'exit');
    await once(child.stdout ?? child, 'data');
    child.stdout?.destroy();
    await rename('Riverside Chapel');
    assert.deepEqual(await ended, [0, null]);
  });

  it('says what is wrong with what it was asked', async () => {
    const { account, mistakes } = await withAccount();
    const wrong = /position does not belong to this log/;
    await mistakes('changes list --follow', [
      ['--account acct_x', /There is no account "acct_x" in /],
      [`--account ${account} --starting-after chg_x`, wrong],
    ]);
  });
});

describe('records history', () => {
  it('calls a key by its name, as `changes list` does', async () => {
    const { cwd, account, url, ok, newKey } = await serve();
    const { secret } = await newKey(account, '--name', 'Lobby tablets');
    const following = follow(cwd, '--account', account);
    const location = await makeLocation(url, secret, account, 'by-name');
    const told = await ok('records', 'history', location);
    assert.match(told, new RegExp(`^v1 {2}${TIME} {2}created by Lobby tablets\n`));
    await following.until(/created {3}location \w+ v1 by Lobby tablets\n/);
    await following.stop();
  });

  it('prints who changed what of a record, also after it was removed', async () => {
    const { key, url, secret, location, rename, ok } = await serve();
    await rename('Riverside Chapel');
    const path = `/v1/locations/${location}`;
    const gone = await call(url, secret, path, undefined, { method: 'DELETE' });
    assert.equal(gone.status, 200);
    const stdout = await ok('records', 'history', location);
    const lines = [
      `v3 {2}${TIME} {2}deleted by ${key}`,
      ' {4}- location_name: "Riverside Chapel"',
      ' {4}- public_data: {}',
      `v2 {2}${TIME} {2}updated by ${key}`,
      ' {4}location_name: "Main Street Chapel" → "Riverside Chapel"',
      `v1 {2}${TIME} {2}created by ${key}`,
      String.raw` {4}\+ location_name: "Main Street Chapel"`,
      String.raw` {4}\+ public_data: {}`,
    ];
    assert.match(stdout, new RegExp(`^${lines.join('\n')}\n$`));
    const json = (await ok('records', 'history', location, '--ndjson')).trim().split('\n');
    const outcomes = json.map((line) => (JSON.parse(line) as Line).outcome);
    assert.deepEqual(outcomes, ['deleted', 'updated', 'created']);
  });

  it('tells that there is no such record', async () => {
    const { mistakes } = await serve();
    const unknown = ['loc_x', 'visitor-7', 'loc_0000000000000000000000'];
    const says = (id: string) => new RegExp(`There is no record "${id}" in `);
    await mistakes(
      'records history',
      unknown.map((id) => [id, says(id)] as const),
    );
  });
});
