/** The log holds identifiers of ours, paths, statuses and times: nothing that anybody sent; one that cannot be written holds up nobody. */
// needs: program
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createPlainLog } from '../../src/core/observe/plain-log.ts';
import { whenOver } from '../support/at-end.ts';
import { LAUNCHER, ownFolder } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { freePort } from '../support/kept-program.ts';
import { eventBody } from '../support/sent.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const NAME = 'Marker-Name';
const PHONE = '+14155550199';
const EMAIL = 'marker@example.com';
const EXTERNAL = 'marker-external-identifier';
const QUERY = 'marker-query';
const PATH_PART = 'Marker-Path';
const MARKERS = [NAME, PHONE, PHONE.slice(1), EMAIL, EXTERNAL, QUERY, PATH_PART, 'sk_test'];

/** Requests of every kind, good and bad, with markers wherever a caller can write. */
async function sendAll(url: string, secret: string, account: string): Promise<number[]> {
  const location = await makeLocation(url, secret, account, EXTERNAL);
  const visitor = {
    external_identifier: EXTERNAL,
    visitor_full_name: NAME,
    visitor_phone_number: PHONE,
    visitor_email_address: EMAIL,
  };
  const upsert = (path: string, body: object) => call(url, secret, `/v1/${path}/upsert`, body);
  const event = eventBody(location, EXTERNAL, { event_name: NAME });
  const { text } = await upsert('events', event);
  const { unique_identifier } = JSON.parse(text) as { unique_identifier: string };
  const answers = [
    await upsert('event_check_in_records', {
      ...visitor,
      event_unique_identifier: unique_identifier,
    }),
    await upsert('event_check_in_records', { ...visitor, event_unique_identifier: NAME }),
    await upsert('event_check_in_records', { ...visitor, [NAME]: NAME }),
    await upsert('events', {
      ...event,
      event_datetime: NAME,
      person: { full_name: PHONE, [NAME]: 1 },
    }),
    await call(url, secret, `/v1/locations?starting_after=${QUERY}`),
    await call(url, secret, `/v1/locations?${QUERY}=1`),
    await call(url, secret, `/v1/${PATH_PART}/${EXTERNAL}?${QUERY}`),
    await call(url, `sk_test_${NAME}`, `/v1/accounts?${QUERY}`),
    await call(url, secret, `/v1/locations/%ff${PATH_PART}`),
  ];
  return answers.map(({ status }) => status);
}

describe('privacy of the log', () => {
  it('nothing that was sent is in it, whatever went wrong', async () => {
    const { cwd, account, secret } = await withAccount();
    const service = await startProcess({ cwd, env: { LOG_LEVEL: 'trace' } });
    const statuses = await sendAll(service.url, secret, account);
    assert.deepEqual(statuses, [200, 404, 400, 400, 400, 400, 404, 401, 404]);
    const { stdout, stderr } = await service.stop();
    const lines = stdout.split('\n').filter((line) => line.includes('"msg":"request"'));
    assert.ok(lines.length >= statuses.length, 'a line for each request');
    for (const marker of MARKERS) {
      assert.ok(!`${stdout}${stderr}`.toLowerCase().includes(marker.toLowerCase()), marker);
    }
    assert.match(
      stdout,
      /"path":"\/v1\/event_check_in_records\/upsert","status":200,"ms":[\d.]+,"key":"key_\w+","outcome":"created","unique_identifier":"ecr_\w+"/,
    );
    assert.match(stdout, /"path":"\(unknown\)","status":404/);
  });

  it('the short lines of dev keep the same rule', async () => {
    let printed = '';
    const log = createPlainLog((text) => {
      printed += text;
    });
    const service = await startService({ log });
    await sendAll(service.url, service.key, service.account.unique_identifier);
    log.requestFailed('req_1', new TypeError(`${NAME} is no number`, { cause: new Error(PHONE) }));
    for (const marker of MARKERS) {
      assert.ok(!printed.toLowerCase().includes(marker.toLowerCase()), marker);
    }
    assert.match(
      printed,
      /^\d\d:\d\d:\d\d {2}POST \/v1\/events\/upsert {2}200 {2}created {2}evt_\w+ {2}[\d.]+ ms$/m,
    );
    assert.match(printed, /request failed {2}request_id req_1 {2}error TypeError\n +at /);
  });
});

it('a service whose log is on a full disk serves, and stops when it is told to', async (test) => {
  if (!existsSync('/dev/full')) return test.skip('only Linux has a device that is always full');
  const full = openSync('/dev/full', 'w');
  const port = await freePort();
  const service = spawn(LAUNCHER, ['serve', '--port', String(port)], {
    cwd: ownFolder(),
    stdio: ['ignore', full, full],
  });
  whenOver(() => service.kill('SIGKILL'));
  const ended = once(service, 'exit');
  let answers = 0;
  await until(async () => {
    const url = `http://127.0.0.1:${port}/healthz`;
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) answers += 1;
    return answers === 10;
  });
  service.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
