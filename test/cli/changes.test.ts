/** Operators see on the command line what changed, and who changed it, while the service runs. */
// needs: program

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { finish, ownFolder, programIn, start } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { shared } from '../support/shared.ts';

interface Line {
  readonly unique_identifier: string;
  readonly resource: string;
  readonly record: string;
  readonly outcome: string;
  readonly key: string | null;
  readonly changes?: readonly { readonly member: string }[];
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
  const rename = (location_name: string) =>
    call(url, made.secret, '/v1/locations/upsert', {
      account_unique_identifier: made.account,
      external_identifier: 'main-street',
      location_name,
    });
  return { cwd, ...made, url, location, rename };
}

/** `changes list --follow` in a process of its own, ended with the test. */
function follow(cwd: string, ...words: readonly string[]) {
  const child = start(
    ['changes', 'list', '--follow', ...words],
    { cwd },
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const end = finish(child);
  whenOver(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout?.on('data', (text: string) => {
    printed += text;
  });
  return {
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(printed)) {
        assert.ok(child.stdout !== null && child.exitCode === null, printed);
        await once(child.stdout, 'data');
      }
      return printed;
    },
    end,
    stop() {
      child.kill('SIGINT');
      return end;
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
    assert.match(made ?? '', new RegExp(`^${TIME}  created   account ${account} v1$`));
    assert.match(
      created ?? '',
      new RegExp(`^${TIME}  created   location ${location} v1 by ${key}$`),
    );
    const members = 'location_name';
    assert.match(
      updated ?? '',
      new RegExp(`^${TIME}  updated   location ${location} v2 by ${key}: ${members}$`),
    );
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
    let count = 0;
    const writing = setInterval(() => {
      makeLocation(url, secret, account, `location ${count++}`).catch(() => {});
    }, 200);
    whenOver(() => clearInterval(writing));
    const lines = (await following.until(/\n/)).trim().split('\n');
    clearInterval(writing);
    const changes = lines.map((line) => JSON.parse(line) as Line);
    assert.ok(
      changes.every(({ resource }) => resource === 'location'),
      lines.join('\n'),
    );
    await following.stop();
  });

  it('ends when its output is no longer read', async () => {
    const { cwd, account, rename } = await serve();
    const child = start(
      ['changes', 'list', '--follow', '--account', account],
      { cwd },
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    whenOver(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout ?? child, 'data');
    child.stdout?.destroy();
    await rename('Riverside Chapel');
    assert.deepEqual(await ended, [0, null]);
  });

  it('says what is wrong with what it was asked', async () => {
    const cwd = ownFolder();
    const { account } = await makeAccount(cwd);
    const { run } = programIn(cwd);
    for (const [words, line] of [
      [['--account', 'acct_x'], /There is no account "acct_x" in /],
      [['--account', account, '--starting-after', 'chg_x'], /position does not belong to this log/],
    ] as const) {
      const { code, stdout, stderr } = await run('changes', 'list', '--follow', ...words);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^ledgerstone: [^\n]+\n$/);
      assert.match(stderr, line);
    }
  });
});

describe('records history', () => {
  it('calls a key by its name, as `changes list` does', async () => {
    const { cwd, account, url } = await serve();
    const { run } = programIn(cwd);
    const words = ['--account', account, '--name', 'Lobby tablets', '--json'];
    const { stdout } = await run('keys', 'create', ...words);
    const { secret } = JSON.parse(stdout) as { secret: string };
    const following = follow(cwd, '--account', account);
    const location = await makeLocation(url, secret, account, 'by-name');
    const { stdout: told } = await run('records', 'history', location);
    assert.match(told, new RegExp(`^v1 {2}${TIME} {2}created by Lobby tablets\n`));
    await following.until(/created {3}location \w+ v1 by Lobby tablets\n/);
    await following.stop();
  });

  it('prints who changed what of a record, also after it was removed', async () => {
    const { cwd, key, url, secret, location, rename } = await serve();
    await rename('Riverside Chapel');
    const gone = await fetch(`${url}/v1/locations/${location}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${secret}` },
    });
    assert.equal(gone.status, 200);
    const { run, ok } = programIn(cwd);
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
    const json = (await run('records', 'history', location, '--ndjson')).stdout.trim().split('\n');
    assert.deepEqual(
      json.map((line) => (JSON.parse(line) as Line).outcome),
      ['deleted', 'updated', 'created'],
    );
  });

  it('tells that there is no such record', async () => {
    const { cwd } = await serve();
    const { run } = programIn(cwd);
    for (const id of ['loc_x', 'visitor-7', 'loc_0000000000000000000000']) {
      const { code, stdout, stderr } = await run('records', 'history', id);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`^ledgerstone: There is no record "${id}" in [^\n]+\n$`));
    }
  });
});
