/** Operators see and try webhook endpoints on the command line, and integrators receive them on their own machine. */
// needs: program

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { whenOver } from '../support/at-end.ts';
import { finish, ownFolder, programIn, start } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { keyed } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

interface Endpoint {
  readonly unique_identifier: string;
  readonly status: string;
  readonly secret: string;
  readonly position: string | null;
}

async function ground() {
  const settings = keyed();
  const receiver = await startReceiver();
  const cwd = ownFolder();
  const env = {
    WEBHOOK_ALLOW: settings.webhook_allow,
    SECRET_KEY_FILE: settings.secret_key_file,
  };
  const made = await makeAccount(cwd);
  const service = await serveHere({ cwd, env });
  const { url } = service;
  const location = await makeLocation(url, made.secret, made.account);
  const rename = async (location_name: string): Promise<void> => {
    await call(url, made.secret, '/v1/locations/upsert', {
      account_unique_identifier: made.account,
      external_identifier: 'main-street',
      location_name,
    });
  };
  return {
    ...made,
    cwd,
    env,
    url,
    service,
    location,
    rename,
    receiver,
    program: programIn(cwd, env),
  };
}

const verified = (receiver: Receiver, at: number, secret: string): unknown => {
  const { text, headers } = receiver.received[at] as (typeof receiver.received)[number];
  return new Webhook(secret).verify(text, headers as Record<string, string>);
};

