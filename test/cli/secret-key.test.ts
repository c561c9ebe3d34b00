/** The service does not start with a key that cannot open what its webhook endpoints need, and there is a way out. */
// needs: program
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { onEachStore } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

await onEachStore((findStore) => {
  it('a wrong or missing SECRET_KEY_FILE is refused at the start', async () => {
    const cwd = ownFolder();
    const own = { ...(await findStore()), WEBHOOK_ALLOW: '127.0.0.0/8' };
    const file = (path: string) => {
      writeFileSync(join(cwd, path), `${randomBytes(32).toString('base64')}\n`);
      return { ...own, SECRET_KEY_FILE: path };
    };
    const [right, other] = [file('right'), file('other')];
    const { account, secret } = await makeAccount(cwd, own);
    const { json, newKey } = programIn(cwd, right);
    const key = await newKey(account, '--allow', 'webhooks');
    const receiver = await startReceiver();
    const words = ['--key', key.unique_identifier, '--url', receiver.url, '--account', account];
    const { unique_identifier: endpoint } = await json('webhooks', 'create', ...words);

    const faults = [
      [own, /^ledgerstone: SECRET_KEY_FILE is not set, but the secrets/],
      [other, /^ledgerstone: The key in SECRET_KEY_FILE does not open/],
    ] as const;
    for (const [env, says] of faults) {
      const stderr = await programIn(cwd, env).fails('serve', '--port', '0');
      assert.equal(stderr.split('\n').length, 2, stderr);
      assert.ok(stderr.includes(endpoint), stderr);
      assert.match(stderr, says);
    }

    // A service that sends nothing there needs no key, and a new secret needs the old key no more.
    await programIn(cwd, own).run('webhooks', 'pause', endpoint);
    await (await startProcess({ cwd, env: own })).stop();
    for (const [env, says] of faults) {
      assert.match(await programIn(cwd, env).fails('webhooks', 'enable', endpoint), says);
    }
    await (await startProcess({ cwd, env: own })).stop();
    await programIn(cwd, other).run('webhooks', 'rotate', endpoint);
    await programIn(cwd, other).run('webhooks', 'enable', endpoint);
    const service = await startProcess({ cwd, env: other });
    await makeLocation(service.url, secret, account);
    await receiver.count(1);
    await service.stop();
  });
});
