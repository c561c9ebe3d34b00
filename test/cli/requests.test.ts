/** An operator finds out why somebody's records are refused: in one command, beside the running service. */
// needs: program

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { readSettings } from '../../src/core/config.ts';
import { createSequence } from '../../src/core/schema/id.ts';
import { issueKey } from '../../src/records/auth/issue-key.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ownFolder, programIn, watch } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount, withAccount } from '../support/cli-setup.ts';
import { nextSecond } from '../support/next-second.ts';
import { pluck } from '../support/pluck.ts';
import { until } from '../support/until.ts';

async function setUp() {
  const made = await servedAccount();
  return { ...made, location: await makeLocation(made.url, made.secret, made.account) };
}

/** A key of the name Partner A, with a request that was refused ten days ago and one of this minute. */
async function setUpRefused() {
  const made = await withAccount();
  const { cwd, account } = made;
  const settings = readSettings({}, { DATABASE_URL: `sqlite:${join(cwd, 'data/ledgerstone.db')}` });
  const store = await openStoreAlone(settings, { create: false });
  const grant = { accounts: [account], name: 'Partner A' };
  const { key } = await issueKey(store.keys, false, grant);
  const of = { key: key.unique_identifier, account };
  const nextId = createSequence('req_');
  const refused = [10 * 86_400_000, 60_000].map((ago) => ({
    ...{ request_id: nextId(), time: Date.now() - ago, authentication: null, address: null },
    ...{ method: 'GET', path: '/v1/events', status: 400, code: 'type_invalid', faults: [] },
    ...{ ...of, rows: null },
  }));
  const activity = refused.map(({ time }) => ({
    ...{ hour: Math.floor(time / 3_600_000) * 3_600_000, ...of, anchor: '', resource: '' },
    ...{ outcome: 'refused', count: 1, last_at: time },
  }));
  await store.requests.note(refused, activity);
  await store.close();
  return { ...made, key: key.unique_identifier };
}

/** Sends a file of 200 events by lines, of which row 57 has no time of day. */
async function sendNightly(url: string, secret: string, location: string): Promise<void> {
  const lines = Array.from({ length: 200 }, (_, index) =>
    JSON.stringify({
      location_unique_identifier: location,
      external_identifier: `Wilhelmina ${index}`,
      event_name: 'Service of Quackenbush',
      event_datetime: index === 56 ? '2026-11-20' : '2026-11-20T14:30:00Z',
    }),
  );
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const path = '/v1/events/upsert_many';
  assert.equal((await call(url, secret, path, lines.join('\n'), { headers })).status, 200);
}

