/** Retention rules are made, looked at and enabled on the command line beside the service, which runs them. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { programIn } from '../../support/cli-program.ts';
import { call } from '../../support/cli-service.ts';
import { makeLocation, servedAccount } from '../../support/cli-setup.ts';
import { secretKeyFile } from '../../support/secret-key.ts';
import { eventBody } from '../../support/sent.ts';
import { until } from '../../support/until.ts';

it('ledgerstone retention makes, previews, enables, pauses and removes a rule', async () => {
  const SECRET_KEY_FILE = secretKeyFile();
  const env = { SECRET_KEY_FILE };
  const { cwd, account, secret, url } = await servedAccount(env);
  const { run, json } = programIn(cwd);
  const location = await makeLocation(url, secret, account, 'home');
  const body = eventBody(location, 'old', { event_datetime: '2019-03-20T14:30:00Z' });
  const sent = await call(url, secret, '/v1/events/upsert', body);
  const { unique_identifier: event } = JSON.parse(sent.text);
  const rule = ['--account', account, '--resource', 'event', '--counted-from', 'event_datetime'];
  const wrong = await run('retention', 'create', ...rule, '--after', 'soon', '--basis', 'policy');
  assert.match(wrong.stderr, /--after must be a number of days or years/);
  const more = [
    '--after',
    '3y',
    '--basis',
    'policy',
    '--unless',
    'updated_at[lt]=2020-01-01T00:00:00Z',
  ];
  const { unique_identifier: id } = await json<{ unique_identifier: string }>(
    ...['retention', 'create', ...rule, ...more, '--json'],
  );
  const early = await run('retention', 'enable', id, '--secret-key-file', SECRET_KEY_FILE);
  assert.match(early.stderr, /no preview of the last day/);
  const preview = await run('retention', 'preview', id);
  assert.match(preview.stdout, /^1 record would go; 0 held, 0 spared\./);
  assert.match(preview.stdout, /2019 +loc_\w+ +1 +0 +0/);
  const enabled = await run('retention', 'enable', id, '--secret-key-file', SECRET_KEY_FILE);
  assert.match(enabled.stdout, /is enabled/, enabled.stderr);
  const isGone = async () => (await call(url, secret, `/v1/events/${event}`)).status !== 200;
  await until(isGone, 120_000);
  await until(async () => / done +1 /.test((await run('retention', 'runs', id)).stdout), 120_000);
  assert.match((await run('retention', 'list')).stdout, /enabled +event +1095d/);
  assert.equal((await run('retention', 'pause', id)).stdout, `${id} is paused.\n`);
  // Rules by the date of services leave nothing to lift.
  assert.equal((await run('retention', 'lift', id)).stdout, '0 records may be sent again.\n');
  assert.equal((await run('retention', 'delete', id)).stdout, `${id} is deleted.\n`);
  assert.equal((await run('retention', 'list')).stdout, 'There are no rules.\n');
});
