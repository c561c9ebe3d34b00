/** Connections are bounded: in all, without a key, and of one key; and none of it stops the service. */
// needs: --all, program

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { LAUNCHER } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { withAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

interface Open {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}

async function setUp(...options: string[]) {
  const made = await withAccount();
  const service = await startProcess({ cwd: made.cwd, words: ['serve', ...options] });
  return { ...made, service };
}

/** The same with few descriptors. */
async function setUpWithFew(...options: string[]) {
  const { cwd, secret } = await withAccount();
  const words = ['-c', 'ulimit -n 64 && exec "$0" "$@"', LAUNCHER, 'serve', ...options];
  return { secret, service: await startProcess({ cwd, program: '/bin/sh', words }) };
}

/** Connections to the service, as far as they are let in. */
function openTo(service: RunningService, count: number): Promise<Open[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(service.port, '127.0.0.1');
      whenOver(() => socket.destroy());
      const one: Open = { socket, text: '', isClosed: false };
      socket.setEncoding('utf8').on('data', (text) => {
        one.text += text;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        one.isClosed = true;
      });
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
      return one;
    }),
  );
}

/** Asks on a connection of the test's, and gives the status. */
async function ask(one: Open, secret: string, ...headers: string[]): Promise<number> {
  one.text = '';
  const begun = ['GET /v1/accounts HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`];
  one.socket.write([...begun, ...headers, '\r\n'].join('\r\n'));
  await until(() => /^HTTP\/1\.1 \d+[\s\S]*\r\n\r\n/.test(one.text) || one.isClosed);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(one.text)?.[1]);
}

/** Asks on new connections until one is let in: that others have gone is noticed when their end has arrived. */
async function untilServed(service: RunningService, secret: string): Promise<void> {
  await until(async () => {
    const [one] = (await openTo(service, 1)) as [Open];
    return (await ask(one, secret)) === 200;
  });
}

const isOpen = ({ isClosed }: Open): boolean => !isClosed;

const { platform } = process;
const ALLOWED = '/proc/sys/net/core/somaxconn';
const allowed = platform === 'linux' ? Number(readFileSync(ALLOWED, 'utf8')) : 0;
const COME_AT_ONCE = 1_500;

/** How many connections wait to be accepted at a port of IPv4 (proc_net_tcp: of a listening socket that is its receive queue). */
function waitingAt(port: number): number {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const listening = lines.find((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    return local.endsWith(end) && state === '0A';
  });
  return Number.parseInt(listening?.trim().split(/\s+/)[4]?.split(':')[1] ?? '', 16);
}

describe('connections', { concurrency: 3 }, () => {
  const skip = allowed < COME_AT_ONCE && `the system keeps no more than ${allowed}`;
  it('that come while the process is busy wait, and none is lost', { skip }, async () => {
    const { secret, service } = await setUp();
    service.process.kill('SIGSTOP');
    const come = await openTo(service, COME_AT_ONCE);
    assert.equal(waitingAt(service.port), COME_AT_ONCE);
    service.process.kill('SIGCONT');
    assert.equal(await ask(come.at(-1) as Open, secret), 200);
  });

  it('beyond the most are refused, and those without a key make room for one that has', async () => {
    const { secret, service } = await setUp('--max-connections', '20');
    const keyed = (await openTo(service, 1)) as [Open];
    assert.equal(await ask(keyed[0], secret), 200);
    const flood = await openTo(service, 60);
    await until(() => flood.filter(isOpen).length <= 19);
    assert.equal(await ask(keyed[0], secret), 200, 'who is in stays in');
    await service.printed(/"reason":"full","count":\d+,"msg":"connections refused"/);
    await until(() => flood.filter(isOpen).length <= 5);
    assert.equal((await call(service.url, secret, '/v1/accounts')).status, 200);
    await service.printed(/"reason":"keyless","count":\d+,"msg":"connections refused"/);
    assert.equal(keyed[0].isClosed, false);
  });

  it('of one key are bounded, so that others find room', async () => {
    const { account, secret, newKey, service } = await setUp('--max-connections', '16');
    const other = await newKey(account);
    const mine = await openTo(service, 8);
    for (const one of mine) assert.equal(await ask(one, secret), 200);
    const [more, others] = (await openTo(service, 2)) as [Open, Open];
    assert.equal(await ask(more, secret), 429);
    assert.match(more.text, /Connection: close/i);
    assert.match(more.text, /"code":"connections_too_many"/);
    assert.equal(await ask(others, other.secret), 200);
    mine[0]?.socket.destroy();
    await untilServed(service, secret);
  });

  it('are closed where no key comes on them, and kept where one did', async () => {
    const { secret, service } = await setUp();
    type Five = [Open, Open, Open, Open, Open];
    const [silent, slow, idle, failed, keyed] = (await openTo(service, 5)) as Five;
    assert.equal(await ask(keyed, secret), 200);
    assert.equal(await ask(failed, 'sk_test_wrong'), 401);
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    slow.socket.write('POST /v1/locations/upsert HTTP/1.1\r\nHost: localhost\r\nFilling: ');
    const trickle = setInterval(() => slow.socket.write('x'), 500);
    whenOver(() => clearInterval(trickle));
    await until(() => /"ok"/.test(idle.text));
    await until(() => [silent, slow, idle, failed].every(({ isClosed }) => isClosed));
    assert.equal(keyed.isClosed, false);
    assert.equal(await ask(keyed, secret), 200);
  });

  it('for which there are no descriptors are told of in the log, and the service goes on', async () => {
    const { secret, service } = await setUpWithFew('--max-connections', '1000');
    await service.printed(/"max_connections":1000,"descriptors":64,"msg":"fewer connections/);
    const [keyed] = (await openTo(service, 1)) as [Open];
    assert.equal(await ask(keyed, secret), 200);
    const flood = await openTo(service, 100);
    await service.printed(/"reason":"descriptors","count":\d+,"msg":"connections refused"/);
    assert.equal(await ask(keyed, secret), 200, keyed.text);
    for (const { socket } of flood) socket.destroy();
    await untilServed(service, secret);
    const { code, stdout, stderr } = await service.stop();
    assert.equal(code, 0, `${stdout}${stderr}`);
  });

  it('are as many as the descriptors allow by default', async () => {
    const { secret, service } = await setUpWithFew();
    const flood = await openTo(service, 100);
    await until(() => flood.filter(isOpen).length <= 16);
    await service.printed(/"reason":"full"/);
    await until(() => flood.filter(isOpen).length <= 4);
    assert.equal((await call(service.url, secret, '/v1/accounts')).status, 200);
  });
});