describe('ledgerstone requests and activity', () => {
  it("finds row 57 of somebody's nightly file", async () => {
    const { key, secret, service, location, ok } = await setUp();
    await sendNightly(service.url, secret, location);
    let printed = '';
    await until(async () => {
      printed = await ok('requests', 'list', '--key', key);
      return printed.includes('line 57');
    });
    assert.match(
      printed,
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ  200  POST /v1/events/upsert_many\n` +
          `  ${key}  from 127\\.0\\.0\\.1  req_\\w+\n` +
          '  rows: 199 created, 1 datetime_invalid\n' +
          '  datetime_invalid  event_datetime  line 57\n' +
          '    event_datetime is not an RFC 3339 date and time; send for example\n' +
          '    2026-11-20T14:30:00Z or 2026-11-20T09:30:00-05:00\\.\n$',
      ),
    );
    assert.ok(!/Wilhelmina|Quackenbush/.test(printed), 'nothing that was sent');
  });

  it('is complete once the service has stopped, and counts what was done', async () => {
    const { account, key, secret, service, location, ok, json } = await setUp();
    await sendNightly(service.url, secret, location);
    await call(service.url, 'sk_test_nonsense', '/v1/accounts');
    await call(service.url, secret, '/v1/events?limit=0');
    await service.stop();

    const stdout = await ok('activity', 'list');
    assert.match(stdout, /^KEY +RESOURCE +OUTCOME +COUNT +LAST\n/);
    assert.match(stdout, new RegExp(`^${key} +event +created +199 +2`, 'm'));
    assert.match(stdout, new RegExp(`^${key} +event +refused +2 +2`, 'm'));
    const refused = await ok('requests', 'list');
    assert.match(
      refused,
      /^ {2}unknown key {2}from 127\.0\.0\.1 {2}req_\w+\n {2}the key is malformed\n {2}api_key_missing$/m,
    );
    const long = (stdout + refused).split('\n').filter((line) => line.length > 80);
    assert.deepEqual(long, [], 'a terminal shows it');

    const of = ['--account', account];
    const counts = await json<Record<string, unknown>[]>('activity', 'list', ...of);
    const requests = await json<Record<string, unknown>[]>('requests', 'list', ...of);
    const created = pluck(counts, 'outcome', 'count', 'location');
    assert.ok(created.some((one) => isDeepStrictEqual(one, ['created', 199, location])));
    // The newest first; none without a key is of the account.
    assert.deepEqual(pluck(requests, 'code'), ['number_out_of_range', 'datetime_invalid']);
    const shown = async (...words: string[]) => await ok('requests', 'list', '--ndjson', ...words);
    assert.equal((await shown()).trim().split('\n').length, 3);
    assert.match(await shown('--code', 'datetime_invalid'), /^[^\n]+"lines":\[57\][^\n]+\n$/);
    assert.match(await shown('--request', String(requests[0]?.request_id)), /number_out_of_range/);
    // It is told in whole seconds, and they may have been refused in this one.
    await nextSecond();
    assert.equal(await shown('--since', new Date().toISOString().replace(/\.\d+/, '')), '');
    assert.match(await shown('--limit', '1'), /^[^\n]+number_out_of_range[^\n]+\n$/);
  });

  it('goes on with what is refused from now on', async () => {
    const { cwd, secret, service } = await setUp();
    const { printed, stop } = watch(['requests', 'list', '--ndjson', '--follow'], { cwd });
    const lines = () =>
      printed.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const isPrinted = (code: string) => lines().some((one) => one.code === code);
    // The program may begin to look only after some of them.
    await until(async () => {
      await call(service.url, secret, '/v1/events?limit=0');
      return isPrinted('number_out_of_range');
    });
    await call(service.url, secret, '/v1/events?limit=all');
    await until(() => isPrinted('type_invalid'));
    await call(service.url, secret, '/v1/events?nothing=1');
    await until(() => isPrinted('parameter_unknown'));
    const ids = pluck(lines(), 'request_id');
    assert.equal(new Set(ids).size, ids.length, 'each once');
    const codes = pluck(lines(), 'code');
    assert.deepEqual(codes.slice(-2), ['type_invalid', 'parameter_unknown'], 'in order');
    assert.equal((await stop()).signal, 'SIGINT');
  });

  it('knows a request for as long as any is kept, and says when it never knew it', async () => {
    const { run, json, mistakes } = await setUpRefused();
    const words = ['requests', 'list', '--since', '30d'];
    const [recent, old] = await json<{ request_id: string }[]>(...words);
    assert.ok(old !== undefined && recent !== undefined);
    const shown = await run('requests', 'list', '--request', old.request_id);
    assert.deepEqual([shown.code, shown.stdout.includes(old.request_id)], [0, true]);

    const until = new Date(Date.now() - 86_400_000).toISOString();
    const before = await run('requests', 'list', '--since', '30d', '--until', until);
    assert.ok(before.stdout.includes(old.request_id), before.stdout);
    assert.ok(!before.stdout.includes(recent.request_id), 'not what was refused since then');
    const counted = await json<object[]>('activity', 'list', '--since', '30d', '--until', until);
    assert.equal(counted.length, 1);

    const unknown = /req_\w+ is not among the refused requests that are kept \(30 days/;
    await mistakes('requests list --request', [
      ['req_0350hLTg4Qw7ghih1EWE8L', unknown],
      [`${old.request_id} --since 1d`, unknown],
    ]);
  });

  it('takes a key by its name and by the last characters of its secret', async () => {
    const { run, fails, ok, account, key, json } = await setUpRefused();
    const [{ ending } = { ending: '' }] = await json<{ ending: string }[]>('keys', 'list');
    for (const called of [ending, 'Partner A', 'partner a', key]) {
      const stdout = await ok('requests', 'list', '--key', called, '--since', '30d');
      assert.equal(stdout.match(/^ {2}Partner A \(key_\w+\) {2}from /gm)?.length, 2, stdout);
    }
    await run('keys', 'create', '--account', account, '--name', 'Partner A');
    const several = await fails('requests', 'list', '--key', 'Partner A');
    assert.match(several, /2 keys are called "Partner A": key_\w+ \(…\w{4}\), key_\w+ \(…\w{4}\)/);
  });

  it("finds a refused record by the partner's own identifier, which is kept nowhere", async () => {
    const cwd = ownFolder();
    const env = { SECRET_KEY_FILE: join(cwd, 'secret.key') };
    writeFileSync(env.SECRET_KEY_FILE, `${randomBytes(32).toString('base64')}\n`);
    const { account, secret } = await makeAccount(cwd);
    const service = await serveHere({ cwd, env });
    const location = await makeLocation(service.url, secret, account);
    await sendNightly(service.url, secret, location);
    await service.stop();
    const { ok } = programIn(cwd, env);
    const found = await ok('requests', 'list', '--identifier', 'Wilhelmina 56');
    assert.match(found, /upsert_many[\s\S]*datetime_invalid {2}event_datetime {2}line 57/);
    const other = await ok('requests', 'list', '--identifier', 'Wilhelmina 57');
    assert.equal(other, 'Nothing was refused.\n');
    assert.doesNotMatch(await ok('requests', 'list', '--json'), /Wilhelmina/);
  });

  it('names what it does not know', async () => {
    const { ok, mistakes } = await withAccount();
    await mistakes('requests list', [
      ['--key key_nothing', /There is no key "key_nothing"/],
      ['--key sk_test_nothing', /That is the secret of a key/],
      ['--account acct_nothing', /There is no account "acct_nothing"/],
      ['--code broken', /--code "broken" is not an error code/],
      ['--since yesterday', /--since must be a duration/],
      ['--since 2999-01-01', /in the past/],
      ['--limit 0', /--limit must be a whole number/],
      ['--until tomorrow', /--until must be a duration/],
      ['--since 1h --until 2h', /--until must be later than --since/],
      ['--until 1h --follow', /--until and --follow/],
      ['--identifier V4994', /no SECRET_KEY_FILE/],
      ['--request nonsense', /nonsense is not among the refused requests/],
    ]);
    assert.equal(await ok('requests', 'list'), 'Nothing was refused.\n');
  });
});
