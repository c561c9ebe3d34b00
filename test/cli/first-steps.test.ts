/** An account that has only begun says what comes next, wherever somebody meets it. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { programIn } from '../support/cli-program.ts';
import { call } from '../support/cli-service.ts';
import { servedAccount } from '../support/cli-setup.ts';
import { eventBody } from '../support/sent.ts';

it('accounts create takes a time zone, and says what comes next', async () => {
  const { cwd, ok, fails, json } = await servedAccount();
  const plain = await ok('accounts', 'create', '--name', 'One', '--test');
  assert.match(plain, /keys create --account acct_\w{22}/);
  assert.match(plain, /import --account acct_\w{22} locations\.csv/);
  assert.match(plain, /in UTC until .*--time-zone/);
  const zone = ['--time-zone', 'America/Chicago'];
  const told = await ok('accounts', 'create', '--name', 'Two', '--test', ...zone);
  assert.doesNotMatch(told, /UTC/);
  const [, id = ''] = /(acct_\w{22})/.exec(told) ?? [];
  const shown = await json<{ time_zone: string }>('accounts', 'show', id);
  assert.equal(shown.time_zone, 'America/Chicago');
  const before = (await json<object[]>('accounts', 'list')).length;
  await fails('accounts', 'create', '--name', 'Three', '--time-zone', 'Mars/Olympus');
  assert.equal((await programIn(cwd).json<object[]>('accounts', 'list')).length, before);
});

it('what is sent before its location says which path comes first', async () => {
  const { account, secret, url, fails } = await servedAccount();
  const nowhere = eventBody('loc_0000000000000000000000', 'service');
  const { location_unique_identifier: _, ...event } = nowhere as Record<string, unknown>;
  const outside = {
    ...event,
    account_unique_identifier: account,
    location_external_identifier: 'main-street',
  };
  for (const body of [nowhere, outside]) {
    const { status, text } = await call(url, secret, '/v1/events/upsert', body);
    assert.equal(status, 404, text);
    assert.match(text, /Send it first, with POST \/v1\/locations\/upsert\./);
  }
  const rows = await call(url, secret, '/v1/events/upsert_many', [outside]);
  assert.match(rows.text, /Send it first, with POST \/v1\/locations\/upsert\./);
  const listed = `/v1/events?location_external_identifier=main-street&account_unique_identifier=${account}`;
  const { status, text } = await call(url, secret, listed);
  assert.equal(status, 404, text);
  assert.doesNotMatch(text, /Send it first/, 'a reader sends nothing');
  const says = await fails('keys', 'create', '--account', account, '--location', 'main-street');
  assert.match(says, /Send it first, with POST \/v1\/locations\/upsert/);
});
