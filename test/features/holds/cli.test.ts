/** Holds are placed, listed and released on the command line beside the service, which obeys them at once. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call } from '../../support/cli-service.ts';
import { makeLocation, servedAccount } from '../../support/cli-setup.ts';

it('ledgerstone holds keeps a record until it is released', async () => {
  const { account, secret, url, run, json } = await servedAccount();
  const record = await makeLocation(url, secret, account, 'home');
  const path = `/v1/locations/${record}`;
  const remove = async () =>
    (await call(url, secret, path, undefined, { method: 'DELETE' })).status;
  const past = ['--until', '2020-01-31'];
  const matter = ['--account', account, '--record', record, '--matter', 'Case 7'];
  assert.match((await run('holds', 'place', ...matter, ...past)).stderr, /--until must be in the/);
  const { unique_identifier: id } = await json<{ unique_identifier: string }>(
    ...['holds', 'place', ...matter, '--json'],
  );
  assert.equal(await remove(), 409);
  const listed = await run('holds', 'list', '--record', record);
  assert.match(listed.stdout, new RegExp(`${id} +active +- +location +${record} .*Case 7`));
  const released = await run('holds', 'release', id, '--reason', 'closed');
  assert.equal(released.stdout, `${id} is released.\n`);
  assert.equal(await remove(), 200);
  assert.match((await run('holds', 'list')).stdout, /released/);
  const unknown = await run('holds', 'release', 'hld_1', '--reason', 'closed');
  assert.match(unknown.stderr, /There is no hold/);
});
