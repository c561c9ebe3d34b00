/** The service does not start with a key that cannot open what its webhook endpoints need, and there is a way out. */
// needs: program
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { withAll } from '../support/all.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn, run } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

type FindStore = () => Promise<Readonly<Record<string, string>>>;

function promises(name: string, findStore: FindStore, ring = {}): void {
  it(`a wrong or missing SECRET_KEY_FILE is refused at the start, on ${name}`, ring, async () => {
    const cwd = ownFolder();
    const own = { ...(await findStore()), WEBHOOK_ALLOW: '127.0.0.0/8' };
    const file = (path: string): Readonly<Record<string, string>> => {
      writeFileSync(join(cwd, path), `${randomBytes(32).toString('base64')}\n`);
      return { ...own, SECRET_KEY_FILE: path };
    };
    const [right, other] = [file('right'), file('other')];
    const { account, secret } = await makeAccount(cwd, own);
    const { json } = programIn(cwd, right);
    interface Made {
      readonly unique_identifier: string;
    }
    const key = await json<Made>('keys', 'create', '--account', account, '--allow', 'webhooks');
    const receiver = await startReceiver();
    const words = ['--key', key.unique_identifier, '--url', receiver.url, '--account', account];
    const { unique_identifier: endpoint } = await json<Made>('webhooks', 'create', ...words);

    const refused = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { code, stdout, stderr } = await run(['serve', '--port', '0'], { cwd, env });
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.equal(stderr.split('\n').length, 2, stderr);
      assert.ok(stderr.includes(endpoint), stderr);
      return stderr;
    };
    assert.match(await refused(own), /^ledgerstone: SECRET_KEY_FILE is not set, but the secrets/);
    assert.match(await refused(other), /^ledgerstone: The key in SECRET_KEY_FILE does not open/);

    // A service that sends nothing there needs no key, and a new secret needs the old key no more.
    await programIn(cwd, own).run('webhooks', 'pause', endpoint);
    await (await startProcess({ cwd, env: own })).stop();
    for (const [env, says] of [
      [own, /^ledgerstone: SECRET_KEY_FILE is not set, but the secrets/],
      [other, /^ledgerstone: The key in SECRET_KEY_FILE does not open/],
    ] as const) {
      const enabled = await run(['webhooks', 'enable', endpoint], { cwd, env });
      assert.equal(enabled.code, 1);
      assert.match(enabled.stderr, says);
    }
    await (await startProcess({ cwd, env: own })).stop();
    await programIn(cwd, other).run('webhooks', 'rotate', endpoint);
    await programIn(cwd, other).run('webhooks', 'enable', endpoint);
    const service = await startProcess({ cwd, env: other });
    await makeLocation(service.url, secret, account);
    await receiver.count(1);
    await service.stop();
  });
}

promises('SQLite', async () => ({}));
await onPostgres(({ name, url }) => {
  promises(name, async () => (await emptyDatabase(url)).env, withAll);
});
