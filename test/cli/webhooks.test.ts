/** Operators see and try webhook endpoints on the command line, and integrators receive them on their own machine. */
// needs: program

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { ownFolder, programIn, watch } from '../support/cli-program.ts';
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
  const env = { WEBHOOK_ALLOW: settings.webhook_allow, SECRET_KEY_FILE: settings.secret_key_file };
  const { account, secret, key } = await makeAccount(cwd);
  const service = await serveHere({ cwd, env });
  const { url } = service;
  await makeLocation(url, secret, account);
  const own = { account_unique_identifier: account, external_identifier: 'main-street' };
  const rename = (location_name: string) =>
    call(url, secret, '/v1/locations/upsert', { ...own, location_name });
  /** Renames it until something arrives: a listener begins with what comes after it asked for the first time. */
  const renameUntilReceived = async (): Promise<void> => {
    let at = 0;
    await until(async () => {
      await rename(`Renamed ${at++}`);
      return receiver.received.length > 0;
    });
  };
  const listen = (...words: string[]) => {
    const all = ['webhooks', 'listen', '--forward', receiver.url, '--service', url, ...words];
    return watch(all, { cwd, env: { LEDGERSTONE_KEY: secret } });
  };
  const program = programIn(cwd, env);
  const newEndpoint = async (...words: string[]) => {
    const made = await program.newKey(account, '--allow', 'webhooks');
    const of = ['--key', made.unique_identifier, '--url', receiver.url, ...words];
    const endpoint = await program.json<Endpoint>('webhooks', 'create', ...of);
    return { id: endpoint.unique_identifier, secret: endpoint.secret, by: made.unique_identifier };
  };
  return {
    ...{ cwd, env, url, account, key, service, rename, receiver, program },
    ...{ renameUntilReceived, listen, newEndpoint },
  };
}

const verified = (receiver: Receiver, at: number, secret: string): unknown => {
  const { text, headers } = receiver.received[at] as (typeof receiver.received)[number];
  return new Webhook(secret).verify(text, headers as Record<string, string>);
};

