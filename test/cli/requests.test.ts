/** An operator finds out why somebody's records are refused: in one command, beside the running service. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ownFolder, programIn, start } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

async function setUp(t: TestContext) {
  const cwd = ownFolder(t);
  const { account, secret, key } = await makeAccount(cwd);
  const service = await startProcess(t, { cwd });
  const location = await makeLocation(service.url, secret, account);
  return { ...programIn(cwd), cwd, account, secret, key, service, location };
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
  const answer = await fetch(`${url}/v1/events/upsert_many`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  assert.equal(answer.status, 200);
  await answer.text();
}

describe('ledgerstone requests', () => {
  it("finds row 57 of somebody's nightly file", async (t) => {
    const { run, key, secret, service, location } = await setUp(t);
    await sendNightly(service.url, secret, location);
    let printed = '';
    for (const until = performance.now() + 15_000; !printed.includes('line 57'); await pause(200)) {
      assert.ok(performance.now() < until, printed);
      printed = (await run('requests', '--failed', '--key', key)).stdout;
    }
    assert.match(
      printed,
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ  200  POST /v1/events/upsert_many\n` +
          `  ${key}  from 127\\.0\\.0\\.1  req_\\w+\n` +
          '  rows: 199 created, 1 datetime_invalid\n' +
          '  datetime_invalid  event_datetime  line 57\n$',
      ),
    );
    assert.ok(!/Wilhelmina|Quackenbush/.test(printed), 'nothing that was sent');
  });

  it('is complete once the service has stopped, and counts what was done', async (t) => {
    const { run, account, key, secret, service, location } = await setUp(t);
    await sendNightly(service.url, secret, location);
    await call(service.url, 'sk_test_nonsense', '/v1/accounts');
    await call(service.url, secret, '/v1/events?limit=0');
    await service.stop();

    const { stdout } = await run('requests');
    assert.match(stdout, /^KEY +RESOURCE +OUTCOME +COUNT +LAST\n/);
    assert.match(stdout, new RegExp(`^${key} +event +created +199 +2`, 'm'));
    assert.match(stdout, new RegExp(`^${key} +event +refused +2 +2`, 'm'));
    assert.match(
      stdout,
      /^ {2}unknown key {2}from 127\.0\.0\.1 {2}req_\w+\n {2}the key is malformed\n {2}authentication_failed$/m,
    );
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
      'a terminal shows it',
    );

    const lines = (await run('requests', '--json', '--account', account)).stdout.trim().split('\n');
    const objects = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const counts = objects.filter(({ object }) => object === 'activity');
    const requests = objects.filter(({ object }) => object === 'request');
    assert.ok(
      counts.some(
        (one) => one.outcome === 'created' && one.count === 199 && one.location === location,
      ),
    );
    assert.deepEqual(
      requests.map(({ code }) => code),
      ['datetime_invalid', 'number_out_of_range'],
      'the newest last; none without a key is of the account',
    );
    const shown = async (...words: string[]) =>
      (await run('requests', '--json', '--failed', ...words)).stdout;
    assert.equal((await shown()).trim().split('\n').length, 3);
    assert.match(await shown('--code', 'datetime_invalid'), /^[^\n]+"lines":\[57\][^\n]+\n$/);
    assert.match(await shown('--request', String(requests[1]?.request_id)), /number_out_of_range/);
    // It is told in whole seconds, and they may have been refused in this one.
    await pause(1_000 - (Date.now() % 1_000));
    assert.equal(await shown('--since', new Date().toISOString().replace(/\.\d+/, '')), '');
    assert.match(await shown('--limit', '1'), /^[^\n]+number_out_of_range[^\n]+\n$/);
  });

  it('goes on with what is refused from now on', async (t) => {
    const { cwd, secret, service } = await setUp(t);
    const child = start(
      ['requests', '--failed', '--json', '--follow'],
      { cwd },
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    t.after(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    for (const limit of ['0', 'all']) {
      await call(service.url, secret, `/v1/events?limit=${limit}`);
      const wanted = limit === '0' ? 1 : 2;
      for (
        const until = performance.now() + 15_000;
        printed.split('\n').length <= wanted;
        await pause(100)
      )
        assert.ok(performance.now() < until, printed);
    }
    await pause(2_500);
    const codes = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).code);
    assert.deepEqual(codes, ['number_out_of_range', 'type_invalid'], 'each once, in order');
    const ended = new Promise((resolve) =>
      child.once('close', (code, signal) => resolve(signal ?? code)),
    );
    child.kill('SIGINT');
    assert.equal(await ended, 'SIGINT');
  });

  it('names what it does not know', async (t) => {
    const cwd = ownFolder(t);
    await makeAccount(cwd);
    const { run } = programIn(cwd);
    for (const [words, says] of [
      [['--key', 'key_nothing'], /There is no key "key_nothing"/],
      [['--key', 'sk_test_nothing'], /That is the secret of a key/],
      [['--account', 'acct_nothing'], /There is no account "acct_nothing"/],
      [['--code', 'broken'], /--code "broken" is not an error code/],
      [['--since', 'yesterday'], /--since must be a duration/],
      [['--since', '2999-01-01'], /in the past/],
      [['--limit', '0'], /--limit must be a whole number/],
    ] as const) {
      const { code, stderr } = await run('requests', ...words);
      assert.equal(code, 1, words.join(' '));
      assert.match(stderr, says);
    }
    const { code, stderr, stdout } = await run('requests', '--failed');
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /^Nothing was refused\.$/m);
  });
});
