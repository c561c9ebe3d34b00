/** A lost key of SECRET_KEY_FILE ends no service: what is lost with it is said, and the operator goes on. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FindStore, onEachStore } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, serveHere } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';

function promises(findStore: FindStore): void {
  it('after an erasure, the service starts with a new key once the operator accepts what is lost', async () => {
    const store = await findStore();
    const keys = [secretKeyFile(), secretKeyFile()];
    const [old = {}, young = {}] = keys.map((SECRET_KEY_FILE) => ({ ...store, SECRET_KEY_FILE }));
    const { cwd, account, secret } = await withAccount(old);
    const body = (external_identifier: string) => ({
      ...{ account_unique_identifier: account, external_identifier },
      location_name: `Home ${external_identifier}`,
    });
    const erased = async (env: object, name: string) => {
      const program = programIn(cwd, { ...env });
      const service = await serveHere({ cwd, env: { ...env } });
      const record = await makeLocation(service.url, secret, account, name);
      await service.stop();
      const of = ['--account', account, '--record', record];
      const { unique_identifier } = await program.json('erasures', 'create', ...of);
      await program.json('erasures', 'run', unique_identifier, '--all', '--yes');
    };
    await erased(old, 'lost');
    const names = /accept-lost-key/;
    for (const env of [young, store])
      await programIn(cwd, { ...env }).mistakes('serve', [['--port 0', names]]);
    const after = programIn(cwd, young);
    assert.match((await after.run('doctor')).stdout, names);
    const asked = await after.run('erasures', 'accept-lost-key');
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /webhook endpoints[\s\S]*certificates[\s\S]*add --yes/);
    await after.mistakes('serve', [['--port 0', names]]);
    // With the old key, nothing is lost.
    await programIn(cwd, old).mistakes('erasures', [['accept-lost-key --yes', /No key is lost/]]);
    const { given_up, lost } = await after.json<{ given_up: number; lost: readonly string[] }>(
      ...['erasures', 'accept-lost-key', '--yes'],
    );
    assert.equal(given_up, 1);
    assert.match(lost.join(), /webhook.*certificates.*journal/);
    await erased(young, 'known');

    const service = await serveHere({ cwd, env: young });
    const sent = async (name: string) =>
      (await call(service.url, secret, '/v1/locations/upsert', body(name))).status;
    assert.equal(await sent('lost'), 200);
    assert.notEqual(await sent('known'), 200);
    await service.stop();

    // A backup has the same way on as its store.
    const { file } = await after.json<{ file: string }>('backup', 'b');
    const other = programIn(ownFolder(), { SECRET_KEY_FILE: keys[1] ?? '' });
    await other.json('restore', `${cwd}/${file}`, '--without-erasures');
    assert.equal((await other.run('verify')).code, 0);
  });
}

await onEachStore(promises);