describe('ledgerstone webhooks', () => {
  it('makes, lists, tests and replays endpoints, and shows their deliveries, while the service runs', async () => {
    const { program, receiver, rename, newEndpoint } = await ground();
    const { id, secret } = await newEndpoint('--notification', 'location.*');
    const tested = await program.ok('webhooks', 'test', id);
    assert.match(tested, /^The endpoint answered 200\. \(\d+ ms\)$/m);
    assert.deepEqual(verified(receiver, 0, secret), receiver.received[0]?.body);
    await rename('Renamed');
    await receiver.count(2);
    assert.equal(receiver.received[1]?.body.type, 'location.updated');
    let listed = '';
    await until(async () => {
      listed = await program.ok('webhooks', 'deliveries', id);
      return listed.includes('delivered');
    });
    assert.match(listed, /^chg_\w+ +location\.updated +delivered +1 +200 +\S+Z$/m);
    const list = await program.ok('webhooks', 'list');
    assert.match(list, new RegExp(`^${id} +enabled +- +http:\\S+ +location\\.\\*$`, 'm'));
    await program.run('webhooks', 'replay', id, '--since', '2020-01-01T00:00:00Z');
    await receiver.count(4);
    assert.ok(receiver.received.some(({ body }) => body.type === 'location.created'));
  });

  it('are named by their key before it ends, and go over to the one that follows it', async () => {
    const { program, newEndpoint } = await ground();
    const { id, by } = await newEndpoint();
    type Key = { readonly unique_identifier: string; readonly used_by: readonly string[] };
    const keys = (...words: string[]) => program.json<Key>('keys', ...words);
    const listed = await program.json<Key[]>('keys', 'list');
    const using = listed.filter(({ used_by }) => used_by.length > 0);
    assert.deepEqual(
      using.map((one) => [one.unique_identifier, one.used_by]),
      [[by, [id]]],
    );
    const next = await keys('rotate', by);
    assert.deepEqual([next.used_by, (await keys('show', by)).used_by], [[id], []]);
    const says = new RegExp(`^What worked by it stops: ${id}\\. Enable it`, 'm');
    const { unique_identifier } = next;
    assert.match(
      await program.ok('keys', 'show', unique_identifier),
      new RegExp(`^Used by +${id}$`, 'm'),
    );
    assert.match(await program.ok('keys', 'suspend', unique_identifier), says);
    await program.ok('keys', 'resume', unique_identifier);
    await program.ok('webhooks', 'enable', id);
    assert.match(await program.ok('keys', 'revoke', unique_identifier), says);
    assert.doesNotMatch(await program.ok('keys', 'revoke', by), /What worked/);
  });

  it('pauses, enables, rotates, resends and deletes, as JSON too, and a test that fails is exit code 1', async () => {
    const { account, program, receiver, rename, newEndpoint } = await ground();
    const { id, secret, by: key } = await newEndpoint();
    const run = (...words: string[]) => program.run('webhooks', ...words);
    const ok = (...words: string[]) => program.ok('webhooks', ...words);
    const json = <T>(...words: string[]) => program.json<T>('webhooks', ...words);

    assert.equal((await json<Endpoint>('pause', id)).status, 'paused');
    await rename('Renamed');
    assert.match(await ok('enable', id), /is enabled\.$/m);
    const [first] = await receiver.count(1);
    const change = first?.id ?? '';
    await until(async () => (await ok('deliveries', id)).includes('delivered'));
    assert.match(await ok('resend', id, '--change', change), /^Sending chg_\w+ again\.$/m);
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
    const ended = await program.fails('webhooks', 'enable', id);
    assert.match(ended, /is revoked\. Name another key with --key/);
    const { unique_identifier: other } = await program.newKey(account, '--allow', 'webhooks');
    const enabled = await json<Endpoint & { key: string }>('enable', id, '--key', other);
    assert.deepEqual([enabled.status, enabled.key], ['enabled', other]);
    const gone = { object: 'webhook_endpoint', unique_identifier: id, deleted: true };
    assert.deepEqual(await json('delete', id), gone);
    assert.deepEqual(await json('list'), []);
  });

  it('says in one line what is wrong', async () => {
    const { program, key } = await ground();
    const url = 'https://example.com/hook';
    const unknown = /There is no webhook endpoint/;
    await program.mistakes('webhooks', [
      [`create --key key_0 --url ${url}`, /There is no key "key_0"/],
      [`create --key ${key} --url ${url}`, /lacks the right "webhooks"/],
      ...['test', 'replay', 'pause', 'enable', 'rotate', 'delete'].map(
        (what) => [`${what} whk_0`, unknown] as const,
      ),
      ['rotate whk_0 --overlap soon', /--overlap must be a duration/],
      ['resend whk_0 --change chg_0', unknown],
      ['resend whk_0', /--change/],
      ['deliveries whk_0 --status lost', /--status must be/],
      ['listen --forward http://localhost:1', /LEDGERSTONE_KEY/],
    ]);
  });

  it('passes changes on to a program on this machine, signed with a secret of its own', async () => {
    const { receiver, listen, renameUntilReceived } = await ground();
    const { printed, stop } = listen('--full');
    await until(() => printed.stdout.includes('Ctrl-C stops it'));
    const [, secret = ''] = /^Secret: (whsec_\S+)$/m.exec(printed.stdout) ?? [];
    await renameUntilReceived();
    const { body } = receiver.received[0] as (typeof receiver.received)[number];
    assert.deepEqual(verified(receiver, 0, secret), body);
    assert.equal(body.type, 'location.updated');
    assert.match(body.data.record_now.location_name, /^Renamed/);
    await until(() => / {2}location\.updated {2}loc_\w+ {2}200$/m.test(printed.stdout));
    assert.equal((await stop()).code, 0);
  });

  it('goes on where it was when the service was away, says why a program was not reached, and prints JSON', async () => {
    const { cwd, env, service, receiver, rename, ...at } = await ground();
    const { printed, stop } = at.listen('--json');
    const lines = (): Record<string, unknown>[] =>
      printed.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await until(() => printed.stdout.includes('whsec_'));
    await at.renameUntilReceived();
    await service.stop();
    await until(() => printed.stderr.includes('does not answer'));
    await receiver.close();
    await serveHere({ cwd, env, port: new URL(service.url).port });
    await rename('While nobody listened');
    await until(() =>
      lines().some(({ error }) => String(error).includes('nothing is listening there')),
    );
    assert.match(printed.stderr, /answers again/);
    assert.equal(printed.stderr.match(/does not answer/g)?.length, 1);
    const taken = lines().filter(({ status_code }) => status_code === 200);
    assert.equal(taken.length, receiver.received.length);
    assert.deepEqual(Object.keys(taken[0] ?? {}), [
      ...['change', 'type', 'record', 'status_code', 'error', 'duration_ms'],
    ]);
    assert.equal((await stop()).code, 0);
  });
});
