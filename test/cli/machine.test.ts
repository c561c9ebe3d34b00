/** A service on a machine of a house: its proxy is named as not used, SIGHUP ends nothing, and the audit says names. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call, startProcess } from '../support/cli-service.ts';
import { servedAccount, withAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';

it('doctor says that a proxy is not used', async () => {
  const { cwd } = await withAccount();
  const found = async (env: Record<string, string>) =>
    (await examine(cwd, env)).findings.find(({ check }) => check === 'proxy');
  assert.equal(await found({}), undefined);
  for (const variable of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY']) {
    const { state, says } = (await found({ [variable]: 'http://me:hidden@proxy:3128' })) ?? {};
    assert.equal(state, 'warning', variable);
    assert.match(says ?? '', new RegExp(`^${variable} is set, and the service uses no proxy`));
    assert.doesNotMatch(says ?? '', /hidden/);
  }
});

it('SIGHUP without TLS ends nothing', async () => {
  const { cwd } = await withAccount();
  const service = await startProcess({ cwd });
  service.process.kill('SIGHUP');
  await service.printed(/nothing to reload/);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal((await service.stop('SIGTERM')).code, 0);
});

it('the audit says who by name, and programs get the identifier', async () => {
  const { account, url, ok, json, newKey } = await servedAccount();
  const key = await newKey(account, '--name', 'Lobby tablet', '--allow', 'hold');
  await call(url, key.secret, '/v1/holds', { account, matter: 'Case 7' });
  const about = ['audit', 'list', '--account', account, '--by', key.unique_identifier];
  const [first] = await json<{ by: string }[]>(...about);
  assert.equal(first?.by, key.unique_identifier);
  assert.match(await ok(...about), /Lobby tablet.* hold /);
});
