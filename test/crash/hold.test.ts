/** `kill -9` of the service around a hold: what it keeps stays, and what waited for it is finished after the next start. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

it('a hold outlasts a kill, refuses the command line, and its end reaches what waited', async (test) => {
  const cwd = ownFolder(test);
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { SECRET_KEY_FILE };
  const program = programIn(cwd, env);
  const { account, secret } = await makeAccount(cwd, env);
  const keyFor = async (right: string) =>
    (
      await program.json<{ secret: string }>(
        ...['keys', 'create', '--account', account, '--permission', 'read', '--allow', right],
      )
    ).secret;
  const [officer, keeper] = [await keyFor('erase'), await keyFor('hold')];
  let service = await startProcess(test, { cwd, env });
  const restart = async () => {
    service.process.kill('SIGKILL');
    await service.end;
    service = await startProcess(test, { cwd, env });
  };
  const send = async (as: string, path: string, body?: object) => {
    const { status, text } = await call(service.url, as, path, body);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const record = await makeLocation(service.url, secret, account, 'home');
  const hold = await send(keeper, '/v1/holds', { account, record, matter: 'A' });
  const begun = await send(officer, '/v1/erasures', { account, records: [record] });
  const path = `/v1/erasures/${begun.unique_identifier}`;
  const ran = await send(officer, `${path}/run`, { records: [record] });
  assert.deepEqual([ran.status, ran.left[0].held_by], ['waiting', hold.unique_identifier]);
  await restart();
  assert.equal((await send(officer, path)).status, 'waiting');
  assert.equal((await send(secret, `/v1/locations/${record}`)).unique_identifier, record);
  const { code, stderr } = await program.run('accounts', 'wipe', account, '--yes');
  assert.notEqual(code, 0);
  assert.match(stderr, new RegExp(hold.unique_identifier));
  await send(keeper, `/v1/holds/${hold.unique_identifier}/release`, { reason: 'over' });
  await restart();
  await until(async () => (await send(officer, path)).status === 'done', 60_000);
  const { status } = await call(service.url, secret, `/v1/locations/${record}`);
  assert.equal(status, 410);
  await program.run('accounts', 'wipe', account, '--yes');
});
