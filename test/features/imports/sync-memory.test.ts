/** A sync of a million unchanged rows takes no more memory than the marks of some of them. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { ownFolder } from '../../support/cli-program.ts';
import { call, startProcess } from '../../support/cli-service.ts';
import { makeAccount, makeLocation } from '../../support/cli-setup.ts';
import { eventBody } from '../../support/sent.ts';
import { until } from '../../support/until.ts';

const ROWS = 50_000;
const STREAMS = 20;
/** More than is in memory at once, and less than a million identifiers would take. */
const MOST_KIB = 96 * 1024;

const skip = existsSync('/proc/self/status') ? false : 'Only Linux says how much it was.';

it('a million unchanged rows are compared in bounded memory', { skip }, async () => {
  const cwd = ownFolder();
  const { account, secret } = await makeAccount(cwd);
  const { url, process: child } = await startProcess({ cwd });
  const location = await makeLocation(url, secret, account);
  const lines = Array.from({ length: ROWS }, (_, at) =>
    JSON.stringify(eventBody(location, `service ${at}`)),
  ).join('\n');
  const post = async (path: string, type: string, body: string, headers = {}) => {
    const how = { headers: { 'Content-Type': type, ...headers } };
    const { status, text } = await call(url, secret, path, body, how);
    assert.equal(status, 200, text.slice(-1_000));
    return text;
  };
  const stream = async (headers = {}) => {
    const text = await post('/v1/events/upsert_many', 'application/x-ndjson', lines, headers);
    const { summary } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
    assert.equal(summary.failed, 0);
  };
  const peak = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  };
  for (let nth = 0; nth < 4; nth += 1) await stream();
  const before = peak();
  const begun = await post(
    '/v1/syncs',
    'application/json',
    JSON.stringify({ resource: 'event', location }),
  );
  const { unique_identifier: sync } = JSON.parse(begun);
  for (let nth = 0; nth < STREAMS; nth += 1) await stream({ 'Ledgerstone-Sync': sync });
  const finish = async () =>
    JSON.parse(await post(`/v1/syncs/${sync}/finish`, 'application/json', '{}'));
  await until(async () => (await finish()).status === 'finished');
  const { seen, removed, left_count } = await finish();
  assert.deepEqual([seen, removed, left_count], [ROWS * STREAMS, {}, 0]);
  const more = peak() - before;
  assert.ok(
    more < MOST_KIB,
    `${Math.round(more / 1024)} MiB more, after ${Math.round(before / 1024)}`,
  );
});
