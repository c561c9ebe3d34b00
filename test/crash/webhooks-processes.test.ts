/** Webhooks are delivered by whichever process is left: each change at least once, in order for each record. */
// needs: program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../../src/features/webhooks/store.ts';
import { ALL, withAll } from '../support/all.ts';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { keyed } from '../support/secret-key.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import {
  ask,
  type Besieged,
  changesOf,
  goneAndBack,
  makeTrouble,
  wantAll,
  wantOrder,
  watchPosition,
  writeEvents,
} from '../support/webhook-siege.ts';

const KILLED = ALL ? 6 : 2;
const WRITES = ALL ? 600 : 200;

async function receive(): Promise<{ receiver: Receiver; env: Env }> {
  const settings = keyed();
  const receiver = await startReceiver();
  const { webhook_allow, secret_key_file } = settings;
  return { receiver, env: { WEBHOOK_ALLOW: webhook_allow, SECRET_KEY_FILE: secret_key_file } };
}
type Env = Readonly<Record<string, string>>;

async function createEndpoint(to: Besieged, url: string): Promise<string> {
  const body = { url, notifications: ['event.*'] };
  return (await ask(to, 'POST', '/v1/webhook_endpoints', body)).unique_identifier;
}

const keyWithWebhooks = async (cwd: string, env: Env, account: string): Promise<string> => {
  const words = ['keys', 'create', '--account', account, '--allow', 'webhooks'];
  return (await programIn(cwd, env).json<{ secret: string }>(...words)).secret;
};

describe('Webhooks of one process over SQLite', () => {
  it(
    'reach a receiver that fails, stalls and says 410, while the process is killed at random',
    withAll,
    async () => {
      const { receiver, env } = await receive();
      const cwd = ownFolder();
      const { account, secret: own } = await makeAccount(cwd);
      const secret = await keyWithWebhooks(cwd, env, account);
      let process = await startProcess({ cwd, env });
      const location = await makeLocation(process.url, own, account);
      const to: Besieged = { account, location, secret, url: () => process.url };
      const endpoint = await createEndpoint(to, receiver.url);
      const trouble = makeTrouble(receiver);
      const watched = watchPosition(to, endpoint);
      const writing = writeEvents(to, WRITES, 15);
      for (let killed = 0; killed < KILLED; killed++) {
        await receiver.count(15 * (killed + 1)).catch(() => undefined);
        await pause(Math.random() * 200);
        await process.stop('SIGKILL');
        process = await startProcess({ cwd, env });
        if (killed === 0) await goneAndBack(to, endpoint, trouble, WRITES);
      }
      await writing;
      await wantAll(to, endpoint, trouble, WRITES);
      assert.equal(await watched(), 0, 'the position went back');
      wantOrder(receiver.received);
    },
  );

  it('go on as soon as the process is there again', async () => {
    const { receiver, env } = await receive();
    const cwd = ownFolder();
    const { account, secret: own } = await makeAccount(cwd);
    const secret = await keyWithWebhooks(cwd, env, account);
    let process = await startProcess({ cwd, env });
    const location = await makeLocation(process.url, own, account);
    const to: Besieged = { account, location, secret, url: () => process.url };
    await createEndpoint(to, receiver.url);
    await writeEvents(to, 1, 0);
    await receiver.count(1);
    await process.stop('SIGKILL');
    process = await startProcess({ cwd, env });
    await writeEvents(to, 2, 0);
    // `count` waits for less than the lease of the process that was killed would last.
    await receiver.count(2);
  });
});

await onPostgres(({ name, url: server }) => {
  describe(`Webhooks of several processes over ${name}`, withAll, () => {
    const ground = async () => {
      const { receiver, env } = await receive();
      const shared = await sharedDatabase(server);
      const { cwd, account, location, service } = shared;
      const serve = () => startProcess({ cwd, env: { ...shared.env, ...env } });
      const secret = await keyWithWebhooks(cwd, shared.env, account);
      const first = await serve();
      // The process that is written to has no key for secrets: it delivers nothing.
      const to: Besieged = { account, location, secret, url: () => service.url };
      const endpoint = await createEndpoint({ ...to, url: () => first.url }, receiver.url);
      return { receiver, serve, first, to, endpoint, trouble: makeTrouble(receiver) };
    };

    it('reach a receiver that fails, stalls and says 410, while processes are killed at random', async () => {
      const { receiver, serve, first, to, endpoint, trouble } = await ground();
      const others = [first, await serve(), await serve()];
      const watched = watchPosition(to, endpoint);
      const writing = writeEvents(to, WRITES, 15);
      for (let killed = 0; killed < KILLED; killed++) {
        await receiver.count(20 * (killed + 1)).catch(() => undefined);
        const which = Math.floor(Math.random() * others.length);
        await others[which]?.stop('SIGKILL');
        others[which] = await serve();
        if (killed === 0) await goneAndBack(to, endpoint, trouble, WRITES);
      }
      await writing;
      await wantAll(to, endpoint, trouble, WRITES);
      assert.equal(await watched(), 0, 'the position went back');
      wantOrder(receiver.received);
    });

    it('are left to another process by one that stood still for longer than its lease, and writes nothing afterwards', async () => {
      const { receiver, serve, first, to, endpoint, trouble } = await ground();
      const watched = watchPosition(to, endpoint);
      const writes = 300;
      const writing = writeEvents(to, writes, 130);
      await receiver.count(10);
      await serve();
      first.process.kill('SIGSTOP');
      // What is written from now on can reach the receiver by the other alone, when the lease has run out.
      const before = new Set(await changesOf(to));
      const others = (): number => [...trouble.taken].filter((id) => !before.has(id)).length;
      await until(() => others() > 10, 4 * LEASE_MS);
      first.process.kill('SIGCONT');
      await writing;
      await wantAll(to, endpoint, trouble, writes);
      assert.equal(await watched(), 0, 'the position went back');
      wantOrder(receiver.received);
    });
  });
});