describe('ledgerstone webhooks', () => {
  it('makes, lists, tests and replays endpoints, and shows their deliveries, while the service runs', async () => {
    const { account, program, receiver, rename } = await ground();
    const { unique_identifier: key } = await program.json<Endpoint>(
      ...['keys', 'create', '--account', account, '--allow', 'webhooks'],
    );
    const create = ['webhooks', 'create', '--key', key, '--url', receiver.url];
    const made = await program.json<Endpoint>(...create, '--notification', 'location.*');
    const { unique_identifier: id, secret } = made;
    const { stdout: tested } = await program.run('webhooks', 'test', id);
    assert.match(tested, /^The endpoint answered 200\. \(\d+ ms\)$/m);
    assert.deepEqual(verified(receiver, 0, secret), receiver.received[0]?.body);
    await rename('Renamed');
    await receiver.count(2);
    assert.equal(receiver.received[1]?.body.type, 'location.updated');
    let listed = '';
    await until(async () => {
      listed = (await program.run('webhooks', 'deliveries', id)).stdout;
      return listed.includes('delivered');
    });
    assert.match(listed, /^chg_\w+ +location\.updated +delivered +1 +200 +\S+Z$/m);
    const { stdout: list } = await program.run('webhooks', 'list');
    assert.match(list, new RegExp(`^${id} +enabled +- +http:\\S+ +location\\.\\*$`, 'm'));
    await program.run('webhooks', 'replay', id, '--since', '2020-01-01T00:00:00Z');
    await receiver.count(4);
    assert.ok(receiver.received.some(({ body }) => body.type === 'location.created'));
  });

  it('pauses, enables, rotates, resends and deletes, as JSON too, and a test that fails is exit code 1', async () => {
    const { account, program, receiver, rename } = await ground();
    const made = await program.json<Endpoint>(
      ...['keys', 'create', '--account', account, '--allow', 'webhooks'],
    );
    const key = made.unique_identifier;
    const create = ['webhooks', 'create', '--key', key, '--url', receiver.url];
    const { unique_identifier: id, secret } = await program.json<Endpoint>(...create);
    const run = (...words: string[]) => program.run('webhooks', ...words);
    const json = <T>(...words: string[]) => program.json<T>('webhooks', ...words);

    assert.equal((await json<Endpoint>('pause', id)).status, 'paused');
    await rename('Renamed');
    assert.match((await run('enable', id)).stdout, /is enabled\.$/m);
    const [first] = await receiver.count(1);
    const change = first?.id ?? '';
    await until(async () => (await run('deliveries', id)).stdout.includes('delivered'));
    assert.match(
      (await run('resend', id, '--change', change)).stdout,
      /^Sending chg_\w+ again\.$/m,
    );
    const [, again] = await receiver.count(2);
    assert.equal(again?.id, change);

    const rotated = await json<Endpoint>('rotate', id, '--overlap', '0s');
    assert.notEqual(rotated.secret, secret);
    assert.deepEqual((await json<{ delivered: boolean }>('test', id)).delivered, true);
    const last = receiver.received.length - 1;
    assert.throws(() => verified(receiver, last, secret));
    assert.ok(verified(receiver, last, rotated.secret));
    receiver.answer = () => 500;
    const failed = await run('test', id);
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /The endpoint answered 500\./);

    // What sees for it must work, or it would be paused again at once.
    await run('pause', id);
    await program.run('keys', 'revoke', key);
    const ended = await run('enable', id);
    assert.deepEqual(
      [ended.code, /is revoked\. Name another key with --key/.test(ended.stderr)],
      [1, true],
    );
    const { unique_identifier: other } = await program.json<Endpoint>(
      ...['keys', 'create', '--account', account, '--allow', 'webhooks'],
    );
    const enabled = await json<Endpoint & { key: string }>('enable', id, '--key', other);
    assert.deepEqual([enabled.status, enabled.key], ['enabled', other]);
    const gone = { object: 'webhook_endpoint', unique_identifier: id, deleted: true };
    assert.deepEqual(await json('delete', id), gone);
    assert.deepEqual(await json('list'), []);
  });

  it('says in one line what is wrong', async () => {
    const { account, program, key } = await ground();
    const url = 'https://example.com/hook';
    for (const [words, says] of [
      [['create', '--key', 'key_0', '--url', url], /There is no key "key_0"/],
      [['create', '--key', key, '--url', url], /lacks the right "webhooks"/],
      [['test', 'whk_0'], /There is no webhook endpoint/],
      [['replay', 'whk_0'], /There is no webhook endpoint/],
      [['pause', 'whk_0'], /There is no webhook endpoint/],
      [['enable', 'whk_0'], /There is no webhook endpoint/],
      [['rotate', 'whk_0'], /There is no webhook endpoint/],
      [['rotate', 'whk_0', '--overlap', 'soon'], /--overlap must be a duration/],
      [['resend', 'whk_0', '--change', 'chg_0'], /There is no webhook endpoint/],
      [['resend', 'whk_0'], /--change/],
      [['delete', 'whk_0'], /There is no webhook endpoint/],
      [['deliveries', 'whk_0', '--status', 'lost'], /--status must be/],
      [['listen', '--forward', 'http://localhost:1'], /LEDGERSTONE_KEY/],
    ] as const) {
      const stderr = await program.fails('webhooks', ...words);
      assert.match(stderr, says);
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    }
    assert.ok(account);
  });

  it('passes changes on to a program on this machine, signed with a secret of its own', async () => {
    const { cwd, url, secret: key, receiver, rename } = await ground();
    const child = start(
      ['webhooks', 'listen', '--forward', receiver.url, '--service', url, '--full'],
      { cwd, env: { LEDGERSTONE_KEY: key } },
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const end = finish(child);
    whenOver(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout?.on('data', (text: string) => {
      printed += text;
    });
    await until(() => printed.includes('Ctrl-C stops it'));
    const [, secret = ''] = /^Secret: (whsec_\S+)$/m.exec(printed) ?? [];
    // It begins with what comes after it asked for the first time.
    for (let at = 0; receiver.received.length === 0; at++) {
      await rename(`Renamed ${at}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const { body } = receiver.received[0] as (typeof receiver.received)[number];
    assert.deepEqual(verified(receiver, 0, secret), body);
    assert.equal(body.type, 'location.updated');
    assert.match(body.data.record_now.location_name, /^Renamed/);
    await until(() => / {2}location\.updated {2}loc_\w+ {2}200$/m.test(printed));
    child.kill('SIGINT');
    assert.equal((await end).code, 0);
  });

  it('goes on where it was when the service was away, says why a program was not reached, and prints JSON', async () => {
    const { cwd, env, url, service, secret: key, receiver, rename } = await ground();
    const listen = ['webhooks', 'listen', '--forward', receiver.url, '--service', url, '--json'];
    const child = start(
      listen,
      { cwd, env: { LEDGERSTONE_KEY: key } },
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const end = finish(child);
    whenOver(() => child.kill('SIGKILL'));
    const told = { out: '', err: '' };
    child.stdout?.on('data', (text: string) => {
      told.out += text;
    });
    child.stderr?.on('data', (text: string) => {
      told.err += text;
    });
    const lines = (): Record<string, unknown>[] =>
      told.out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await until(() => told.out.includes('whsec_'));
    for (let at = 0; receiver.received.length === 0; at++) {
      await rename(`Renamed ${at}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await service.stop();
    await until(() => told.err.includes('does not answer'));
    await receiver.close();
    await serveHere({ cwd, env, port: new URL(service.url).port });
    await rename('While nobody listened');
    await until(() =>
      lines().some(({ error }) => String(error).includes('nothing is listening there')),
    );
    assert.match(told.err, /answers again/);
    assert.equal(told.err.match(/does not answer/g)?.length, 1);
    const taken = lines().filter(({ status_code }) => status_code === 200);
    assert.equal(taken.length, receiver.received.length);
    assert.deepEqual(Object.keys(taken[0] ?? {}), [
      ...['change', 'type', 'record', 'status_code', 'error', 'duration_ms'],
    ]);
    child.kill('SIGINT');
    assert.equal((await end).code, 0);
  });
});
