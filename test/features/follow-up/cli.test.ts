/** Commands on follow-ups notify webhook endpoints, as requests do. */
// needs: program
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { examples } from '../../support/bodies.ts';
import { ownFolder } from '../../support/cli-program.ts';
import { call } from '../../support/cli-service.ts';
import { makeLocation, servedAccount } from '../../support/cli-setup.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

interface Found {
  readonly unique_identifier: string;
  readonly owner: string | null;
}

it('ledgerstone follow-ups notifies webhook endpoints', async () => {
  const SECRET_KEY_FILE = join(ownFolder(), 'key');
  writeFileSync(SECRET_KEY_FILE, randomBytes(32).toString('base64'));
  const { account, secret, url, run, json, newKey } = await servedAccount({
    ...{ SECRET_KEY_FILE, WEBHOOK_ALLOW: '127.0.0.0/8' },
  });
  const location_unique_identifier = await makeLocation(url, secret, account);
  const path = 'online_arrangements';
  const { least } = examples.find((one) => one.path === path) as { readonly least: object };
  const key = await newKey(account, '--allow', 'webhooks', '--allow', 'follow_up');
  const receiver = await startReceiver();
  const endpoint = ['--url', receiver.url, '--notification', 'follow_up.*'];
  await json('webhooks', 'create', '--key', key.unique_identifier, ...endpoint);
  const list = () => json<readonly Found[]>('follow-ups', 'list');
  // The first list of an account begins it.
  assert.deepEqual(await list(), []);
  await call(url, secret, `/v1/${path}/upsert`, { ...least, location_unique_identifier });
  await until(async () => (await list()).length > 0);
  const [{ unique_identifier: id }] = (await list()) as readonly [Found];
  assert.match((await run('follow-ups', 'counts')).stdout, /arrangement_begun/);
  assert.equal((await run('follow-ups', 'claim', id)).stdout, `${id} is claimed.\n`);
  // Others are looked after meanwhile, of which none may go on: an operator may.
  const left = await newKey(account, '--allow', 'follow_up');
  const other = { ...least, external_identifier: 'left', location_unique_identifier };
  await call(url, secret, `/v1/${path}/upsert`, other);
  await until(async () => (await list()).length > 1);
  const its = (await list()).find((one) => one.unique_identifier !== id)?.unique_identifier;
  await call(url, left.secret, `/v1/follow_ups/${its}/claim`, {});
  await json('keys', 'revoke', left.unique_identifier);
  const ownerOf = async (of: string | undefined) =>
    (await list()).find((one) => one.unique_identifier === of)?.owner;
  await until(async () => (await ownerOf(its)) === null);
  assert.equal(await ownerOf(id), 'operator');
  const closed = await run('follow-ups', 'close', id, '--outcome', 'done');
  assert.equal(closed.stdout, `${id} is closed: done.\n`);
  const told = () =>
    receiver.received
      .map(({ body }) => [body.type, body.data.unique_identifier])
      .filter(([, of]) => of === id);
  await until(() => told().length === 3);
  assert.deepEqual(told(), [
    ['follow_up.opened', id],
    ['follow_up.changed', id],
    ['follow_up.closed', id],
  ]);
});
